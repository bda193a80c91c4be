/* SPDX-License-Identifier: BSD-2-Clause */
/* Interrupts on vectors without a handler, counted by vector. */
#include "kernel/interrupt/interrupt.h"

void stray_note(struct strays *all, u8 vector, u64 rip)
{
    u32 i = 0;
    while (i < all->kept && all->row[i].vector != vector)
        i++;
    if (i == STRAYS_KEPT) {
        all->others++;
        return;
    }
    if (i == all->kept) {
        all->row[i] = (struct stray){.vector = vector, .rip = rip};
        all->kept++;
    }
    all->row[i].count++;
}
