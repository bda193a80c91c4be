/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small kernel that knows nothing of its host: it counts instructions with a performance counter and takes its
 * overflow as an interrupt and as an NMI. It prints one line for each check, at last PASS or FAIL; then it leaves QEMU
 * through isa-debug-exit. On a PMU without architectural counters it says so and passes.
 *
 * Words of its command line: `narrow` (64 bits) takes all memory above 64 MiB out of its page tables, `paging` (32
 * bits) turns paging on, `x2apic` switches to x2APIC mode, `long` also counts ten million instructions, and overflows
 * far from where it began, `events` (64 bits) counts other events of a Skylake as well.
 */
#include "hosting/test/foreign/machine.h"

#define MOV_CR4_LENGTH 3
#define MOV_DS_LENGTH 2
#define EDGE 0x3000000u
#define JMP 0xe9
#define JMP_LENGTH 5
#define CR4_NOBODYS (1ul << 30)
#define WAIT 1000
#define LONG_WAIT 20000000
#define LONG 3333333ul
#define TURNS 10000000ul
#define NEAR 300u
#define FAR 3000000u
#define SKID_MOST 500

extern const uint8_t counted[], counted_end[];
void counted_stores(unsigned long k);
void counted_stack(unsigned long k);

static volatile unsigned pmis, nmis, faults;
static volatile uintptr_t pmi_at, fault_expected_at;
static unsigned fault_length = MOV_CR4_LENGTH;
static unsigned version, counters, width;

/* ---- Counting on the first GP counter, as this version of the PMU does it. */

static uint64_t mask(void)
{
    return ~0ull >> (64 - width);
}

static uint64_t event = EVENT_INSTRUCTIONS; /* and umask */

static void start(void)
{
    write_msr(MSR_PERFEVTSEL(0), event | EVTSEL_OS | EVTSEL_USR | EVTSEL_INT | EVTSEL_EN);
    if (version > 1)
        write_msr(MSR_PERF_GLOBAL_CTRL, 1);
}

static void stop(void)
{
    if (version > 1)
        write_msr(MSR_PERF_GLOBAL_CTRL, 0);
    else
        write_msr(MSR_PERFEVTSEL(0), 0);
}

/* The number that the loop adds to a counter that begins `before` counts below its end; 0: at 0. */
static __attribute__((noinline)) uint64_t count_of(void (*loop)(unsigned long k), unsigned long k, uint32_t before)
{
    write_msr(MSR_PMC(0), (uint32_t)-before);
    start();
    loop(k);
    stop();
    return (read_msr(MSR_PMC(0)) + before) & mask();
}

static uint64_t count(unsigned long k, uint32_t before)
{
    return count_of(counted_loop, k, before);
}

static void acknowledge(void)
{
    if (version > 1)
        write_msr(MSR_PERF_GLOBAL_STATUS_RESET, read_msr(MSR_PERF_GLOBAL_STATUS));
}

void kernel_interrupt(unsigned long vector, uintptr_t *at)
{
    if (vector == VECTOR_GP && *at == fault_expected_at) {
        *at += fault_length;
        faults++;
        return;
    }
    if (vector != VECTOR_PMI && vector != VECTOR_NMI)
        unexpected(vector, *at);
    stop();
    pmi_at = *at;
    acknowledge();
    if (vector == VECTOR_NMI) {
        nmis++;
        return;
    }
    pmis++;
    apic_write(APIC_EOI, 0);
}

static void check_counts(bool more)
{
    static const unsigned long lengths[] = {1, 10, 1000, 12345};
    for (unsigned i = 1; i < sizeof(lengths) / sizeof(lengths[0]); i++)
        check("counts", count(lengths[i], 0) - count(lengths[0], 0), 3 * (lengths[i] - lengths[0]));
    if (!x2apic)
        check("stores to the APIC", count_of(counted_stores, 100, 0) - count_of(counted_stores, 1, 0), 3 * 99);
    if (more)
        check("ten million", count(LONG, 0) - count(lengths[0], 0), 3 * (LONG - lengths[0]));
}

