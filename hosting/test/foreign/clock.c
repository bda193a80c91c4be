/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small kernel that checks whether its clocks agree: the TSC as measured by the PIT and the ACPI PM timer, as told by
 * CPUID and MSR_PLATFORM_INFO, and as counted by fixed counter 2 and the local APIC's timer; and whether the time that
 * counting takes is hidden from it. With more than one CPU: whether a second one, counting or not, or this one ever
 * read less than the other has read before, and whether their timers come in time. It prints one line for each check,
 * at last PASS or FAIL; then it leaves QEMU through isa-debug-exit.
 *
 * On a machine that is shared, any time may pass between reading two clocks. So each clock is read between two readings
 * of the TSC, repeatedly until they are close together, and no limit depends on real time.
 */
#include "hosting/test/foreign/machine.h"

#define PM_TIMER 0x608
#define PM_HZ 3579545u
#define PIT_HZ 1193182u
#define PIT_COMMAND 0x43
#define PIT_CHANNEL2 0x42
#define PIT_GATE 0x61
#define NEAR 200000u /* ticks of the TSC between which a clock was read */
#define TRIES 1000
#define READS 10000000
#define MEASURED_HZ 50  /* a fiftieth of a second */
#define PIT_ROUND_HZ 20 /* a little less than a round of the PIT */
#define PERMILLE 1000
#define TURNS 20000ul
#define FIXED_REFERENCE 2
#define VECTOR_TIMER 0x30
#define TIMER_PERIODIC 0x20000u
#define DIVIDE_BY_1 0xb
#define TICKS 20
#define ONCE_A_SECOND 500 /* two milliseconds */
#define READS_A_TURN 20
#define TURNS_APART 100
#define TURNS_SETTLED 3
#define CHANGES 60
#define NAPS 100
#define NAPS_A_MILLISECOND 20
#define CPUS 2

static volatile unsigned timers; /* only one CPU at a time has the clocks */

static uint64_t tsc(void)
{
    uint32_t low, high;
    __asm__ volatile("lfence\n\trdtsc" : "=a"(low), "=d"(high));
    return (uint64_t)high << 32 | low;
}

void kernel_interrupt(unsigned long vector, uintptr_t *at)
{
    if (vector == VECTOR_TIMER) {
        timers++;
        apic_write(APIC_EOI, 0);
        return;
    }
    unexpected(vector, *at);
}

/* ---- Numbers: without a library there is no 64-bit division. */

static uint64_t divided(uint64_t a, uint32_t b)
{
    uint64_t quotient = 0, rest = 0;
    for (int bit = 63; bit >= 0; bit--) {
        rest = rest << 1 | (a >> bit & 1);
        if (rest < b)
            continue;
        rest -= b;
        quotient |= 1ull << bit;
    }
    return quotient;
}

/* Do they differ by at most so many thousandths of the second one? */
static void check_near(const char *what, uint64_t got, uint64_t want, uint32_t permille)
{
    uint64_t apart = got > want ? got - want : want - got;
    bool near = apart * PERMILLE <= want * permille;
    print(near ? "ok " : "not ok ");
    print(what);
    say("got", got);
    say("want", want);
    print("\r\n");
    failed |= !near;
}

/* ---- The machine's clocks */

static uint32_t read_pm_timer(void)
{
    uint32_t value;
    __asm__ volatile("inl %1, %0" : "=a"(value) : "d"((uint16_t)PM_TIMER));
    return value & 0xffffff;
}

/* Channel 2 counts down from 65536 repeatedly, without its speaker. */
static void start_pit(void)
{
    out8(PIT_GATE, (uint8_t)((in8(PIT_GATE) & ~2) | 1));
    out8(PIT_COMMAND, 0xb4);
    out8(PIT_CHANNEL2, 0);
    out8(PIT_CHANNEL2, 0);
}

static uint32_t read_pit(void)
{
    out8(PIT_COMMAND, 0x80);
    uint32_t low = in8(PIT_CHANNEL2);
    return 0xffff & ~(low | (uint32_t)in8(PIT_CHANNEL2) << 8);
}

