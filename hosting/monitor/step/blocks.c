/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * While the next instructions can have no effect but counts, the CPU executes them from translations of whole blocks,
 * one after the other. Their number is bounded by how much room counters have, so that each overflow is met by single
 * steps, and by how long an interrupt may have to wait. The translations' notes tell which ways were taken: from those
 * follow the counts, and each branch that is to be recorded.
 *
 * An access that faults, or that the monitor has to see, leaves the block before it happens; it is then stepped.
 */
#include "hosting/monitor/step/blocks.h"
#include "hosting/monitor/guest/guest_memory.h"
#include "hosting/monitor/step/block_tally.h"
#include "hosting/monitor/step/shadow.h"
#include "kernel/core/memory.h"
#include "kernel/interrupt/interrupt.h"
#include "reference/step/interpreter/interpret.h"

#define NOTES_FOREIGN 256 /* for code that may change: blocks that are executed before pending events are checked */
#define NOTES_ALIGNED 0x10000ul

bool blocks_init(struct vcpu *v)
{
    u64 room = (u64)pages_alloc(NOTES_ALIGNED / PAGE_SIZE);
    v->blocks.notes = (u16 *)((room + NOTES_ALIGNED - 1) & ~(NOTES_ALIGNED - 1));
    return room && block_cache_init(v);
}

/* ---- Sites: the pages of accesses from outside. */

#define HOLE 0xa0000ul /* below 1 MiB there is no memory from here on */
#define HOLE_END 0x100000ul

/* Inside the guest an access without memory faults; outside it does not. */
static bool is_memory(const struct vcpu *v, u64 where)
{
    u64 value;
    return v->in_stub || ((where < HOLE || where >= HOLE_END) && direct_load(&value, where, 1));
}

/* Has the site learn the page of the access that missed. False: not memory, or code that must not change now. */
static bool find_page(struct vcpu *v, struct block_site *site)
{
    u64 address = v->blocks.state.address, where;
    if (!guest_reach(&where, address, site->size, site->stores) || !is_memory(v, where) ||
        (site->stores && block_cache_has_code(v, where)))
        return false;
    if (v->blocks.site_count == SITES)
        block_cache_forget_sites(v);
    v->blocks.sites[v->blocks.site_count++] = site;
    site->page = address & ~(PAGE_SIZE - 1);
    site->where = where & ~(PAGE_SIZE - 1);
    return true;
}

/* After an access missed its site's page. True: continue the block; false: the instruction is to be stepped. */
static bool goes_on(struct vcpu *v)
{
    struct block_state *s = &v->blocks.state;
    u64 missed = s->missed - 1;
    if (!s->missed)
        return false;
    struct translated *t = &v->blocks.each[missed / BLOCK_SITES];
    struct block_site *site = &t->block.sites[missed % BLOCK_SITES];
    s->missed = 0;
    s->code = (u64)block_cache_code(v, t) + t->block.places[site->instruction];
    if (find_page(v, site))
        return true;
    s->faulted = (u32)(1 + missed / BLOCK_SITES);
    s->faulted_at = site->instruction;
    return false;
}

/* ---- Execution. */

/* The monitor stores an indirect call's return address. */
static bool stores_into_code(struct vcpu *v, const struct block *b)
{
    u64 where;
    return b->viewed && b->end == BLOCK_CALL && b->indirect &&
           guest_reach(&where, v->blocks.state.registers[4] - 8, 8, true) && block_cache_has_code(v, where);
}

/* Makes the last branch as far as it is left to the monitor; if that fails, the branch has not been executed. */
static bool fails_to_branch(struct vcpu *v, struct frame *f, struct tally *t, const u16 *first)
{
    struct block_state *s = &v->blocks.state;
    const u16 *last = (const u16 *)s->note;
    if (last == first)
        return false;
    const struct block *b = &v->blocks.each[*last / 2].block;
    if (!stores_into_code(v, b) && block_branches(b, s, *last & 1))
        return false;
    s->note += sizeof(u16);
    f->rip = tally_go_through(f, t, first, f->rip);
    tally_part(t, *last / 2, b->count - 1u);
    f->rip = b->top + b->starts[b->count - 1];
    return true;
}

/* The block that was left at an instruction, which is to be stepped. */
static struct translated *faulted(struct vcpu *v)
{
    return &v->blocks.each[v->blocks.state.faulted - 1];
}

