/*
 * Loops executed from their translation beside the same instructions interpreted one by one. One mapping holds the loop
 * as the guest has it, its translation, what passes between, and memory that it may touch between two guards.
 */
#pragma once

#define _GNU_SOURCE
#include "pmu/reference/monitor/interpreter/interpret.h"
#include "pmu/reference/monitor/interpreter/loop.h"
#include "tests/host/model/model_rig.h"
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <ucontext.h>

#define PAGE 4096u
#define AREA (4 * PAGE)
#define GUARD (16 * PAGE)
#define GUEST_AT 128 /* of the loop itself, in the first page */
#define STATUS_FLAGS 0x8d5ul

static u8 *base, *translation, *area;
static u8 area_stepped[AREA]; /* what stepping left there */
static struct loop_state *state;
static struct loop loop;
static struct operation body[LOOP_INSTRUCTIONS];
static unsigned count;
static bool near_miss; /* the last access of the interpreter was at most within a guard */
static unsigned faults;

/* ---- What the interpreter asks for. */

static bool inside(u64 address, u64 size)
{
    u64 from = address - (u64)area;
    near_miss = from + GUARD < AREA + 2 * GUARD - 8;
    return from < AREA && from + size <= AREA;
}

#include "tests/host/monitor/copy_rig.h"
#include "tests/host/monitor/guest_area.h"

u64 guest_rdtsc(void)
{
    return 0;
}

u64 guest_task(void)
{
    return 0;
}

/* ---- Faults of the translation, as the monitor treats them. */

static void on_fault(int number, siginfo_t *info, void *context)
{
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    u64 offset = (u64)registers[REG_RIP] - (u64)translation;
    unsigned instruction;
    (void)number;
    (void)info;
    if (offset >= LOOP_CODE || !loop_faulted(&loop, offset, &instruction))
        abort();
    faults++;
    state->stop = instruction;
    registers[REG_RIP] = (greg_t)translation;
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

static inline int prepare(void **unused)
{
    (void)unused;
    base = mmap(NULL, 3 * PAGE + AREA + 2 * GUARD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (base == MAP_FAILED)
        return -1;
    translation = base + PAGE;
    state = (struct loop_state *)(base + 2 * PAGE);
    area = base + 3 * PAGE + GUARD;
    if (mprotect(base, 3 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC) || mprotect(area, AREA, PROT_READ | PROT_WRITE))
        return -1;
    state->leave = (u64)loop_leave;
    return 0;
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

/* ---- The comparison. */

struct outcome {
    u32 instructions, branches, taken, conditional;
    u64 last;
    bool faulted; /* at the instruction that comes next */
};

/* Interprets up to `most` instructions of the loop. */
static inline struct outcome step(struct frame *f, u32 most)
{
    struct outcome o = {.last = 0};
    while (o.instructions < most) {
        unsigned i = 0;
        while (i < count && loop.top + loop.starts[i] != f->rip)
            i++;
        if (i == count)
            return o; /* it was left */
        u64 rip = f->rip;
        if (!interpret(&body[i], f, 0)) {
            o.faulted = true;
            return o;
        }
        o.last = rip;
        o.instructions++;
        bool branch = body[i].code >= OP_JUMP && body[i].code != OP_FENCE;
        o.branches += branch;
        o.taken += branch && f->rip != rip + body[i].length;
        o.conditional += branch && body[i].code != OP_JUMP;
    }
    return o;
}

/* Executes `turns` of the translation. */
static inline struct loop_result execute(struct frame *f, u64 turns)
{
    for (unsigned i = 0; i < 16; i++)
        state->registers[i] = *frame_register(f, i);
    state->rflags = f->rflags;
    state->left = turns;
    state->code = (u64)translation + LOOP_ENTRY;
    loop_run(&loop, state);
    for (unsigned i = 0; i < 16; i++)
        *frame_register(f, i) = state->registers[i];
    f->rflags = (f->rflags & ~STATUS_FLAGS) | (state->rflags & STATUS_FLAGS);
    struct loop_result result = loop_result(&loop, state, turns);
    f->rip = result.rip;
    return result;
}

/* The first difference, or NULL. */
static inline const char *difference(const struct frame *f, const struct loop_result *r, const struct frame *stepped,
                                     const struct outcome *o)
{
    struct frame a = *f, b = *stepped;
    for (unsigned i = 0; i < 16; i++)
        if (*frame_register(&a, i) != *frame_register(&b, i))
            return "a register";
    if ((f->rflags ^ stepped->rflags) & STATUS_FLAGS)
        return "a flag";
    if (f->rip != stepped->rip)
        return "RIP";
    if (memcmp(area, area_stepped, AREA))
        return "memory";
    if (r->instructions != o->instructions || r->branches != o->branches || r->taken != o->taken ||
        r->conditional != o->conditional)
        return "a count";
    return r->instructions && r->last != o->last ? "the last instruction" : NULL;
}

static inline bool translate(void)
{
    u8 code[LOOP_CODE], *guest = base + GUEST_AT;
    unsigned size = loop_translate(&loop, body, count, (u64)guest, guest, code, (u64)translation, state);
    memcpy(translation, code, size);
    return size;
}
