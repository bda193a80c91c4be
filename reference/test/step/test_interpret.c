/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The interpreter compared to this very CPU: every opcode that it accepts, with every ModRM form, prefix and random
 * register contents, is executed by both, and registers, flags and memory must be the same. The CPU executes it with
 * the trap flag, in a signal handler's context. 32-bit code is compared as well, in the compatibility mode that the
 * kernel has for it.
 */
#define _GNU_SOURCE
#include "reference/step/interpreter/interpret.h"
#include "reference/test/step/any_stack.h"
#include "reference/test/step/copy_rig.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#define AREA 4096u
#define CODE_AT 64
#define STATUS_FLAGS 0x8d5ul
#define ROUNDS 20000
#define CS_32 0x23 /* selector of Linux for 32-bit programs */
#define DS_32 0x2b /* selector of Linux for 32-bit programs; 64-bit ones have none */

/* One mapping: code, then the memory that instructions may touch. */
static u8 *code, *area;
static struct frame given, native;
static u8 area_given[AREA], area_native[AREA], vectors_native[VECTOR_STATE];
static volatile enum { IDLE, ENTERING, STEPPING, FAULTED } phase;
static bool legacy; /* 32-bit code */
static ucontext_t caller;
static u8 caller_vectors[VECTOR_STATE];

