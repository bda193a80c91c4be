/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of an ordinary run; their rows are in options.c. A mode's are in its folder. */
#pragma once

#include "kernel/core/option.h"

extern struct option_value option_run, option_skip, option_repeat, option_shuffle, option_failfast, option_quick,
    option_log, option_machine, option_judge, option_host_kernel, option_errata;
/* judge= so that nothing excuses what its hypervisor is known for. */
#define JUDGE_STRICT "virtual,strict"