#ifdef __x86_64__
/* The number that ten million turns add, which take the same time for each event. */
static void check_events(void)
{
    static const struct {
        const char *name;
        uint64_t event;
        void (*loop)(unsigned long k);
        uint64_t each; /* index of the turn */
    } events[] = {
        {"conditional branches", 0x1c4, counted_loop, 1},
        {"taken branches", 0x20c4, counted_loop, 1},
        {"calls", 0x2c4, counted_loop, 0},
        {"returns", 0x8c4, counted_loop, 0},
        {"far branches", 0x40c4, counted_loop, 0},
        {"loads", 0x81d0, counted_stack, 1},
        {"stores", 0x82d0, counted_stack, 1},
        {"branches", 0xc4, counted_stack, 1},
    };
    static const uint64_t rare[] = {0x4f2e, 0x412e, 0xc5};
    for (unsigned i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
        event = events[i].event;
        check(events[i].name, count_of(events[i].loop, TURNS, 0) - count_of(events[i].loop, 1, 0),
              events[i].each * (TURNS - 1));
    }
    for (unsigned i = 0; i < sizeof(rare) / sizeof(rare[0]); i++) {
        event = rare[i];
        uint64_t got = count(TURNS, 0);
        check("a rare event comes", got > 0 && got < TURNS / 8, true);
    }
    event = EVENT_INSTRUCTIONS;
}
#endif

static void check_interrupt(const char *what, uint32_t entry, volatile unsigned *arrived)
{
    *arrived = 0;
    pmi_at = 0;
    apic_write(APIC_LVT_PC, entry);
    count(1000, NEAR);
    for (volatile unsigned i = 0; i < WAIT && !*arrived; i++)
        ;
    check(what, *arrived, 1);
    check("  within the loop", pmi_at >= (uintptr_t)counted && pmi_at < (uintptr_t)counted_end, 1);
    check("  LVTPC masked", apic_read(APIC_LVT_PC) & LVT_MASKED, LVT_MASKED);
}

/*
 * Overflows after few and after millions of instructions. The count from there to the handler's end is the same, except
 * for how late the interrupt comes.
 */
static void check_far_overflow(void)
{
    uint64_t near, far, skid;
    apic_write(APIC_LVT_PC, LVT_DELIVERY_NMI);
    near = count(LONG, NEAR);
    apic_write(APIC_LVT_PC, LVT_DELIVERY_NMI);
    far = count(LONG, NEAR + 3 * FAR) - near;
    skid = far - 3 * FAR + SKID_MOST;
    check("far overflow", skid <= 2 * SKID_MOST ? 3 * FAR : far, 3 * FAR);
    print("  to the instruction:");
    say("got", far);
    print("\r\n");
}

/* A reserved bit of CR4: accesses to CR4 exit, unlike those to other control registers here. */
static __attribute__((noinline)) void check_control(void)
{
    unsigned long value;
    extern const uint8_t move_to_cr4[];
    fault_expected_at = (uintptr_t)move_to_cr4;
    __asm__ volatile("mov %%cr4, %0" : "=r"(value));
    __asm__ volatile(".globl move_to_cr4\nmove_to_cr4: mov %0, %%cr4" : : "a"(value | CR4_NOBODYS) : "memory");
    check("a fault for CR4", faults, 1);
}

/* A handler at the very end of a page, with nothing mapped behind it, is entered while counting. */
#ifdef __x86_64__
static __attribute__((noinline)) void check_edge(void)
{
    extern const uint8_t move_to_ds[];
    uint8_t *handler = (uint8_t *)(uintptr_t)(EDGE - JMP_LENGTH);
    uintptr_t before = 0x1234560, after;
    int32_t distance = (int32_t)((uintptr_t)interrupt_entries + ENTRY_SIZE * VECTOR_GP - EDGE);
    handler[0] = JMP;
    __builtin_memcpy(handler + 1, &distance, sizeof(distance));
    forget_page(EDGE);
    set_entry(VECTOR_GP, (uintptr_t)handler);
    faults = 0;
    fault_length = MOV_DS_LENGTH;
    fault_expected_at = (uintptr_t)move_to_ds;
    __asm__ volatile("mov %0, %%cr2" : : "r"(before));
    start();
    __asm__ volatile(".globl move_to_ds\nmove_to_ds: mov %0, %%ds" : : "a"(0x7ff8) : "memory");
    stop();
    __asm__ volatile("mov %%cr2, %0" : "=r"(after));
    check("a fault at a page's end", faults, 1);
    check("  CR2", after, before);
}
#endif