struct moment {
    uint64_t tsc;
    uint32_t count;
};

/* The closest of some readings, as soon as one is close enough; on a busy machine the last one. */
static struct moment moment(uint32_t (*read)(void))
{
    struct moment best = {0, 0};
    uint64_t nearest = ~0ull;
    for (unsigned i = 0; i < TRIES && (i < 10 || nearest > NEAR); i++) {
        uint64_t before = tsc();
        uint32_t count = read();
        uint64_t after = tsc();
        if (after - before >= nearest)
            continue;
        nearest = after - before;
        best = (struct moment){before + nearest / 2, count};
    }
    return best;
}

/*
 * In kHz; 0 if the clock does not tick. Repeated if it took longer than `most` ticks of the TSC, since the clock has
 * then gone round; 0: it never does.
 */
static uint64_t measured(uint32_t (*read)(void), uint32_t hz, uint32_t mask, uint64_t most)
{
    struct moment from, to;
    unsigned tries = 0;
    do {
        from = moment(read);
        for (unsigned i = 0; ((read() - from.count) & mask) < hz / MEASURED_HZ; i++)
            if (i == READS)
                return 0;
        to = moment(read);
    } while (most && to.tsc - from.tsc > most && ++tries < TRIES);
    return divided(divided((to.tsc - from.tsc) * hz, (to.count - from.count) & mask), PERMILLE);
}

/* ---- Sources of the TSC's frequency */

static uint64_t by_leaf_15(void)
{
    uint32_t leaf[4];
    cpuid(0, leaf);
    if (leaf[0] < 0x15)
        return 0;
    cpuid(0x15, leaf);
    return leaf[0] ? divided(divided((uint64_t)leaf[2] * leaf[1], leaf[0]), PERMILLE) : 0;
}

static uint64_t by_leaf_16(void)
{
    uint32_t leaf[4];
    cpuid(0, leaf);
    if (leaf[0] < 0x16)
        return 0;
    cpuid(0x16, leaf);
    return (uint64_t)leaf[0] * PERMILLE;
}

static uint64_t check_frequency(void)
{
    uint64_t khz = measured(read_pm_timer, PM_HZ, 0xffffff, 0);
    uint64_t round = divided(khz * PERMILLE, PIT_ROUND_HZ);
    check_near("by PIT and PM timer", measured(read_pit, PIT_HZ, 0xffff, round), khz, 10);
    if (by_leaf_15())
        check_near("leaf 15H", by_leaf_15(), khz, 10);
    if (by_leaf_16())
        check_near("leaf 16H", by_leaf_16(), khz, 10);
    check_near("MSR_PLATFORM_INFO", (read_msr(MSR_PLATFORM_INFO) >> 8 & 0xff) * 100000, khz, 50);
    return khz;
}

/* ---- Counting */

static void count_reference(bool on)
{
    write_msr(MSR_FIXED_CTR_CTRL, on ? FIXED_OS(FIXED_REFERENCE) : 0);
    write_msr(MSR_PERF_GLOBAL_CTRL, on ? GLOBAL_FIXED(FIXED_REFERENCE) : 0);
}

/* Within a few instructions, and the steps by which the counter advances. */
static void check_reference(const char *what)
{
    count_reference(true);
    uint64_t from = tsc(), counted = read_msr(MSR_FIXED_CTR(FIXED_REFERENCE));
    counted_loop(TURNS);
    uint64_t to = tsc();
    counted = read_msr(MSR_FIXED_CTR(FIXED_REFERENCE)) - counted;
    count_reference(false);
    check_near(what, counted, to - from, 1);
}

/* ---- The APIC's timer */

static uint32_t read_timer(void)
{
    return ~apic_read(APIC_TIMER_CURRENT);
}

