/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of the harness; their rows are in options.c. */
#pragma once

#include "kernel/core/option.h"

extern struct option_value option_run, option_skip, option_list, option_repeat, option_shuffle, option_failfast,
    option_quick, option_log, option_machine, option_soak, option_read, option_write, option_judge, option_errata;
