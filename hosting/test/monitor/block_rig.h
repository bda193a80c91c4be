/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Blocks executed from their translations, compared to the same instructions interpreted one by one. One mapping has
 * the guest's code, the translations, the exchanged state, and memory between two guards that programs may access.
 */
#pragma once

#define _GNU_SOURCE
#include "hosting/monitor/translator/block.h"
#include "reference/step/interpreter/interpret.h"
#include "reference/test/model/model_rig.h"
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>

#define PAGE 4096u
#define AREA (4 * PAGE)
#define GUARD (16 * PAGE)
#define GUEST_AT 128  /* of the code, in the first page */
#define TRANSLATED 24 /* translated at a time */
#define NOTES_AT 0x10000u
#define STATUS_FLAGS 0xcd5ul /* and DF */

static u8 *base, *translations, *area;
static u8 area_stepped[AREA]; /* memory after stepping */
/* What translations reach must be near them. */
static struct near {
    struct block_state state;
    struct block blocks[TRANSLATED];
    struct block_target targets[BLOCK_TARGETS];
} * near;
static unsigned known; /* number of them */
static u16 *notes;
static bool legacy; /* 32-bit code */
/* Memory is seen from outside, and the guest has it at higher addresses. */
static bool viewed;
static u64 elsewhere;
static bool near_miss; /* the last access of the interpreter was at least partly in a guard */
static unsigned faults, misses;

/* ---- Functions for the interpreter. */

static bool inside(u64 address, u64 size)
{
    u64 from = address - elsewhere - (u64)area;
    near_miss = from + GUARD < AREA + 2 * GUARD - 8;
    return from < AREA && from + size <= AREA;
}

#include "reference/test/step/copy_rig.h"
#include "reference/test/step/guest_area.h"

u64 guest_rdtsc(void)
{
    return 0;
}

u64 guest_task(void)
{
    return 0;
}

/* ---- Faults of the translation, as the monitor treats them. */

static void on_fault(int signal_number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    u64 offset = (u64)registers[REG_RIP] - (u64)translations, number = offset / BLOCK_CODE;
    (void)signal_number;
    (void)info;
    u64 out =
        number < known ? block_faulted(&near->blocks[number], (unsigned)number, offset % BLOCK_CODE, &near->state) : 0;
    if (!out)
        abort();
    faults++;
    registers[REG_RIP] = (greg_t)out;
}

/* cmocka has handlers of its own until a test begins. */
static inline void catch_faults(void)
{
    static u8 stack[65536];
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    assert_false(sigaltstack(&alternate, NULL) || sigaction(SIGSEGV, &action, NULL) ||
                 sigaction(SIGBUS, &action, NULL));
}

