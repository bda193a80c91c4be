/* SPDX-License-Identifier: BSD-2-Clause */
#include "hosting/monitor/step/x87.h"
#include "hosting/monitor/guest/copied.h"
#include "hosting/monitor/guest/guest.h"
#include "hosting/monitor/guest/guest_memory.h"
#include "hosting/monitor/step/block_cache.h"
#include "kernel/core/memory.h"
#include "reference/step/interpreter/interpret.h"

/* The 32-bit protected-mode format, which 64-bit code has without a prefix: SDM 1, "Saving the x87 FPU's State". */
struct environment {
    u32 control, status, tags, rip;
    u16 cs, opcode;
    u32 operand;
    u16 ds, reserved;
};

/* False: the CPU has executed that instruction where it is. */
static bool mend_rip(const struct vcpu *v, u32 *rip)
{
    u64 original = copied_holds(v, *rip) ? v->x87.rip : block_cache_original(v, *rip);
    if (original)
        *rip = (u32)original;
    return original;
}

static bool mend_operand(const struct vcpu *v, u32 *operand)
{
    if (v->x87.copied && *operand == (u32)v->x87.copied) {
        *operand = (u32)v->x87.address;
        return true;
    }
    for (u32 i = 0; i < v->blocks.site_count; i++) {
        const struct block_site *site = v->blocks.sites[i];
        u32 offset = *operand - (u32)site->where;
        if (offset >= PAGE_SIZE)
            continue;
        *operand = (u32)site->page + offset;
        return true;
    }
    return false;
}

void x87_mend(struct vcpu *v, const struct frame *f)
{
    struct environment e;
    struct frame before = *f;
    before.rip = v->current_rip;
    if (!v->at->operation.length || !runs_code64(v))
        return;
    u64 at = operation_address(&v->at->operation, &before);
    if (!guest_read(v, &e, at, sizeof(e)) || !mend_rip(v, &e.rip))
        return;
    e.cs = (u16)f->cs;
    if (mend_operand(v, &e.operand))
        e.ds = v->in_stub ? e.ds : v->vmcb->ds.selector; /* the stub leaves DS as it is */
    guest_write(v, at, &e, sizeof(e));
}
