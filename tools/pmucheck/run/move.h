/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Moves a guest from a running QEMU into a new one, through a file: stops and saves it, ends that QEMU, and starts
 * another one with the same command line that loads the guest and lets it go on. Then a byte on the guest's serial line
 * tells it.
 */
#pragma once

#include "tools/pmucheck/run/child.h"
#include "tools/pmucheck/run/control.h"
#include "tools/pmucheck/run/qemu.h"
#include <stdio.h>

struct mover {
    FILE *saved;            /* NULL: guests are not moved */
    struct control control; /* of the present QEMU */
    char why[256];
};

bool mover_open(struct mover *mover);
/* Starts QEMU, which boots, or, if there is a saved guest, loads it. */
bool mover_start(struct mover *mover, struct arena *arena, const struct qemu_setup *setup, bool load,
                 struct child *child);
/* Saves the guest, and asks QEMU to end. False, with `why`. */
bool mover_save(struct mover *mover);
/* After mover_start() with `load`: lets the guest go on, and tells it. False, with `why`. */
bool mover_go_on(struct mover *mover, const struct child *child);
void mover_close(struct mover *mover);
