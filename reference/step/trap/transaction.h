/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * XBEGIN and XABORT. A transaction that the model lets go on is stepped like other code; what ends it is XABORT, any
 * event, or any instruction that is emulated: then the program's registers are those of XBEGIN again. What it has
 * written to memory stays: no code here writes in a transaction. SDM 1, "Programming with Intel Transactional
 * Synchronization Extensions".
 */
#pragma once

#include "reference/step/trap/stepped.h"

/* XBEGIN at f->rip: RIP moves into the transaction, or the transaction has aborted. False: its code cannot be read. */
bool transaction_begin(struct stepped *s, struct frame *f, const struct instruction *i);
/* XABORT at f->rip: ends the transaction; outside of one it does nothing. */
void transaction_abort(struct stepped *s, struct frame *f, const struct instruction *i);
/* Something that no transaction survives: returns whether one was open, and has been aborted. */
bool transaction_broken(struct stepped *s, struct frame *f);
