/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small kernel that counts user programs' instructions: SSE, x87, MMX, atomic and rarer integer instructions. Each
 * block first runs uncounted, on the CPU itself, and then counted, from the same registers and memory: both must leave
 * the same state and fault alike, and the count must be the assembler's. It prints one line for each check, at last
 * PASS or FAIL; then it leaves QEMU through isa-debug-exit.
 *
 * Words of its command line: `narrow` takes all memory above 64 MiB out of its page tables, so that the monitor is not
 * mapped; `speed` runs each kind of code long enough to be timed, uncounted and counted.
 */
#include "hosting/test/foreign/machine.h"

#define EVENT_CYCLES 0x3c
#define EVENT_BRANCH_MISSES 0xc5
#define PERIOD 100000u /* of samples */
#define PLAIN_TIMES 10 /* uncounted code is faster, at least by this factor */
#define MXCSR_ALL_MASKED 0x1f80u
#define X87_ALL_MASKED 0x37fu
#define EDGE 0x3000000u
#define STATUS_FLAGS 0x8d5u
#define X87_POINTERS_AT 6 /* x87's instruction pointer */
#define X87_POINTERS_END 24
#define SETS 40
#define EDGE_STEPS 24
#define CHANGES 20u /* few enough that the code is not translated */
#define TURNS 1000u

struct mixed_state {
    uint64_t registers[13], rflags, unused[2];
    uint8_t vectors[512];
    uint8_t memory[256];
} __attribute__((aligned(64)));

extern const uint32_t mixed_count;
extern volatile uintptr_t fault_next;
void mixed_all(struct mixed_state *state);

static volatile unsigned faults;
static volatile unsigned long fault_vector;
static volatile uintptr_t fault_at, fault_address;

/* ---- Counting. */

static uint64_t event = EVENT_INSTRUCTIONS;
static volatile unsigned samples;

static void start(void)
{
    write_msr(MSR_PMC(0), 0);
    write_msr(MSR_PERFEVTSEL(0), event | EVTSEL_OS | EVTSEL_USR | EVTSEL_EN);
    write_msr(MSR_PERF_GLOBAL_CTRL, 1);
}

static uint64_t stop(void)
{
    write_msr(MSR_PERF_GLOBAL_CTRL, 0);
    return read_msr(MSR_PMC(0));
}

static __attribute__((noinline)) uint64_t count_of(void (*code)(struct mixed_state *state), struct mixed_state *state)
{
    start();
    code(state);
    return stop();
}

static void nothing(struct mixed_state *state)
{
    (void)state;
}

/* The counter's next overflow is a period away. */
static void start_period(void)
{
    write_msr(MSR_PMC(0), (uint32_t)-PERIOD);
    apic_write(APIC_LVT_PC, VECTOR_PMI);
    write_msr(MSR_PERF_GLOBAL_CTRL, 1);
}

/* A sample, as a driver takes one. */
static void take_sample(void)
{
    stop();
    samples++;
    write_msr(MSR_PERF_GLOBAL_STATUS_RESET, read_msr(MSR_PERF_GLOBAL_STATUS));
    apic_write(APIC_EOI, 0);
    start_period();
}

void kernel_interrupt(unsigned long vector, uintptr_t *at)
{
    if (vector == VECTOR_PMI) {
        take_sample();
        return;
    }
    faults++;
    fault_vector = vector;
    fault_at = *at;
    __asm__ volatile("mov %%cr2, %0" : "=r"(fault_address));
    __asm__ volatile("clts");
    *at = fault_next;
}

/* ---- The mixed block. */

static uint64_t seed = 88172645463325252;