static uint64_t timer_khz(uint64_t tsc_khz)
{
    apic_write(APIC_LVT_TIMER, LVT_MASKED | VECTOR_TIMER);
    apic_write(APIC_TIMER_DIVIDE, DIVIDE_BY_1);
    apic_write(APIC_TIMER_INITIAL, ~0u);
    struct moment from = moment(read_timer), to;
    while (tsc() - from.tsc < divided(tsc_khz * PERMILLE, MEASURED_HZ))
        ;
    to = moment(read_timer);
    return divided((to.count - from.count) * tsc_khz, (uint32_t)(to.tsc - from.tsc));
}

/* The crystal, if leaf 15H tells it. */
static uint64_t enumerated_crystal(void)
{
    uint32_t leaf[4];
    cpuid(0, leaf);
    if (leaf[0] < 0x15)
        return 0;
    cpuid(0x15, leaf);
    return divided(leaf[2], PERMILLE);
}

/* Some periodic interrupts take as long as their periods; unstepped, on a busy machine, they may take longer. */
static void check_periods(const char *what, uint64_t khz, uint64_t tsc_khz, uint32_t periods_a_second, bool longer)
{
    timers = 0;
    apic_write(APIC_LVT_TIMER, TIMER_PERIODIC | VECTOR_TIMER);
    uint64_t period = divided(tsc_khz * PERMILLE, periods_a_second);
    uint32_t initial = (uint32_t)divided(khz * PERMILLE, periods_a_second);
    uint64_t from = tsc();
    apic_write(APIC_TIMER_INITIAL, initial);
    __asm__ volatile("sti");
    while (timers < TICKS)
        counted_loop(1000);
    uint64_t to = tsc();
    apic_write(APIC_TIMER_INITIAL, 0);
    __asm__ volatile("nop\n\tcli"); /* behind the last interrupt that may have come */
    uint64_t took = to - from;
    check_near(what, longer && took > TICKS * period ? TICKS * period : took, TICKS * period, 50);
}

/* ---- A second CPU */

enum asked { TO_RUN, TO_COUNT, TO_COMPARE_COUNTERS, TO_TAKE_TICKS };

static struct {
    volatile enum asked asked; /* a request to the second CPU, which clears it when done */
    volatile enum asked does;
    uint64_t khz, timer_khz;
} second;

static struct {
    volatile unsigned turns, backwards;
} side[CPUS];

/* The last reading on any CPU: no later one may be less. */
static uint64_t latest(uint32_t id)
{
    static volatile uint64_t last;
    static bool taken;
    while (__atomic_test_and_set(&taken, __ATOMIC_ACQUIRE))
        __asm__ volatile("pause");
    uint64_t before = last, now = tsc();
    last = now;
    __atomic_clear(&taken, __ATOMIC_RELEASE);
    side[id].backwards += now < before;
    return now;
}

/* Reads with a delay, in which the other CPU may read, and an exit to the monitor, which may wait for that. */
static void turn(uint32_t id)
{
    uint32_t leaf[4];
    for (unsigned i = 0; i < READS_A_TURN; i++) {
        latest(id);
        counted_loop(READS_A_TURN);
    }
    cpuid(0, leaf);
    side[id].turns++;
}

static void take_turns(uint32_t id, unsigned turns)
{
    uint32_t other = !id;
    for (unsigned from = side[other].turns; side[other].turns - from < turns;)
        turn(id);
}

/* While it counts and this CPU works, and after the monitor has reacted to that. */
static void perform(enum asked asked)
{
    count_reference(asked != TO_RUN);
    if (asked == TO_COMPARE_COUNTERS) {
        take_turns(1, TURNS_SETTLED);
        check_reference("reference cycles and TSC of another CPU");
    }
    if (asked == TO_TAKE_TICKS) {
        take_turns(1, TURNS_SETTLED);
        check_periods("ticks of another CPU while it counts", second.timer_khz, second.khz, 100000, false);
        count_reference(false);
    }
}