/* Counts the part of that block that was executed. */
static void count_faulted(struct vcpu *v, struct frame *f, struct tally *t)
{
    struct block_state *s = &v->blocks.state;
    const struct block *b = &faulted(v)->block;
    tally_part(t, s->faulted - 1, s->faulted_at);
    block_give_back(b, s->faulted_at, s);
    f->rip = b->top + b->starts[s->faulted_at];
}

/* While blocks are executed from outside, exceptions need one of our stacks. */
static void prepare_view(struct vcpu *v, const struct block *begin)
{
    block_cache_view(v);
    if (!is_foreign(v) && !begin->viewed)
        return;
    v->blocks.state.segments[0] = guest_segment(0x64);
    v->blocks.state.segments[1] = guest_segment(0x65);
    if (!v->in_stub)
        shadow_guard(v);
}

/* Executes up to `most` blocks; returns whether more may follow. */
static bool execute(struct vcpu *v, struct frame *f, struct translated *begin, u32 most, struct tally *t)
{
    struct block_state *s = &v->blocks.state;
    u32 bound = is_foreign(v) ? NOTES_FOREIGN : BLOCK_NOTES;
    const u16 *first = v->blocks.notes + (most < bound ? most : bound);
    s->note = (u64)first;
    s->code = (u64)block_cache_code(v, begin);
    s->faulted = 0;
    v->blocks.goes++;
    do
        block_enter(s);
    while (goes_on(v));
    if (!s->faulted && fails_to_branch(v, f, t, first))
        return false;
    f->rip = tally_go_through(f, t, first, f->rip);
    if (s->faulted)
        count_faulted(v, f, t);
    else
        begin->faults = 0;
    return !s->faulted;
}

/* A branch to itself, repeated as often as there is room for. */
static bool spin(struct frame *f, const struct block *b, u32 most, struct tally *t)
{
    bool ends = tally_spin(f, t, b, most);
    f->rip = b->targets[!ends];
    return ends;
}

static void load_registers(struct block_state *s, struct frame *f)
{
    for (unsigned i = 0; i < 16; i++)
        s->registers[i] = *frame_register(f, i);
    s->rflags = f->rflags;
}

static void store_registers(const struct block_state *s, struct frame *f)
{
    for (unsigned i = 0; i < 16; i++)
        *frame_register(f, i) = s->registers[i];
    f->rflags = (f->rflags & ~(RFLAGS_STATUS | RFLAGS_DF)) | (s->rflags & (RFLAGS_STATUS | RFLAGS_DF));
}

/* Executes from `at` on, and the blocks that follow. */
static void execute_all(struct vcpu *v, struct frame *f, struct translated *at, u32 enough, u32 most, struct tally *t)
{
    while (at && !v->pending.any) {
        const struct block *b = &at->block;
        u32 done = t->reported + t->run.instructions, left = most - done, branches = model_branch_room(v->model);
        if (done >= enough || left < BLOCK_INSTRUCTIONS || !branches)
            return;
        if (block_spins(b) && !model_wants_branches(v->model)) {
            if (!spin(f, b, left, t))
                return;
            at = block_cache_known(v, f);
            continue;
        }
        u32 blocks = left / BLOCK_INSTRUCTIONS;
        bool goes_on = execute(v, f, at, blocks < branches ? blocks : branches, t);
        if (v->blocks.state.faulted)
            block_cache_fault(v, faulted(v));
        at = goes_on ? block_cache_follow(v, f) : NULL;
    }
}

u32 blocks_run(struct vcpu *v, struct frame *f, struct translated *begin, u32 enough, u32 most)
{
    struct tally t = {.blocks = &v->blocks, .model = v->model};
    if (most < BLOCK_INSTRUCTIONS || !model_branch_room(v->model))
        return 0;
    block_cache_begin(v, f);
    prepare_view(v, &begin->block);
    load_registers(&v->blocks.state, f);
    execute_all(v, f, begin, enough, most, &t);
    store_registers(&v->blocks.state, f);
    tally_report(f, &t);
    v->statistics.steps += t.reported;
    v->statistics.retired += t.reported;
    v->statistics.forwarded += t.reported;
    return t.reported;
}

bool blocks_faulted(struct vcpu *v, struct frame *f)
{
    u64 offset = f->rip - (u64)v->blocks.code;
    if (f->vector == VECTOR_NMI || f->vector == VECTOR_MC || f->vector >= EXCEPTIONS || !block_cache_holds(v, f->rip))
        return false;
    unsigned number = (unsigned)(offset / BLOCK_CODE);
    u64 out = block_faulted(&v->blocks.each[number].block, number, offset % BLOCK_CODE, &v->blocks.state);
    f->rip = out ? out : f->rip;
    return out;
}