/* A page of code, translations, their surroundings, notes, and the area between its guards. */
static inline int prepare(void **unused)
{
    u64 size = 2 * NOTES_AT + AREA + 2 * GUARD;
    (void)unused;
    base = mmap(NULL, NOTES_AT + size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (base == MAP_FAILED)
        return -1;
    base = (u8 *)(((u64)base + NOTES_AT - 1) & ~(u64)(NOTES_AT - 1));
    translations = base + PAGE;
    near = (struct near *)(translations + TRANSLATED * BLOCK_CODE + PAGE);
    notes = (u16 *)(base + NOTES_AT);
    area = base + 2 * NOTES_AT + GUARD;
    if ((u64)(near + 1) > (u64)notes || mprotect(base, 2 * NOTES_AT, PROT_READ | PROT_WRITE | PROT_EXEC) ||
        mprotect(area, AREA, PROT_READ | PROT_WRITE))
        return -1;
    near->state.targets = near->targets;
    return !block_stub(&near->state, translations + TRANSLATED * BLOCK_CODE,
                       (u64)translations + TRANSLATED * BLOCK_CODE);
}

/* ---- Numbers that look random. */

static u64 seed = 88172645463325252;

static inline u64 draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* ---- Both ways to execute it. */

struct outcome {
    struct model_run counts;
    bool faulted; /* at the next instruction */
};

static inline struct operation take_apart(u64 rip)
{
    return (legacy ? operation_decode_legacy : operation_or_copy_decode)((const u8 *)rip, INSTRUCTION_BYTES);
}

static inline struct instruction kind_of(u64 rip)
{
    const u8 *code = (const u8 *)rip;
    return legacy ? decode_legacy(code, INSTRUCTION_BYTES, CODE_32) : decode(code, INSTRUCTION_BYTES);
}

static inline bool is_code(u64 rip)
{
    return rip - (u64)base < PAGE - 64;
}

/* Interprets up to `most` instructions. */
static inline struct outcome step(struct frame *f, u32 most)
{
    struct outcome o = {.faulted = false};
    while (o.counts.instructions < most && is_code(f->rip)) {
        u64 rip = f->rip;
        struct operation operation = take_apart(rip);
        struct instruction instruction = kind_of(rip);
        u8 access = legacy ? ACCESS_NONE : operand_decode((const u8 *)rip, INSTRUCTION_BYTES).access;
        if (!operation.code || !interpret(&operation, f, 0)) {
            o.faulted = true;
            return o;
        }
        o.counts.instructions++;
        o.counts.loads += !!(access & ACCESS_LOAD);
        o.counts.stores += !!(access & ACCESS_STORE);
        if (instruction.kind == KIND_BRANCH)
            model_run_branch(&o.counts, (u8)instruction.branch,
                             !instruction.length || f->rip - rip != instruction.length);
    }
    return o;
}

static inline bool translate(u64 rip)
{
    struct block_source s = {.top = rip, .viewed = viewed};
    u8 code[BLOCK_CODE], *to = translations + known * BLOCK_CODE;
    unsigned length = 0;
    for (bool ends = false; !ends && s.count < BLOCK_INSTRUCTIONS && is_code(rip + length); s.count++) {
        struct operation *o = &s.body[s.count];
        *o = take_apart(rip + length);
        if (!block_takes(o, (const u8 *)rip + length, viewed, &ends) || length + o->length > BLOCK_BYTES)
            break;
        memcpy(s.bytes + length, (const u8 *)rip + length, o->length);
        s.access[s.count] = legacy ? ACCESS_NONE : operand_decode((const u8 *)rip + length, INSTRUCTION_BYTES).access;
        s.branch = (u8)kind_of(rip + length).branch;
        length += o->length;
    }
    unsigned size = block_translate(&near->blocks[known], known, &s, code, (u64)to, &near->state);
    memcpy(to, code, size);
    if (!size || (legacy && near->blocks[known].touches_memory))
        return false;
    known++;
    return true;
}

/* The block there; NULL: none. */
static inline struct block *block_at(u64 rip)
{
    for (unsigned n = 0; n < known; n++)
        if (near->blocks[n].top == rip)
            return &near->blocks[n];
    return is_code(rip) && known < TRANSLATED && translate(rip) ? &near->blocks[known - 1] : NULL;
}

static inline u64 code_of(const struct block *b)
{
    return (u64)translations + (u64)(b - near->blocks) * BLOCK_CODE;
}

/* Callbacks for the ways that were taken, and for the first instructions of a block that was left in the middle. */
static void (*told_through)(const u16 *first, const u16 *end);
static void (*told_part)(unsigned number, unsigned instructions);

/* Evaluates the notes down to `end`; the last way goes to `from` and `taken`. */
static inline void tally(struct model_run *sum, const u16 *first, const u16 *end, const struct block **from,
                         bool *taken)
{
    if (told_through)
        told_through(first, end);
    for (const u16 *note = first; note-- > end;) {
        *from = &near->blocks[*note / 2];
        *taken = *note & 1;
        block_count(sum, *from, 1, *taken);
    }
}

/* A part of a block, up to an instruction that faults. */
static inline void stop_at(struct outcome *o, struct frame *f, const struct block *b, unsigned instruction)
{
    if (told_part)
        told_part((unsigned)(b - near->blocks), instruction);
    block_count_part(&o->counts, b, instruction);
    block_give_back(b, instruction, &near->state);
    f->rip = b->top + b->starts[instruction];
    o->faulted = true;
}

/* Has the site learn the missed page, as the monitor does. */
static inline bool goes_on(void)
{
    struct block_state *s = &near->state;
    u64 missed = s->missed - 1, where;
    if (!s->missed)
        return false;
    struct block *b = &near->blocks[missed / BLOCK_SITES];
    struct block_site *site = &b->sites[missed % BLOCK_SITES];
    s->missed = 0;
    misses++;
    if (s->address % PAGE + site->size > PAGE || !guest_reach(&where, s->address, site->size, site->stores)) {
        s->faulted = (u32)(1 + missed / BLOCK_SITES);
        s->faulted_at = site->instruction;
        faults++;
        return false;
    }
    site->page = s->address & ~(u64)(PAGE - 1);
    site->where = where & ~(u64)(PAGE - 1);
    s->code = code_of(b) + b->places[site->instruction];
    return true;
}

/* Executes up to `most` blocks from f->rip on, linking them as it goes. */
static inline struct outcome execute(struct frame *f, u32 most)
{
    struct outcome o = {.faulted = false};
    struct block_state *s = &near->state;
    struct block *next = block_at(f->rip);
    for (unsigned i = 0; i < 16; i++)
        s->registers[i] = *frame_register(f, i);
    s->rflags = f->rflags;
    while (next && most) {
        const struct block *from = NULL;
        bool taken = false;
        u32 now = most < BLOCK_NOTES ? most : BLOCK_NOTES;
        s->note = (u64)(notes + now);
        s->code = code_of(next);
        s->faulted = 0;
        do
            block_enter(s);
        while (goes_on());
        const u16 *end = (const u16 *)s->note, *first = notes + now;
        most -= (u32)(first - end);
        const struct block *last = end < first ? &near->blocks[*end / 2] : NULL;
        if (last && !s->faulted && !block_branches(last, s, *end & 1)) {
            tally(&o.counts, first, end + 1, &from, &taken);
            stop_at(&o, f, last, last->count - 1u);
            faults++;
            break;
        }
        tally(&o.counts, first, end, &from, &taken);
        f->rip = from ? block_next(from, s, taken) : f->rip;
        if (s->faulted) {
            stop_at(&o, f, &near->blocks[s->faulted - 1], s->faulted_at);
            break;
        }
        next = block_at(f->rip);
        if (next)
            block_connect(&near->blocks[from - near->blocks], s, taken, next->top, code_of(next));
    }
    for (unsigned i = 0; i < 16; i++)
        *frame_register(f, i) = s->registers[i];
    f->rflags = (f->rflags & ~STATUS_FLAGS) | (s->rflags & STATUS_FLAGS);
    return o;
}

/* The first difference, or NULL. */
static inline const char *difference(const struct frame *f, const struct outcome *a, const struct frame *stepped,
                                     const struct outcome *b)
{
    struct frame x = *f, y = *stepped;
    for (unsigned i = 0; i < 16; i++)
        if (*frame_register(&x, i) != *frame_register(&y, i))
            return "a register";
    if ((f->rflags ^ stepped->rflags) & STATUS_FLAGS)
        return "a flag";
    if (f->rip != stepped->rip)
        return "RIP";
    if (memcmp(area, area_stepped, AREA))
        return "memory";
    return memcmp(&a->counts, &b->counts, sizeof(a->counts)) ? "a count" : NULL;
}
