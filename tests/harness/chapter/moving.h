/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A guest that is moved to another host, or saved and loaded, in the middle of a test. With the option migrate= the log
 * asks for that, and a byte on the log's UART says that it was done. The reference PMU plays it, with and without.
 */
#pragma once

#include "harness/test.h"

/* Plays the move on the calling CPU, for a PMU that is software; NULL: nobody does. */
extern void (*guest_move_played)(void);
/* The seconds of the option migrate=; 0: it is not given. */
u32 guest_move_seconds(void);
/* Skips the test where nobody can move the guest, or nobody will. */
void need_move(struct test *t);
/* Returns on each CPU of an ALL_TOGETHER test once the guest was moved; if that does not happen, the test is an error.
 */
void guest_moves(struct test *t);
