/* SPDX-License-Identifier: BSD-2-Clause */
/* The program's HLT and MWAIT: the CPU sleeps here in its place. */
#pragma once

#include "reference/step/trap/stepped.h"

/* The length of the instruction in s->at, if it is HLT or MWAIT; else 0. */
unsigned sleep_length(const struct stepped *s);
/* HLT or MWAIT at f->rip, `length` bytes long. */
void sleep_begin(struct stepped *s, struct frame *f, unsigned length);
