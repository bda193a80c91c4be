/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of the harness; their rows are in options.c. */
#pragma once

#include "kernel/core/option.h"

extern struct option_value option_run, option_skip, option_list, option_reference, option_defect, option_prove,
    option_prove_benign, option_prove_excuses, option_repeat, option_shuffle, option_failfast, option_quick, option_log,
    option_machine, option_soak, option_bench, option_stepping, option_host, option_read, option_write, option_judge,
    option_hypervisor, option_errata;
