/* SPDX-License-Identifier: BSD-2-Clause */
#include "hosting/monitor/step/block_cache.h"
#include "hosting/monitor/guest/code.h"
#include "hosting/monitor/guest/copied.h"
#include "hosting/monitor/guest/guest_memory.h"
#include "hosting/monitor/guest/look.h"
#include "hosting/monitor/guest/patch.h"
#include "hosting/monitor/vcpu.h"
#include "hosting/monitor/vmrun.h"
#include "kernel/core/memory.h"
#include "kernel/register/instructions.h"
#include "kernel/text/text.h"
#include "reference/step/interpreter/interpret.h"

#define HOT 32   /* times that a block is met before it is translated */
#define STALE 64 /* times that another block is met in its place before it is evicted */
#define PAGES ((BLOCKS * BLOCK_CODE + BLOCK_STUB + PAGE_SIZE - 1) / PAGE_SIZE)

bool block_cache_init(struct vcpu *v)
{
    u8 stub[BLOCK_STUB], *at;
    v->blocks.code = code_alloc(PAGES);
    v->blocks.state.targets = v->blocks.targets;
    if (!v->blocks.code)
        return false;
    at = v->blocks.code + BLOCKS * BLOCK_CODE;
    unsigned size = block_stub(&v->blocks.state, stub, (u64)at);
    code_store(v, at, stub, size);
    return size;
}

u8 *block_cache_code(const struct vcpu *v, const struct translated *t)
{
    return v->blocks.code + BLOCK_CODE * (u64)(t - v->blocks.each);
}

bool block_cache_holds(const struct vcpu *v, u64 rip)
{
    return rip - (u64)v->blocks.code < BLOCKS * BLOCK_CODE;
}

u64 block_cache_original(const struct vcpu *v, u32 rip)
{
    u32 offset = rip - (u32)(u64)v->blocks.code;
    if (offset >= BLOCKS * BLOCK_CODE)
        return 0;
    const struct block *b = &v->blocks.each[offset / BLOCK_CODE].block;
    unsigned i = block_instruction_at(b, offset % BLOCK_CODE);
    return i < b->count ? b->top + b->starts[i] : 0;
}

/* ---- Pages that hold code which may change and is executed from blocks. */

void block_cache_forget_sites(struct vcpu *v)
{
    while (v->blocks.site_count) {
        v->blocks.sites[--v->blocks.site_count]->page = BLOCK_NO_PAGE;
        v->blocks.sites[v->blocks.site_count]->where = BLOCK_NOWHERE;
    }
}

static void forget_view(struct vcpu *v)
{
    block_cache_forget_sites(v);
    memset(v->blocks.code_pages, 0, sizeof(v->blocks.code_pages));
    v->blocks.code_page_count = 0;
}

void block_cache_view(struct vcpu *v)
{
    u64 view = v->in_stub ? 0 : guest_view_number(v);
    if (v->blocks.view != view)
        forget_view(v);
    v->blocks.view = view;
}

/* The slot of the page at this address, or the free slot that it would take. */
static u32 place_of_page(const struct vcpu *v, u64 where)
{
    u64 number = where / PAGE_SIZE + 1;
    u32 at = (u32)number % CODE_PAGES;
    while (v->blocks.code_pages[at] && v->blocks.code_pages[at] != number)
        at = (at + 1) % CODE_PAGES;
    return at;
}

bool block_cache_has_code(const struct vcpu *v, u64 where)
{
    return v->blocks.code_pages[place_of_page(v, where)];
}

/* False: there is no room. */
static bool note_page(struct vcpu *v, u64 where)
{
    u32 at = place_of_page(v, where);
    if (v->blocks.code_pages[at])
        return true;
    if (v->blocks.code_page_count == CODE_PAGES_MOST)
        return false;
    v->blocks.code_pages[at] = where / PAGE_SIZE + 1;
    v->blocks.code_page_count++;
    for (u32 i = 0; i < v->blocks.site_count; i++)
        if (v->blocks.sites[i]->where == (where & ~(PAGE_SIZE - 1))) {
            block_cache_forget_sites(v);
            break;
        }
    return true;
}

