/* SPDX-License-Identifier: BSD-2-Clause */
#include "hosting/monitor/guest/shown.h"
#include "hosting/monitor/guest/guest.h"
#include "hosting/monitor/guest/guest_memory.h"
#include "kernel/text/text.h"

static void show(struct shown *shown, u64 n, u8 byte)
{
    format_text(shown->bytes + 2 * n, sizeof(shown->bytes) - 2 * n, "%02x", byte);
}

struct shown shown(struct vcpu *v, const struct frame *f)
{
    struct shown shown = {"none"};
    u64 linear = guest_linear(v, &v->vmcb->cs, f->rip);
    u8 byte;
    for (u64 n = 0; n < INSTRUCTION_BYTES && guest_read(v, &byte, linear + n, 1); n++)
        show(&shown, n, byte);
    return shown;
}

struct shown shown_current(const struct vcpu *v)
{
    struct shown shown;
    for (u64 n = 0; n < INSTRUCTION_BYTES; n++)
        show(&shown, n, ((const u8 *)v->at->bytes)[n]);
    return shown;
}
