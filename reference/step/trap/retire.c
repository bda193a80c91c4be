/* SPDX-License-Identifier: BSD-2-Clause */
/* The instruction at the program's RIP, and the one place where an instruction is reported to the model. */
#include "kernel/register/instructions.h"
#include "reference/step/access.h"
#include "reference/step/trap/sites.h"
#include "reference/step/trap/stepped.h"

#define PAGE 4096ul

/* Up to the end of a mapped page. A #PF in the next page, which the program may not need, must not change its CR2. */
static unsigned fetch(u64 bytes[2], u64 rip)
{
    unsigned in_page = (unsigned)(PAGE - rip % PAGE);
    u64 cr2 = in_page < 16 ? read_cr2() : 0;
    if (guest_fetch(bytes, (const void *)rip))
        return 16;
    bytes[0] = bytes[1] = 0;
    if (in_page >= 16)
        return 0;
    write_cr2(cr2);
    return guest_copy(bytes, (const void *)rip, in_page) ? in_page : 0;
}

static void remember(struct decoded *known, u64 rip, const u64 bytes[2], unsigned count)
{
    const u8 *code = (const u8 *)bytes;
    *known = (struct decoded){
        .rip = rip,
        .bytes = {bytes[0], bytes[1]},
        .instruction = decode(code, count),
        .operand = operand_decode(code, count),
        .operation = operation_decode(code, count),
        .execution = execution_decode(code, count),
        .steady = image_text(rip),
    };
    known->execute = execution_of(&known->operation);
}

/* This image's text does not change, but for the patches of sites. */
void step_decode(struct decoded *known, u64 rip)
{
    u64 bytes[2];
    unsigned count = fetch(bytes, rip);
    u8 first = site_at(rip);
    if (first)
        bytes[0] = (bytes[0] & ~MASK(7, 0)) | first;
    if (known->rip != rip || known->bytes[0] != bytes[0] || known->bytes[1] != bytes[1])
        remember(known, rip, bytes, count);
}

void step_look(struct stepped *s, const struct frame *f)
{
    step_find(s, f);
    s->access = ACCESS_NONE;
    if (s->at->operand.access && model_wants_memory(s->model)) {
        s->access = s->at->operand.access;
        s->address = operand_address(&s->at->operand, f);
    }
    s->execution = s->at->execution;
    s->current = &s->at->instruction;
    s->current_rip = f->rip;
    s->current_cpl = f->cs & 3;
}

void retire(struct stepped *s, const struct frame *f, enum retired_kind kind, u64 rip, u8 cpl, bool taken)
{
    struct retired instruction = {.kind = kind,
                                  .cpl = cpl,
                                  .cpl_after = f->cs & 3,
                                  .taken = taken,
                                  .branch = kind == RETIRED_BRANCH ? s->current->branch : BRANCH_OTHER,
                                  .access = s->access,
                                  .execution = s->execution,
                                  .rip = rip,
                                  .address = s->address};
    s->retiring = f;
    s->access = ACCESS_NONE; /* an instruction that is emulated without step_look() has no operand */
    s->execution = EXECUTION_OTHER;
    s->statistics.retired++;
    if (model_stepping(s->model) || kind == RETIRED_WRMSR)
        model_retire(s->model, &instruction);
}