static const int places[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                               REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

static u64 *of_frame(struct frame *f, unsigned number)
{
    u64 *all[16] = {&f->rax, &f->rcx, &f->rdx, &f->rbx, &f->rsp, &f->rbp, &f->rsi, &f->rdi,
                    &f->r8,  &f->r9,  &f->r10, &f->r11, &f->r12, &f->r13, &f->r14, &f->r15};
    return all[number];
}

/* ---- Functions for the interpreter. */

static const u64 elsewhere;

static bool inside(u64 address, u64 size)
{
    return address - (u64)area <= AREA - size;
}

#include "reference/test/step/guest_area.h"
#include "tests/host/case.h"

u64 guest_rdtsc(void)
{
    return 0x1122334455667788;
}

u64 guest_task(void)
{
    return 0x40;
}

/* ---- The CPU's part. */

static u64 steps; /* traps until it is complete: one for each iteration of a repeated instruction */

static void on_signal(int number, siginfo_t *info, void *context)
{
    ucontext_t *c = context;
    (void)info;
    if (copy_fault(c))
        return;
    if (phase == ENTERING) {
        caller = *c;
        copy_vectors(caller_vectors, (const u8 *)c->uc_mcontext.fpregs);
        copy_vectors((u8 *)c->uc_mcontext.fpregs, vectors_given);
        for (unsigned i = 0; i < 16; i++)
            c->uc_mcontext.gregs[places[i]] = (greg_t)*of_frame(&given, i);
        c->uc_mcontext.gregs[REG_RIP] = (greg_t)given.rip;
        c->uc_mcontext.gregs[REG_EFL] = (greg_t)(given.rflags | 0x102);
        if (legacy)
            c->uc_mcontext.gregs[REG_CSGSFS] = (c->uc_mcontext.gregs[REG_CSGSFS] & ~0xffffll) | CS_32;
        phase = STEPPING;
        return;
    }
    if (phase != STEPPING)
        abort();
    if (number == SIGTRAP && --steps)
        return;
    for (unsigned i = 0; i < 16; i++)
        *of_frame(&native, i) = (u64)c->uc_mcontext.gregs[places[i]];
    native.rip = (u64)c->uc_mcontext.gregs[REG_RIP];
    native.rflags = (u64)c->uc_mcontext.gregs[REG_EFL];
    phase = number == SIGTRAP ? IDLE : FAULTED;
    copy_vectors(vectors_native, (const u8 *)c->uc_mcontext.fpregs);
    copy_vectors((u8 *)c->uc_mcontext.fpregs, caller_vectors);
    memcpy(c->uc_mcontext.gregs, caller.uc_mcontext.gregs, sizeof(gregset_t));
}

/* Returns false if the code faulted. */
static bool run_natively(u64 traps)
{
    steps = traps;
    phase = ENTERING;
    raise(SIGUSR1);
    return phase == IDLE;
}

static int prepare(void **state)
{
    (void)state;
    code = mmap(NULL, 2 * AREA, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    area = code + AREA;
    return code == MAP_FAILED ? -1 : 0;
}

/* cmocka has handlers of its own until a test begins. */
static void catch_signals(void)
{
    only_canonical_stacks(); /* which has handlers of its own */
    static u8 stack[65536];
    static const int numbers[] = {SIGUSR1, SIGTRAP, SIGSEGV, SIGBUS, SIGILL, SIGFPE};
    stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigaltstack(&alternate, NULL);
    for (unsigned i = 0; i < ARRAY_SIZE(numbers); i++)
        sigaction(numbers[i], &action, NULL);
}

/* ---- Random states: most registers point into the area, so that memory operands hit it. */

static u64 seed = 88172645463325252;

static u64 draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static u64 draw_value(void)
{
    static const u64 edges[] = {0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0x7fffffff, 0x80000000, 1ull << 63, ~0ull};
    u64 r = draw();
    return r % 4 == 0 ? edges[draw() % ARRAY_SIZE(edges)] : r % 4 == 1 ? draw() % 64 : draw();
}

static void draw_state(void)
{
    memset(&given, 0, sizeof(given));
    for (unsigned i = 0; i < 16; i++)
        *of_frame(&given, i) = draw() % 2 ? (u64)area + 1024 + draw() % 2048 : draw_value();
    if (draw() % 2)
        given.rsp = (u64)area + 1024 + 8 * (draw() % 256);
    if (only_canonical_stacks())
        given.rsp = (u64)((s64)(given.rsp << 16) >> 16);
    for (unsigned i = 0; i < 16 && legacy; i++)
        *of_frame(&given, i) = i < 8 ? (u32)*of_frame(&given, i) : 0;
    given.rflags = (draw() & STATUS_FLAGS) | 2;
    given.rip = (u64)code + CODE_AT;
}

/* Random bits in vector registers; in x87 the state after FNINIT with some values, and masked errors in both. */
static void draw_vectors(void)
{
    u32 mxcsr = 0x1f80 | (u32)(draw() & 0x6000);
    for (unsigned i = 0; i < VECTOR_STATE; i += 8) {
        u64 value = draw_value();
        memcpy(vectors_given + i, &value, 8);
    }
    u16 control = 0x37f, status = (u16)(draw() % 8 << 11), full = draw() % 2 ? 0xff : (u16)(draw() & 0xff);
    memset(vectors_given, 0, MXCSR_AT);
    memset(vectors_given + XSTATE_AT, 0, XSTATE_HEADER);
    vectors_given[XSTATE_AT] = XSTATE_ALL;
    memcpy(vectors_given, &control, 2);
    memcpy(vectors_given + 2, &status, 2);
    memcpy(vectors_given + 4, &full, 2);
    memcpy(vectors_given + MXCSR_AT, &mxcsr, 4);
    for (unsigned i = 0; i < 8; i++) {
        memset(vectors_given + 32 + 16 * i + 10, 0, 6);
        if (draw() % 2)
            vectors_given[32 + 16 * i + 7] |= 0x80; /* the integer bit of a normal number */
    }
}

static void draw_area(void)
{
    for (unsigned i = 0; i < AREA; i += 8) {
        u64 value = draw_value();
        memcpy(area_given + i, &value, 8);
    }
}

/* ---- The comparison. */

static unsigned compared, refused, copied, alone;
static bool no_witness; /* this machine's kernel cannot run the code: what is refused is still checked */

static void fail_with(const u8 *bytes, unsigned count, const char *what)
{
    char text[64] = "";
    for (unsigned i = 0; i < count; i++)
        snprintf(text + 3 * i, 4, "%02x ", bytes[i]);
    fail_msg("%s differs after %s", what, text);
}

/* The flags that the manual defines after it: after a wide product two; OF only for shifts by 1, CF for shifts within
 * the width. */
static u64 defined_flags(const struct operation *o)
{
    if (o->code == OP_MULTIPLY)
        return 0x801;
    if (o->code != OP_ARITHMETIC || o->function < DO_ROL || o->function > DO_SAR)
        return STATUS_FLAGS;
    u64 count = (o->from == OPERAND_REGISTER ? given.rcx : (u64)o->immediate) & (o->size == 8 ? 63 : 31);
    u64 flags = count == 1 || !count ? STATUS_FLAGS : STATUS_FLAGS & ~0x810ull;
    bool shift = o->function >= DO_SHL;
    flags &= shift && count ? ~0x10ull : ~0ull;
    return shift && count >= 8u * o->size ? flags & ~1ull : flags;
}

static bool differs(const struct frame *f, const struct operation *o)
{
    u64 flags = defined_flags(o);
    for (unsigned i = 0; i < (legacy ? 8 : 16); i++)
        if (*of_frame(&native, i) != *of_frame((struct frame *)f, i))
            return true;
    return f->rip != native.rip || ((f->rflags ^ native.rflags) & flags);
}

static bool same_everywhere(const u8 *bytes)
{
    return bytes[0] != 0x0f || (bytes[1] != 0x31 && bytes[1] != 0x00); /* RDTSC, STR */
}

/* All of it except x87's pointers. */
static bool vectors_differ(void)
{
    memset(vectors_found + X87_POINTERS_AT, 0, X87_POINTERS_END - X87_POINTERS_AT);
    memset(vectors_native + X87_POINTERS_AT, 0, X87_POINTERS_END - X87_POINTERS_AT);
    u8 found[VECTOR_STATE] = {0}, native_ones[VECTOR_STATE] = {0};
    copy_vectors(found, vectors_found);
    copy_vectors(native_ones, vectors_native);
    return memcmp(found, native_ones, VECTOR_STATE);
}

static void compare(const u8 *bytes, unsigned count)
{
    struct operation o = (legacy ? operation_decode_legacy : operation_or_copy_decode)(bytes, count);
    if (o.code == OP_NONE || o.code == OP_RDTSC || o.code == OP_STR || !same_everywhere(bytes))
        return;
    struct frame f = given;
    memcpy(code + CODE_AT, bytes, count);
    memcpy(area, area_given, AREA);
    bool done = interpret(&o, &f, 0);
    memcpy(area_native, area, AREA); /* the interpreter's, for now */
    if (!done) {
        refused++;
        if (memcmp(&f, &given, sizeof(f)) || memcmp(area, area_given, AREA))
            fail_with(bytes, count, "a refused instruction's state");
        return;
    }
    memcpy(area, area_given, AREA);
    if (no_witness || (only_canonical_stacks() && !is_canonical(f.rsp))) {
        alone++; /* the CPU could not come back from it */
        return;
    }
    u64 traps = o.code == OP_STRING && o.repeated && given.rcx ? given.rcx - f.rcx : 1;
    if (!run_natively(traps))
        fail_with(bytes, count, "the fault");
    compared++;
    if (differs(&f, &o))
        fail_with(bytes, o.length, "a register");
    if (memcmp(area, area_native, AREA))
        fail_with(bytes, o.length, "memory");
    if (o.code == OP_COPY && ++copied && vectors_differ())
        fail_with(bytes, o.length, "a vector register");
}

/* An opcode with everything that may follow it. */
static void compare_opcode(const u8 *prefix, unsigned prefixes, const u8 *opcode, unsigned opcodes)
{
    u8 bytes[24];
    draw_area();
    draw_vectors();
    for (unsigned modrm = 0; modrm < 256; modrm++) {
        draw_state();
        draw_vectors();
        for (unsigned i = 0; i < sizeof(bytes); i++)
            bytes[i] = (u8)(draw() % 3 ? 0 : draw());
        if (prefixes)
            memcpy(bytes, prefix, prefixes);
        memcpy(bytes + prefixes, opcode, opcodes);
        bytes[prefixes + opcodes] = (u8)modrm;
        if (draw() % 2)
            bytes[prefixes + opcodes + 1] = (u8)draw(); /* SIB or displacement */
        compare(bytes, 15);
    }
}

/* Copied instructions: prefixes that are part of the opcode, the three-byte maps, VEX with every register. */
static void compare_copies(void)
{
    static const u8 prefixes[][2] = {{0},          {0x66},       {0xf2},       {0xf3}, {0x4a},
                                     {0xf2, 0x4c}, {0xf3, 0x49}, {0x66, 0x45}, {0xf0}};
    static const unsigned counts[] = {0, 1, 1, 1, 1, 2, 2, 2, 1};
    catch_signals();
    compared = refused = copied = 0;
    for (unsigned p = 0; p < ARRAY_SIZE(prefixes); p++)
        for (unsigned opcode = 0; opcode < 256; opcode++) {
            u8 one[] = {(u8)opcode}, two[] = {0x0f, (u8)opcode};
            u8 three[] = {0x0f, 0x38, (u8)opcode}, other[] = {0x0f, 0x3a, (u8)opcode};
            compare_opcode(prefixes[p], counts[p], one, 1);
            compare_opcode(prefixes[p], counts[p], two, 2);
            compare_opcode(prefixes[p], counts[p], three, 3);
            compare_opcode(prefixes[p], counts[p], other, 3);
        }
}

static void compare_vex(void)
{
    for (unsigned n = 0; n < 4; n++)
        for (unsigned map = 1; map <= 3; map++)
            for (unsigned opcode = 0; opcode < 256; opcode++) {
                u8 vex[] = {0xc4, (u8)((draw() & 0xe0) | map), (u8)((draw() & 0xfc) | n), (u8)opcode};
                u8 short_vex[] = {0xc5, (u8)((draw() & 0xfc) | n), (u8)opcode};
                compare_opcode(NULL, 0, vex, sizeof(vex));
                if (map == 1)
                    compare_opcode(NULL, 0, short_vex, sizeof(short_vex));
            }
}

static void compare_opcodes(unsigned forms)
{
    static const u8 prefixes[][2] = {{0}, {0x66}, {0x4a}, {0x66, 0x45}};
    static const unsigned counts[] = {0, 1, 1, 2};
    catch_signals();
    compared = refused = copied = 0;
    for (unsigned p = 0; p < forms; p++)
        for (unsigned opcode = 0; opcode < 256; opcode++) {
            u8 one[] = {(u8)opcode}, two[] = {0x0f, (u8)opcode};
            compare_opcode(prefixes[p], counts[p], one, 1);
            compare_opcode(prefixes[p], counts[p], two, 2);
        }
}

CASE(test_every_opcode)
{
    legacy = false;
    compare_opcodes(4);
    assert_true(compared > 50000);
    assert_true(refused > 1000);
}

/* Not every kernel has it. */
static bool has_compatibility_mode(void)
{
    static const u8 nop = 0x90;
    catch_signals();
    draw_state();
    memcpy(code + CODE_AT, &nop, sizeof(nop));
    return run_natively(1);
}

CASE(test_copies)
{
    legacy = false;
    compare_copies();
    assert_true(copied > 50000);
    compare_vex();
}

CASE(test_every_opcode_of_32_bit_code)
{
    legacy = true;
    __asm__ volatile("mov %0, %%ds" : : "r"(DS_32));
    no_witness = getenv("NO_COMPATIBILITY_MODE") || !has_compatibility_mode();
    alone = 0;
    compare_opcodes(2);
    assert_true((no_witness ? alone : compared) > 20000);
    assert_true(refused > 1000);
    legacy = no_witness = false;
}

/* BT, BTS, BTR and BTC number bits of all memory before and behind their operand. */
CASE(test_bits_far_away)
{
    static const u8 opcodes[] = {0xa3, 0xab, 0xb3, 0xbb};
    static const u8 prefixes[][2] = {{0x40, 0x40}, {0x66, 0x40}, {0x48, 0}, {0xf0, 0x48}};
    catch_signals();
    compared = copied = 0;
    for (unsigned n = 0; n < ROUNDS; n++) {
        const u8 *prefix = prefixes[draw() % ARRAY_SIZE(prefixes)];
        unsigned reg = (unsigned)(draw() % 8), wide = !!prefix[1];
        u8 bytes[16] = {prefix[0], prefix[1]};
        u8 *at = bytes + 1 + wide;
        at[0] = 0x0f;
        at[1] = opcodes[draw() % ARRAY_SIZE(opcodes)];
        draw_state();
        *of_frame(&given, reg) = draw() % (8 * AREA) - 4 * AREA;
        at[2] = (u8)(reg << 3 | 3); /* [RBX] */
        given.rbx = reg == 3 ? given.rbx : (u64)area + AREA / 2;
        compare(bytes, 15);
    }
    assert_true(copied > ROUNDS / 4);
}

/* Random bytes, as a program might execute that runs wild. */
CASE(test_random_bytes)
{
    catch_signals();
    for (unsigned n = 0; n < ROUNDS; n++) {
        u8 bytes[16];
        u64 a = draw(), b = draw();
        memcpy(bytes, &a, 8);
        memcpy(bytes + 8, &b, 8);
        draw_state();
        compare(bytes, 15);
    }
}

CASE(test_cut_instructions)
{
    static const u8 bytes[] = {0x48, 0x81, 0x84, 0x24, 0, 0, 0, 0, 1, 2, 3, 4}; /* add qword [rsp + 0], imm32 */
    for (unsigned count = 0; count < sizeof(bytes); count++)
        assert_int_equal(operation_or_copy_decode(bytes, count).code, OP_NONE);
    struct operation o = operation_or_copy_decode(bytes, sizeof(bytes));
    assert_int_equal(o.code, OP_ARITHMETIC);
    assert_int_equal(o.length, sizeof(bytes));
}

/* Stores that touch the watched page are refused, and so are loads. */
CASE(test_watched_page)
{
    static const u8 store[] = {0x48, 0x89, 0x08}, load[] = {0x48, 0x8b, 0x08}; /* mov [rax], rcx; mov rcx, [rax] */
    struct operation s = operation_or_copy_decode(store, 3), l = operation_or_copy_decode(load, 3);
    for (int offset = -8; offset <= 0; offset++) {
        struct frame f = {.rax = (u64)area + 1024};
        u64 watched = (u64)area + 1024 - (u64)(s64)offset;
        bool touches = offset > -8;
        assert_int_equal(interpret(&s, &f, watched), !touches);
        f = (struct frame){.rax = (u64)area + 1024};
        assert_int_equal(interpret(&l, &f, watched), !touches);
    }
    struct frame f = {.rax = (u64)area + 100};
    assert_false(interpret(&s, &f, (u64)area + 100 - 4095));
    assert_true(interpret(&s, &f, (u64)area + 100 - 4096));
}

CASE(test_rdtsc_and_str)
{
    static const u8 rdtsc[] = {0x0f, 0x31}, str[] = {0x0f, 0x00, 0xc8};
    struct operation r = operation_or_copy_decode(rdtsc, 2), s = operation_or_copy_decode(str, 3);
    struct frame f = {.rax = ~0ull, .rdx = ~0ull};
    assert_true(interpret(&r, &f, 0));
    assert_int_equal(f.rax, 0x55667788);
    assert_int_equal(f.rdx, 0x11223344);
    assert_true(interpret(&s, &f, 0));
    assert_int_equal(f.rax, 0x40);
    assert_int_equal(f.rip, 5);
}

int main(void)
{
    return run_cases_in((struct around_cases){.before = prepare});
}
