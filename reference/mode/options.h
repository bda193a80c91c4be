/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of the reference PMU; their rows are in options.c, that of lockstep= in lockstep.c. */
#pragma once

#include "kernel/core/option.h"

extern struct option_value option_reference, option_defect, option_prove, option_prove_benign, option_prove_excuses,
    option_stepping, option_bench, option_prove_here;