static void begin(void)
{
    load_interrupt_table();
    apic_write(APIC_SPURIOUS, SPURIOUS_ENABLE | 0xff);
    apic_write(APIC_TIMER_DIVIDE, DIVIDE_BY_1);
    for (;;) {
        enum asked asked = second.asked;
        if (asked != second.does)
            perform(asked);
        second.does = asked;
        turn(1);
    }
}

/* Reads in turn until the other one is done. */
static void ask(enum asked asked)
{
    second.asked = asked;
    while (second.does != asked)
        turn(0);
}

/* Its timer comes once: not before it is due, however late on a busy machine, even if the other CPU's clock is used. */
static void check_once(const char *what, bool asleep)
{
    uint64_t want = divided(second.khz * PERMILLE, ONCE_A_SECOND);
    timers = 0;
    apic_write(APIC_LVT_TIMER, VECTOR_TIMER);
    uint64_t from = latest(0);
    apic_write(APIC_TIMER_INITIAL, (uint32_t)divided(second.timer_khz * PERMILLE, ONCE_A_SECOND));
    while (!timers)
        if (asleep)
            __asm__ volatile("sti\n\thlt\n\tcli");
        else
            __asm__ volatile("sti\n\tnop\n\tnop\n\tcli");
    uint64_t took = latest(0) - from;
    check_near(what, took > want ? want : took, want, 10);
}

/* Whatever else wakes a monitor, each timer ends the sleep for which it was set: if its interrupt did not come, this
 * CPU would sleep for ever. */
static void check_naps(void)
{
    for (unsigned i = 0; i < NAPS; i++) {
        second.asked = i / 2 % 2 ? TO_RUN : TO_COUNT;
        timers = 0;
        apic_write(APIC_LVT_TIMER, VECTOR_TIMER);
        apic_write(APIC_TIMER_INITIAL, 1 + i % 8 * (uint32_t)divided(second.timer_khz, NAPS_A_MILLISECOND));
        while (!timers)
            __asm__ volatile("sti\n\thlt\n\tcli");
    }
    print("ok naps\r\n");
}

static void check_cpus(void)
{
    cpus_begin_at(begin);
    apic_command(1, ICR_ASSERT | ICR_INIT);
    send_startup(1);
    take_turns(0, TURNS_APART);
    for (unsigned i = 0; i < CHANGES; i++) {
        ask(i % 2 ? TO_RUN : TO_COUNT);
        take_turns(0, i % 3);
    }
    ask(TO_COUNT);
    take_turns(0, TURNS_APART);
    count_reference(true);
    take_turns(0, TURNS_APART);
    count_reference(false);
    check_once("timer while another CPU counts", false);
    check_once("timer that wakes while another CPU counts", true);
    check_naps();
    ask(TO_COMPARE_COUNTERS);
    ask(TO_TAKE_TICKS);
    ask(TO_RUN);
    take_turns(0, TURNS_APART);
    check_once("timer while none counts", true);
    check("readings less than another CPU's before", side[0].backwards + side[1].backwards, 0);
}

void kernel_main(uint32_t magic, uintptr_t information)
{
    (void)magic, (void)information;
    load_interrupt_table();
    apic_write(APIC_SPURIOUS, SPURIOUS_ENABLE | 0xff);
    start_pit();
    uint64_t khz = check_frequency();
    uint64_t timer = timer_khz(khz);
    if (enumerated_crystal())
        check_near("crystal", timer, enumerated_crystal(), 10);
    print("ok frequencies");
    say("tsc-khz", khz);
    say("timer-khz", timer);
    print("\r\n");
    check_reference("reference cycles and TSC");
    check_periods("ticks", timer, khz, 100, true);
    count_reference(true);
    check_periods("ticks while it counts", timer, khz, 100000, false);
    count_reference(false);
    second.khz = khz;
    second.timer_khz = timer;
    if (machine_cpus() > 1)
        check_cpus();
    check_near("by the PM timer again", measured(read_pm_timer, PM_HZ, 0xffffff, 0), khz, 10);
    end();
}