/* Notes the pages of a block of code that may change, before it is executed. */
static bool note_code(struct vcpu *v, const struct block *b)
{
    u64 first, last;
    block_cache_view(v);
    return guest_reach(&first, b->top, 1, false) && guest_reach(&last, b->behind - 1, 1, false) &&
           note_page(v, first) && note_page(v, last);
}

/* ---- Translations. */

static bool stays(const struct vcpu *v, u64 rip)
{
    return !is_foreign(v) && image_text(rip);
}

/* Decodes the instructions from f->rip on, up to one that ends a block or that the CPU has to execute. */
static void gather(struct vcpu *v, const struct frame *f, struct block_source *s)
{
    struct frame at = *f;
    bool ends = false;
    unsigned length = 0;
    s->top = f->rip;
    s->count = 0;
    s->branch = BRANCH_OTHER;
    s->viewed = !stays(v, f->rip);
    while (!ends && s->count < BLOCK_INSTRUCTIONS) {
        step_find(v, &at);
        const struct operation *o = &v->at->operation;
        if (!block_takes(o, (const u8 *)v->at->bytes, s->viewed, &ends) || length + o->length > BLOCK_BYTES)
            return;
        memcpy(s->bytes + length, v->at->bytes, o->length);
        s->access[s->count] = v->at->operand.access;
        s->body[s->count++] = *o;
        s->branch = v->at->instruction.branch;
        length += o->length;
        at.rip += o->length;
    }
}

static bool translate(struct vcpu *v, const struct frame *f, struct translated *t)
{
    struct block_source source;
    u8 code[BLOCK_CODE], *to = block_cache_code(v, t);
    gather(v, f, &source);
    unsigned size =
        block_translate(&t->block, (unsigned)(t - v->blocks.each), &source, code, (u64)to, &v->blocks.state);
    if (size)
        code_store(v, to, code, size);
    return size;
}

/* Outside the guest vector registers must be usable for it; inside, its own control registers see to that. */
static bool may_run(const struct vcpu *v, const struct frame *f, const struct block *b)
{
    if (v->in_stub)
        return !b->touches_memory || !(f->cs & 3);
    return (!b->touches_memory || b->viewed) && (!b->vector || copied_usable(v, b->vex));
}

/* Is the code still what was translated, and will it stay so while it is executed? */
static bool unchanged(struct vcpu *v, const struct block *b)
{
    return stays(v, b->top) || (guest_code_is(v, b->top, b->bytes, b->behind - b->top) && note_code(v, b));
}

static u8 kind_of(const struct vcpu *v, const struct frame *f)
{
    if (!v->in_stub)
        return v->code32 ? BLOCK_VIEWED_32 : BLOCK_VIEWED;
    if (stays(v, f->rip))
        return f->cs & 3 ? BLOCK_INSIDE_USER : BLOCK_INSIDE;
    return f->cs & 3 ? BLOCK_CHANGING_USER : BLOCK_CHANGING;
}

static struct translated *place_of(struct vcpu *v, u64 rip)
{
    return &v->blocks.each[(rip ^ rip >> 10) % BLOCKS];
}

static bool can_follow(struct vcpu *v, const struct frame *f, const struct translated *t)
{
    return t->kind == kind_of(v, f) && t->block.count && may_run(v, f, &t->block) && unchanged(v, &t->block);
}

struct translated *block_cache_known(struct vcpu *v, const struct frame *f)
{
    struct translated *t = place_of(v, f->rip);
    return t->top == f->rip && can_follow(v, f, t) ? t : NULL;
}

/* ---- Links. */

static void unlink_all(struct vcpu *v)
{
    for (struct translated *t = v->blocks.each; t < v->blocks.each + BLOCKS; t++)
        t->block.links[0] = t->block.links[1] = block_no_link(&v->blocks.state);
    block_forget_targets(&v->blocks.state);
    v->blocks.link_count = 0;
}