static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static void put(uint8_t *to, uint32_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

static void draw_state(struct mixed_state *s)
{
    uint64_t *words = (uint64_t *)s;
    for (unsigned i = 0; i < sizeof(*s) / 8; i++)
        words[i] = draw() % 3 ? draw() : draw() % 64;
    s->rflags = (draw() & STATUS_FLAGS) | 2;
    for (unsigned i = 0; i < 32; i++)
        s->vectors[i] = 0;
    put(s->vectors, X87_ALL_MASKED, 2);
    put(s->vectors + 24, MXCSR_ALL_MASKED, 4);
    s->memory[128 + 112] |= 11; /* a divisor that does not fault for any RAX here */
}

static bool same(const struct mixed_state *a, const struct mixed_state *b)
{
    const uint8_t *x = (const uint8_t *)a, *y = (const uint8_t *)b;
    unsigned pointers = offsetof(struct mixed_state, vectors) + X87_POINTERS_AT;
    for (unsigned i = 0; i < sizeof(*a); i++)
        if (x[i] != y[i] && i - pointers >= X87_POINTERS_END - X87_POINTERS_AT)
            return false;
    return true;
}

static void check_mixed(void)
{
    static struct mixed_state given, native, counted;
    unsigned differ = 0, wrong = 0;
    uint64_t none = count_of(nothing, &given);
    for (unsigned i = 0; i < SETS; i++) {
        draw_state(&given);
        native = given;
        mixed_all(&native);
        counted = given;
        uint64_t n = count_of(mixed_all, &counted) - none + 1; /* both have their RET */
        wrong += n != mixed_count;
        differ += !same(&native, &counted);
    }
    check("mixed code: instructions", mixed_count, mixed_count);
    check("  counted otherwise", wrong, 0);
    check("  state left otherwise", differ, 0);
    check("  faults", faults, 0);
}

/* ---- x87's pointers: the same counted and not, if the machine has them at all. */

extern const uint8_t x87_first[], x87_second[];
void x87_pointers(uint8_t *environment, const float *operand);

static void check_x87_pointers(const char *what, unsigned times)
{
    static const float operand = 2;
    static uint8_t native[192], counted[192];
    unsigned wrong = 0;
    x87_pointers(native, &operand);
    start();
    for (unsigned i = 0; i < times; i++)
        x87_pointers(counted, &operand);
    stop();
    for (unsigned i = 0; i < sizeof(native); i++)
        wrong += native[i] != counted[i];
    const uint32_t *word = (const uint32_t *)(const void *)counted;
    check(what, wrong, 0);
    check("  FIP", word[3], (uintptr_t)x87_first);
    check("  operand", word[5], (uintptr_t)&operand);
    check("  FIP that FNSAVE stores", word[8 + 3], (uintptr_t)x87_first);
    check("  FIP without an operand", word[40 + 3], (uintptr_t)x87_second);
    check("  operand of the one before", word[40 + 5], (uintptr_t)&operand);
}

/* ---- Faults. */

static uint64_t read_cr0(void)
{
    uint64_t value;
    __asm__ volatile("mov %%cr0, %0" : "=r"(value));
    return value;
}

static uint64_t read_cr4(void)
{
    uint64_t value;
    __asm__ volatile("mov %%cr4, %0" : "=r"(value));
    return value;
}

static void write_cr0(uint64_t value)
{
    __asm__ volatile("mov %0, %%cr0" : : "r"(value) : "memory");
}

static void write_cr4(uint64_t value)
{
    __asm__ volatile("mov %0, %%cr4" : : "r"(value) : "memory");
}

typedef void fault_code(void *memory, void *edge);
fault_code fault_load, fault_store, fault_across, fault_alignment, fault_sse, fault_x87, fault_mmx, fault_divide,
    fault_wait, fault_integer_divide, fault_atomic;

enum {
    DE = 0,
    UD = 6,
    NM = 7,
    GP = 13,
    PF = 14,
    MF = 16,
    NONE = 255,
    ANY = 254 /* as without counting: not every machine raises it */
};

static const struct fault {
    const char *name;
    fault_code *code;
    uint64_t cr0, cr4; /* bit set; then cleared: */
    uint64_t cr4_off;
    uint32_t mxcsr;
    uint16_t x87;
    uint16_t vector;
} fault_rows[] = {
    {"#PF of an SSE load", fault_load, 0, 0, 0, 0, 0, PF},
    {"#PF of an SSE store", fault_store, 0, 0, 0, 0, 0, PF},
    {"#PF across a page's end", fault_across, 0, 0, 0, 0, 0, PF},
    {"#PF of an atomic instruction", fault_atomic, 0, 0, 0, 0, 0, PF},
    {"#GP of an unaligned MOVAPS", fault_alignment, 0, 0, 0, 0, 0, GP},
    {"none of SSE", fault_sse, 0, 0, 0, 0, 0, NONE},
    {"#NM of SSE by CR0.TS", fault_sse, CR0_TS, 0, 0, 0, 0, NM},
    {"#NM of x87 by CR0.TS", fault_x87, CR0_TS, 0, 0, 0, 0, NM},
    {"#NM of FWAIT by CR0.TS", fault_wait, CR0_TS, 0, 0, 0, 0, NM},
    {"#NM of x87 by CR0.EM", fault_x87, CR0_EM, 0, 0, 0, 0, NM},
    {"#UD of SSE by CR0.EM", fault_sse, CR0_EM, 0, 0, 0, 0, UD},
    {"#UD of MMX by CR0.EM", fault_mmx, CR0_EM, 0, 0, 0, 0, UD},
    {"#UD of SSE without CR4.OSFXSR", fault_sse, 0, 0, CR4_OSFXSR, 0, 0, UD},
    {"#XM of a division by zero", fault_divide, 0, 0, 0, 0x200, 0, ANY},
    {"#UD of it without CR4.OSXMMEXCPT", fault_divide, 0, 0, CR4_OSXMMEXCPT, 0x200, 0, ANY},
    {"#MF of FWAIT", fault_wait, 0, 0, 0, 0, 1, MF},
    {"#MF of MMX", fault_mmx, 0, 0, 0, 0, 1, ANY},
    {"#DE", fault_integer_divide, 0, 0, 0, 0, 0, DE},
};

/* Leaves 1.0 in XMM0 and 0 in XMM1; in x87 an unmasked division by zero that is not yet reported. */
static void prepare(const struct fault *row)
{
    static const float one[4] = {1, 1, 1, 1};
    static const uint16_t unmasked = X87_ALL_MASKED & ~4;
    uint32_t mxcsr = MXCSR_ALL_MASKED & ~row->mxcsr;
    __asm__ volatile("fninit\n\tldmxcsr %0\n\tmovups %1, %%xmm0\n\txorps %%xmm1, %%xmm1" : : "m"(mxcsr), "m"(one));
    if (row->x87)
        __asm__ volatile("fldcw %0\n\tfld1\n\tfldz\n\tfdivrp" : : "m"(unmasked));
}

static void provoke(const struct fault *row, void *memory)
{
    faults = 0;
    fault_vector = NONE;
    row->code(memory, (void *)(uintptr_t)EDGE);
}

static void check_fault(const struct fault *row)
{
    static uint8_t memory[256] __attribute__((aligned(64)));
    uint64_t cr0 = read_cr0(), cr4 = read_cr4();
    uintptr_t at[2], address[2];
    unsigned long vector[2];
    for (unsigned counted = 0; counted < 2; counted++) {
        prepare(row);
        write_cr4(cr4 & ~row->cr4_off);
        write_cr0(cr0 | row->cr0);
        fault_at = 0;
        if (counted)
            start();
        provoke(row, memory);
        if (counted)
            stop();
        at[counted] = fault_at;
        vector[counted] = fault_vector;
        address[counted] = vector[counted] == PF ? fault_address : 0;
        write_cr0(cr0);
        write_cr4(cr4);
        __asm__ volatile("fninit");
    }
    check(row->name, vector[1], row->vector == ANY ? vector[0] : row->vector);
    if (vector[0] != vector[1] || at[0] != at[1] || address[0] != address[1])
        check("  as without counting: at", at[1], at[0]);
}

/* Accesses at each distance from the end of the last mapped page. */
static void check_edge(void)
{
    static uint8_t want[16], got[16];
    uint8_t *page = (uint8_t *)(uintptr_t)(EDGE - 64);
    unsigned wrong = 0;
    for (unsigned i = 0; i < 64; i++)
        page[i] = (uint8_t)draw();
    for (unsigned i = 16; i < 16 + EDGE_STEPS; i++) {
        __asm__ volatile("movups (%1), %%xmm0\n\tmovups %%xmm0, %0" : "=m"(want) : "r"(page + 64 - i));
        start();
        __asm__ volatile("movups (%1), %%xmm0\n\tmovups %%xmm0, %0" : "=m"(got) : "r"(page + 64 - i));
        stop();
        for (unsigned j = 0; j < sizeof(got); j++)
            wrong += got[j] != want[j];
    }
    check("loads up to a page's end", wrong, 0);
}

/* ---- Code that changes while it is counted, and is met often enough in between to be translated. */

extern uint8_t changing_code[];
uint32_t call_changing(uint32_t turns, uint32_t changes);

static __attribute__((noinline)) uint64_t count_changing(uint32_t turns, uint32_t changes, uint32_t *sum)
{
    start();
    *sum = call_changing(turns, changes);
    return stop();
}

static void write_code(void)
{
    static const uint8_t add_nothing[] = {0x8d, 0x40, 0, 0xc3}; /* lea eax, [rax + 0]; ret */
    for (unsigned i = 0; i < sizeof(add_nothing); i++)
        changing_code[i] = add_nothing[i];
}

static void check_changes(void)
{
    uint32_t sum;
    write_code();
    uint64_t least = count_changing(1, 1, &sum), n = count_changing(TURNS, CHANGES, &sum);
    check("code that changes: what it does", sum, TURNS * CHANGES * (CHANGES + 1) / 2);
    check("  instructions", n - least,
          5 * (TURNS * CHANGES - 1) + 5 * (CHANGES - 1)); /* a turn retires 5, a change as well */
}

/* ---- Speed. */

typedef void speed_code(unsigned long turns, void *memory);
speed_code speed_integer, speed_memory, speed_calls, speed_sse, speed_x87, speed_bits, speed_strings, speed_self;

#define TURNS_A_CHANGE 1000 /* 5 instructions each, and 5 for the change */

static void speed_changes(unsigned long changes, void *memory)
{
    (void)memory;
    write_code();
    call_changing(TURNS_A_CHANGE, (uint32_t)changes);
}

/* Reads a register of branch records, as its records are read. A turn retires 4 instructions. */
static void speed_records(unsigned long turns, void *memory)
{
    (void)memory;
    __asm__ volatile("1:\tmov %1, %%ecx\n\trdmsr\n\tdec %0\n\tjnz 1b"
                     : "+r"(turns)
                     : "i"(MSR_LBR_TOS)
                     : "rax", "rcx", "rdx", "cc");
}

static const struct speed {
    const char *name;
    speed_code *code;
    unsigned long turns;
    unsigned each; /* instructions a turn */
} speed_rows[] = {
    {"integer", speed_integer, 400000, 66},
    {"memory", speed_memory, 400000, 66},
    {"calls", speed_calls, 100000, 72},
    {"sse", speed_sse, 400000, 66},
    {"x87", speed_x87, 4000, 66},
    {"strings", speed_strings, 1000, 8},
    {"bits-in-memory", speed_bits, 10000, 66},
    {"self-loop", speed_self, 5000000, 1},
    {"changes", speed_changes, 40, 5 * (TURNS_A_CHANGE + 1)},
    {"records", speed_records, 1000, 4},
};

/* The lines before and after it tell when it began and ended, and its number of instructions. */
static void measure(const struct speed *row, bool counted, unsigned long times)
{
    static uint8_t memory[128] __attribute__((aligned(64)));
    __asm__ volatile("fninit");
    print(counted ? "begin counted " : "begin plain ");
    print(row->name);
    say("instructions", row->each * row->turns * times);
    print("\r\n");
    if (counted)
        start();
    row->code(row->turns * times, memory);
    uint64_t count = stop();
    print("end\r\n");
    if (counted)
        check("  counted what it ran", count / (row->each * row->turns * times), 1);
}

/* Integer code, in which each so many of these events are sampled. */
static void measure_sampled(const char *name, uint64_t sampled)
{
    const struct speed *row = &speed_rows[0];
    event = sampled | EVTSEL_INT;
    samples = 0;
    apic_write(APIC_SPURIOUS, SPURIOUS_ENABLE | 0xff);
    print("begin counted ");
    print(name);
    say("instructions", row->each * row->turns);
    print("\r\n");
    write_msr(MSR_PERFEVTSEL(0), event | EVTSEL_OS | EVTSEL_USR | EVTSEL_EN);
    start_period();
    __asm__ volatile("sti");
    row->code(row->turns, NULL);
    __asm__ volatile("cli");
    stop();
    print("end\r\n");
    check("  sampled what it ran", samples >= row->each * row->turns / PERIOD - 1, true);
    event = EVENT_INSTRUCTIONS;
}

static void measure_all(bool narrow)
{
    for (unsigned i = 0; i < sizeof(speed_rows) / sizeof(speed_rows[0]); i++) {
        measure(&speed_rows[i], false, PLAIN_TIMES);
        measure(&speed_rows[i], true, 1);
    }
    event = EVENT_BRANCH_MISSES;
    print("begin counted rare-events");
    say("instructions", speed_rows[0].each * speed_rows[0].turns);
    print("\r\n");
    start();
    speed_rows[0].code(speed_rows[0].turns, NULL);
    stop();
    print("end\r\n");
    if (narrow)
        return; /* the local APIC is out of reach */
    measure_sampled("instructions-sampled", EVENT_INSTRUCTIONS);
    measure_sampled("cycles-sampled", EVENT_CYCLES);
}

/* ---- */

void kernel_main(uint32_t magic, uintptr_t information)
{
    const char *line = command_line(magic, information);
    print("foreign kernel: mixed code, arguments=\"");
    print(line);
    print("\"\r\n");
    load_interrupt_table();
    if (has_word(line, "narrow"))
        forget_high_memory();
    write_cr0((read_cr0() & ~(CR0_EM | CR0_TS)) | CR0_MP | CR0_NE);
    write_cr4(read_cr4() | CR4_OSFXSR | CR4_OSXMMEXCPT);
    stop();
    if (has_word(line, "speed")) {
        measure_all(has_word(line, "narrow"));
        end();
    }
    check_mixed();
    check_changes();
    check_x87_pointers("x87 environments stored otherwise", 1);
    check_x87_pointers("the same in code that is translated", 100);
    forget_page(EDGE);
    check_edge();
    for (unsigned i = 0; i < sizeof(fault_rows) / sizeof(fault_rows[0]); i++)
        check_fault(&fault_rows[i]);
    end();
}
