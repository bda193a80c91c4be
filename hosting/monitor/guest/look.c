/* SPDX-License-Identifier: BSD-2-Clause */
/* The instruction at an address of the guest: decoded once, and again when its bytes have changed. */
#include "hosting/monitor/guest/look.h"
#include "hosting/monitor/guest/guest.h"
#include "hosting/monitor/guest/guest_memory.h"
#include "hosting/monitor/guest/patch.h"
#include "kernel/register/instructions.h"
#include "reference/step/interpreter/interpret.h"

#define PAGE 4096ul

/* Reads the bytes up to the end of a mapped page. */
static unsigned fetch_slowly(struct vcpu *v, u64 bytes[2], u64 rip)
{
    unsigned in_page = (unsigned)(PAGE - rip % PAGE);
    bytes[0] = bytes[1] = 0;
    return in_page < 16 && guest_read(v, bytes, rip, in_page) ? in_page : 0;
}

/* From the loaded address space. A #PF in the next page, which the guest may not need, must not change its CR2. */
static unsigned fetch(struct vcpu *v, u64 bytes[2], u64 rip)
{
    bool over = rip % PAGE > PAGE - 16;
    u64 cr2 = over ? read_cr2() : 0;
    if (guest_fetch(bytes, (const void *)rip))
        return 16;
    if (over)
        write_cr2(cr2);
    return fetch_slowly(v, bytes, rip);
}

/* The key of 32-bit code differs in bit 63 of the address, that of 16-bit code in bits 63 and 62. */
static u64 key_of(u64 linear, enum code_width width)
{
    return linear ^ (width == CODE_64 ? 0 : BIT(63)) ^ (width == CODE_16 ? BIT(62) : 0);
}

/* 16-bit code is never executed in the CPU's place. */
static void remember(struct decoded *known, u64 linear, const u64 bytes[2], unsigned count, enum code_width width)
{
    const u8 *code = (const u8 *)bytes;
    *known = (struct decoded){.rip = key_of(linear, width), .bytes = {bytes[0], bytes[1]}};
    known->instruction = width == CODE_64 ? decode(code, count) : decode_legacy(code, count, width);
    if (width == CODE_32)
        known->operation = operation_decode_legacy(code, count);
    else if (width == CODE_64)
        known->operation = operation_or_copy_decode(code, count);
    known->execute = execution_of(&known->operation);
    if (width != CODE_64)
        return;
    known->operand = operand_decode(code, count);
    known->execution = execution_decode(code, count);
}

static bool same(const struct decoded *known, u64 rip, const u64 bytes[2])
{
    return known->rip == rip && known->bytes[0] == bytes[0] && known->bytes[1] == bytes[1];
}

/*
 * Finds or decodes the instruction at f->rip in the loaded address space. This image's text does not change, except by
 * patch.c, whose patches decode to the same kinds.
 */
static void look_up(struct vcpu *v, const struct frame *f)
{
    u64 bytes[2];
    struct decoded *known = decoded_place(v->decoded, f->rip);
    v->at = known;
    if (known->rip == f->rip && !is_foreign(v) && image_text(f->rip))
        return;
    unsigned count = fetch(v, bytes, f->rip);
    if (count == 16 && same(known, f->rip, bytes))
        return;
    remember(known, f->rip, bytes, count, CODE_64);
    if (!is_foreign(v))
        patch_undo(&known->instruction, f->rip);
}

/* The same from outside, through the guest's page tables. */
static void look_up_foreign(struct vcpu *v, const struct frame *f)
{
    u64 bytes[2];
    load_segments(v, f);
    enum code_width width = runs_code64(v) ? CODE_64 : runs_code16(v) ? CODE_16 : CODE_32;
    u64 linear = guest_linear(v, &v->vmcb->cs, f->rip);
    struct decoded *known = decoded_place(v->decoded, linear);
    unsigned count = guest_read(v, bytes, linear, 16) ? 16 : fetch_slowly(v, bytes, linear);
    v->stray.noted = false; /* if the guest does execute this, the CPU's own fetch reports it */
    if (!same(known, key_of(linear, width), bytes))
        remember(known, linear, bytes, count, width);
    v->at = known;
}

/* Finds or decodes an instruction that may be executed in the CPU's place; else `at` has no operation. */
static void look_up_viewed(struct vcpu *v, const struct frame *f)
{
    static const struct decoded nothing;
    u64 bytes[2];
    enum code_width width = v->code32 ? CODE_32 : CODE_64;
    struct decoded *known = decoded_place(v->decoded, f->rip);
    v->at = &nothing;
    if (!guest_view_fetch(v, bytes, f->rip))
        return;
    if (!same(known, key_of(f->rip, width), bytes))
        remember(known, f->rip, bytes, 16, width);
    v->at = known;
}

void step_find(struct vcpu *v, const struct frame *f)
{
    if (v->running == RUN_VIEWED)
        look_up_viewed(v, f);
    else if (is_foreign(v) && !v->in_stub)
        look_up_foreign(v, f);
    else
        look_up(v, f);
}

void step_look(struct vcpu *v, const struct frame *f)
{
    step_find(v, f);
    v->access = ACCESS_NONE;
    if (v->at->operand.access && model_wants_memory(v->model)) {
        v->access = v->at->operand.access;
        v->address = operand_address(&v->at->operand, f);
    }
    v->execution = v->at->execution;
    v->current = &v->at->instruction;
    v->current_rip = f->rip;
    v->current_cpl = f->cs & 3;
}
