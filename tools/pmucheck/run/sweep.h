/* SPDX-License-Identifier: BSD-2-Clause */
/* The shapes in which QEMU can show a guest the host's PMU, and the table of what came of each. Pure. */
#pragma once

#include "tools/pmucheck/log/log.h"
#include <stdio.h>

struct sweep_shape {
    const char *name; /* of the start, in the log: machine=NAME */
    const char *cpu;  /* QEMU's -cpu */
};
#define SWEEP_SHAPES 10
extern const struct sweep_shape sweep_shapes[SWEEP_SHAPES];

/* A line for each shape, and the tests that failed in it. The log has a start for each shape that `came`, in order. */
void sweep_tell(FILE *out, const struct log_file *file, const bool came[SWEEP_SHAPES]);
