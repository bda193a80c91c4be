/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs code at CPL 3, or at 1 or 2, and comes back. */
#include "kernel/core/memory.h"
#include "kernel/interrupt/interrupt.h"

/* ring3.asm */
u64 ring3_enter(void (*code)(u64), u64 argument, u64 user_stack, u64 *kernel_rsp, u64 cs, u64 ss);

extern const u8 image_start[], user_text_start[], user_text_end[];

u64 ring_run(unsigned cpl, void (*code)(u64), u64 argument)
{
    static const struct {
        u64 cs, ss;
    } selectors[] = {{SELECTOR_CODE_CPL_1, 1}, {SELECTOR_CODE_CPL_2, 2}, {SELECTOR_USER_CODE, SELECTOR_USER_DATA}};
    struct cpu_state *self = cpu_state();
    return ring3_enter(code, argument, self->user_stack, &self->ring3_rsp, selectors[cpl - 1].cs,
                       selectors[cpl - 1].ss);
}

u64 ring3_run(void (*code)(u64), u64 argument)
{
    return ring_run(3, code, argument);
}

void *ring3_room(void)
{
    return (void *)(cpu_state()->user_stack - PAGE_SIZE);
}

bool ring3_code(u64 rip)
{
    return rip >= (u64)user_text_start && rip < (u64)user_text_end;
}

bool ring0_code(u64 rip)
{
    return rip >= (u64)image_start && rip < (u64)user_text_start;
}
