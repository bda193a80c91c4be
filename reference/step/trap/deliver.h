/* SPDX-License-Identifier: BSD-2-Clause */
/* Events go to the program's own handlers on frames built by hand, without the stepper's TF in them. */
#pragma once

#include "reference/step/trap/stepped.h"

/* An interrupt, an NMI or an exception. SDM 3A, "Exception- or Interrupt-Handler Procedures". */
void deliver(struct stepped *s, struct frame *f, u8 vector, u64 error);
/* INT n, with RIP behind it. */
void deliver_software(struct stepped *s, struct frame *f, u8 vector);
void deliver_gp(struct stepped *s, struct frame *f);
/* The program's own single step: #DB. */
void deliver_single_step(struct stepped *s, struct frame *f);