static const struct translated *linked_to(const struct vcpu *v, const u64 *link)
{
    return &v->blocks.each[(*link - (u64)v->blocks.code) / BLOCK_CODE];
}

/* Checks the links to code that may change. Targets that the last run did not execute are not worth a comparison. */
static void keep_links(struct vcpu *v, const struct frame *f)
{
    u32 kept = 0, last_goes = v->blocks.goes - v->blocks.goes_before;
    for (u32 i = 0; i < v->blocks.link_count; i++) {
        u64 *link = v->blocks.links[i];
        const struct translated *to = linked_to(v, link);
        if (v->blocks.goes - to->gone_through < last_goes && can_follow(v, f, to))
            v->blocks.links[kept++] = link;
        else
            *link = block_no_link(&v->blocks.state);
    }
    v->blocks.link_count = kept;
}

void block_cache_begin(struct vcpu *v, const struct frame *f)
{
    if (v->blocks.linked_for != v->whose)
        unlink_all(v);
    v->blocks.linked_for = v->whose;
    if (v->blocks.code_page_count > CODE_PAGES_MOST / 2 && v->in_stub)
        forget_view(v); /* a view lasts long there; linked code is noted again below */
    bool looks = v->blocks.link_count && v->running != RUN_VIEWED;
    u64 cr2 = looks ? read_cr2() : 0;
    keep_links(v, f);
    if (looks)
        write_cr2(cr2); /* code that links lead to may no longer be mapped */
    v->blocks.goes_before = v->blocks.goes;
}

static void note_link(struct vcpu *v, u64 *link)
{
    for (u32 i = 0; i < v->blocks.link_count; i++)
        if (v->blocks.links[i] == link)
            return;
    v->blocks.links[v->blocks.link_count++] = link;
}

struct translated *block_cache_follow(struct vcpu *v, const struct frame *f)
{
    const u16 *last = (const u16 *)v->blocks.state.note;
    struct translated *next = block_cache_known(v, f);
    bool lasts = next && stays(v, f->rip);
    if (!lasts && !is_foreign(v))
        return NULL; /* blocks of this image's text store without checking for code */
    if (!next || (!lasts && v->blocks.link_count == LINKS))
        return next;
    struct block *b = &v->blocks.each[*last / 2].block;
    u64 *link = block_connect(b, &v->blocks.state, *last & 1, f->rip, (u64)block_cache_code(v, next));
    if (link && !lasts)
        note_link(v, link);
    return next;
}

/* ---- Which blocks are worth a translation. */

/*
 * Counts that the guest came to the head of a block; after HOT times it is translated. On a collision the newcomer
 * evicts the old block once that has been missed STALE times, and all links are cut.
 */
static void meet(struct vcpu *v, const struct frame *f, struct translated *t)
{
    bool same = t->top == f->rip && t->kind == kind_of(v, f);
    if (!same && t->block.count && ++t->missed < STALE)
        return;
    if (!same || t->block.count) {
        if (t->block.count)
            unlink_all(v);
        *t = (struct translated){.top = f->rip, .kind = kind_of(v, f)};
    }
    if (++t->met == HOT)
        translate(v, f, t);
}

struct translated *block_cache_find(struct vcpu *v, const struct frame *f)
{
    if (v->how != STEP_IN_GUEST)
        return NULL;
    struct translated *t = block_cache_known(v, f);
    if (t)
        return t;
    t = place_of(v, f->rip);
    if (t->top == f->rip && t->kind == kind_of(v, f) && t->block.count && !may_run(v, f, &t->block))
        return NULL;
    meet(v, f, t);
    return t->top == f->rip && t->block.count ? block_cache_known(v, f) : NULL;
}

#define FAULTS_MOST 3     /* faults of a block in a row before it is dropped */
#define DROPPED_FOR 1000u /* times that a dropped block is met before it is translated again */

void block_cache_fault(struct vcpu *v, struct translated *t)
{
    if (++t->faults < FAULTS_MOST)
        return;
    t->block.count = 0;
    t->faults = 0;
    t->met = HOT - DROPPED_FOR;
    unlink_all(v);
}