/* Starts all other CPUs at a page of code that sets a mark. */
static void check_others(void)
{
    /* lock inc byte [cs:100h]; hlt; jmp */
    static const uint8_t code[] = {0xf0, 0x2e, 0xfe, 0x06, 0x00, 0x01, 0xf4, 0xeb, 0xfd};
    volatile uint8_t *page = (volatile uint8_t *)START_PAGE;
    for (unsigned i = 0; i < sizeof(code); i++)
        page[i] = code[i];
    page[0x100] = 0;
    apic_write(APIC_ICR, ICR_ALL_BUT_SELF | ICR_ASSERT | ICR_INIT);
    for (volatile unsigned i = 0; i < LONG_WAIT; i++)
        ;
    for (unsigned tries = 0; tries < 2; tries++) {
        apic_write(APIC_ICR, ICR_ALL_BUT_SELF | ICR_ASSERT | ICR_STARTUP | START_PAGE >> 12);
        for (volatile unsigned i = 0; i < LONG_WAIT; i++)
            ;
    }
    check("other CPUs that start", page[0x100], machine_cpus() - 1);
}

/* ---- */

/* The boot information, as far as this loader passes it. */
static void tell_machine(uint32_t magic, uintptr_t information)
{
    const uint32_t *word = (const uint32_t *)information;
    if (magic == LOADER1) {
        say("memory-upper", word[2]);
        say("modules", word[5]);
        return;
    }
    const uint32_t *tag = magic == LOADER2 ? find_tag(information, LOADER2_MEMORY) : NULL;
    if (tag)
        say("memory-upper", tag[3]);
}

static void set_up(const char *line)
{
    load_interrupt_table();
#ifdef __x86_64__
    if (has_word(line, "narrow"))
        forget_high_memory();
#else
    if (has_word(line, "paging"))
        turn_paging_on();
#endif
    if (has_word(line, "x2apic")) {
        write_msr(MSR_APIC_BASE, read_msr(MSR_APIC_BASE) | APIC_BASE_EXTD);
        x2apic = true;
    }
    apic_write(APIC_SPURIOUS, SPURIOUS_ENABLE | 0xff);
}

void kernel_main(uint32_t magic, uintptr_t information)
{
    uint32_t leaf[4], signature[4];
    print("foreign kernel:");
    say("bits", 8 * sizeof(long));
    say("loader", magic);
    tell_machine(magic, information);
    const char *line = command_line(magic, information);
    cpuid(1, signature);
    cpuid(10, leaf);
    version = leaf[0] & 0xff;
    counters = leaf[0] >> 8 & 0xff;
    width = leaf[0] >> 16 & 0xff;
    say("signature", signature[0]);
    say("version", version);
    say("counters", counters);
    say("width", width);
    print(" arguments=\"");
    print(line);
    print("\"\r\n");
    if (!version || !counters)
        end();
    set_up(line);
    stop(); /* after a reset GLOBAL_CTRL has the GP counters' bits set */
    check_control();
#ifdef __x86_64__
    check_edge();
#endif
    check_others();
    check_counts(has_word(line, "long"));
    if (has_word(line, "long"))
        check_far_overflow();
#ifdef __x86_64__
    if (has_word(line, "events"))
        check_events();
#endif
    check_interrupt("NMI", LVT_DELIVERY_NMI, &nmis);
    __asm__ volatile("sti");
    check_interrupt("PMI", VECTOR_PMI, &pmis);
    end();
}
