/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small kernel that knows some cores' events by their codes and counts each of them on a loop whose content it knows:
 * twice as many turns must differ by that content. Events that silicon counts exactly have to be exact; events that the
 * model counts by a rule must follow it, plus or minus one. An event on a counter that cannot count it counts nothing.
 *
 * Its command line is one letter for the core, and more: `l`, each event is counted over ten million instructions, too;
 * `2`, on the second CPU, which in a hybrid is of another kind; `r`, only interrupts received.
 */
#include "hosting/test/foreign/machine.h"

#define VECTOR_RECEIVED VECTOR_PMI
#define TURNS 4000ul
#define STRAIGHT_TURNS 3333333ul
#define FEW_TURNS 100ul
#define BY_RULE 0x40    /* an event of this kind counts only each n-th */
#define MISS_EVERY 16   /* of indirect branches and returns */
#define SLACK_BY_RULE 4 /* a loop's own branch, which is mispredicted as it begins and ends; rests */
#define ASSIST_EVERY 4096
#define NO_COUNTER 0xff

/* ---- Contents of loops */

enum what {
    INSTRUCTIONS,
    BRANCHES,
    CONDITIONAL,
    CONDITIONAL_TAKEN,
    NOT_TAKEN,
    NEAR_TAKEN,
    TAKEN,
    CALLS,
    DIRECT_CALLS,
    INDIRECT_CALLS,
    DIRECT_JUMPS,
    INDIRECT_JUMPS,
    INDIRECT,
    RETURNS,
    INDIRECT_OR_RETURNS,
    FAR,
    LOADS,
    STORES,
    UOPS,
    PAUSES,
    INTERRUPTS,
    ASSISTS, /* each n-th instruction */
    CLOCKS,  /* they tick by themselves */
    WHATS,
};

static uint64_t word;

/* Two functions to call: by name and by a register. */
static __attribute__((naked, used)) void nothing(void)
{
    __asm__("ret");
}

static void mixed_loop(unsigned long k)
{
    __asm__ volatile("1: xor %%eax, %%eax\n\t"
                     "jnz 4f\n\t"
                     "call nothing\n\t"
                     "lea nothing(%%rip), %%rax\n\t"
                     "call *%%rax\n\t"
                     "jmp 2f\n"
                     "2: lea 3f(%%rip), %%rax\n\t"
                     "jmp *%%rax\n"
                     "3: mov %1, %%rax\n\t"
                     "mov %%rax, %1\n\t"
                     "incq %1\n\t"
                     "dec %0\n\t"
                     "jnz 1b\n"
                     "4:"
                     : "+r"(k), "+m"(word)
                     :
                     : "rax", "memory");
}

static void straight_loop(unsigned long k)
{
    __asm__ volatile("1: nop\n\tdec %0\n\tjnz 1b" : "+r"(k));
}

static void rare_loop(unsigned long k)
{
    __asm__ volatile("1: pause\n\t"
                     "lea 2f(%%rip), %%rax\n\t"
                     "push $8\n\t"
                     "push %%rax\n\t"
                     "lretq\n"
                     "2: dec %0\n\t"
                     "jnz 1b"
                     : "+r"(k)
                     :
                     : "rax", "memory");
}

static void interrupt_loop(unsigned long k)
{
    __asm__ volatile("sti");
    while (k--) {
        apic_command(apic_read(APIC_ID) >> 24, ICR_ASSERT | VECTOR_RECEIVED);
        __asm__ volatile("nop\n\tnop");
    }
    __asm__ volatile("cli");
}

/* The content of one turn of each loop; what is not named does not occur. */
struct content {
    const char *name;
    void (*loop)(unsigned long k);
    unsigned long turns;
    uint8_t holds[WHATS];
};

static const struct content mixed = {
    "mixed",
    mixed_loop,
    TURNS,
    {[INSTRUCTIONS] = 15,
     [BRANCHES] = 8,
     [CONDITIONAL] = 2,
     [CONDITIONAL_TAKEN] = 1,
     [NOT_TAKEN] = 1,
     [NEAR_TAKEN] = 7,
     [TAKEN] = 7,
     [CALLS] = 2,
     [DIRECT_CALLS] = 1,
     [INDIRECT_CALLS] = 1,
     [DIRECT_JUMPS] = 1,
     [INDIRECT_JUMPS] = 1,
     [INDIRECT] = 2,
     [RETURNS] = 2,
     [INDIRECT_OR_RETURNS] = 4,
     [LOADS] = 4,
     [STORES] = 4,
     [UOPS] = 19},
};
static const struct content straight = {
    "straight",
    straight_loop,
    STRAIGHT_TURNS,
    {[INSTRUCTIONS] = 3,
     [BRANCHES] = 1,
     [CONDITIONAL] = 1,
     [CONDITIONAL_TAKEN] = 1,
     [NEAR_TAKEN] = 1,
     [TAKEN] = 1,
     [UOPS] = 3},
};
static const struct content rare = {"rare", rare_loop, FEW_TURNS, {[FAR] = 1, [PAUSES] = 1}};
static const struct content received = {"received", interrupt_loop, FEW_TURNS, {[INTERRUPTS] = 1}};

/* ---- Cores */

struct event {
    uint32_t code; /* umask:event */
    uint8_t what;  /* enum what, perhaps with BY_RULE */
    uint8_t not_on;
};

#define ANYWHERE .not_on = NO_COUNTER

static const struct event core_duo[] = {
    {0x00c0, INSTRUCTIONS, ANYWHERE},
    {0x00c4, BRANCHES, ANYWHERE},
    {0x00c5, BRANCHES | BY_RULE, ANYWHERE},
    {0x003c, CLOCKS, ANYWHERE},
    {0x00c2, UOPS, ANYWHERE},
    {0x00c8, INTERRUPTS, ANYWHERE},
    {0x00c9, TAKEN, ANYWHERE},
    {0x00ca, TAKEN | BY_RULE, ANYWHERE},
};
static const struct event core2[] = {
    {0x00c0, INSTRUCTIONS, ANYWHERE},
    {0x00c4, BRANCHES, ANYWHERE},
    {0x00c5, BRANCHES | BY_RULE, ANYWHERE},
    {0x003c, CLOCKS, ANYWHERE},
    {0x0cc4, TAKEN, ANYWHERE},
    {0x08c4, TAKEN | BY_RULE, ANYWHERE},
    {0x02c4, NOT_TAKEN | BY_RULE, ANYWHERE},
    {0x01c0, LOADS, ANYWHERE},
    {0x02c0, STORES, ANYWHERE},
    {0x0fc2, UOPS, ANYWHERE},
    {0x00c8, INTERRUPTS, ANYWHERE},
};
static const struct event skylake[] = {
    {0x00c0, INSTRUCTIONS, ANYWHERE},
    {0x01c0, INSTRUCTIONS, ANYWHERE},
    {0x00c4, BRANCHES, ANYWHERE},
    {0x04c4, BRANCHES, ANYWHERE},
    {0x01c4, CONDITIONAL, ANYWHERE},
    {0x10c4, NOT_TAKEN, ANYWHERE},
    {0x20c4, NEAR_TAKEN, ANYWHERE},
    {0x02c4, CALLS, ANYWHERE},
    {0x08c4, RETURNS, ANYWHERE},
    {0x40c4, FAR, ANYWHERE},
    {0x00c5, BRANCHES | BY_RULE, ANYWHERE},
    {0x04c5, BRANCHES | BY_RULE, ANYWHERE},
    {0x01c5, CONDITIONAL | BY_RULE, ANYWHERE},
    {0x20c5, NEAR_TAKEN | BY_RULE, ANYWHERE},
    {0x02c5, CALLS | BY_RULE, ANYWHERE},
    {0x81d0, LOADS, ANYWHERE},
    {0x82d0, STORES, ANYWHERE},
    {0x010e, INSTRUCTIONS, ANYWHERE},
    {0x02c2, INSTRUCTIONS, ANYWHERE},
    {0x3fc1, ASSISTS, ANYWHERE},
    {0x1eca, ASSISTS, ANYWHERE},
    {0x01cb, INTERRUPTS, ANYWHERE},
    {0x40cc, PAUSES, ANYWHERE},
    {0x003c, CLOCKS, ANYWHERE},
    {0x013c, CLOCKS, ANYWHERE},
    {0x023c, CLOCKS, ANYWHERE},
};
static const struct event golden_cove[] = {
    {0x00c0, INSTRUCTIONS, ANYWHERE},
    {0x00c4, BRANCHES, ANYWHERE},
    {0x11c4, CONDITIONAL, ANYWHERE},
    {0x01c4, CONDITIONAL_TAKEN, ANYWHERE},
    {0x10c4, NOT_TAKEN, ANYWHERE},
    {0x20c4, NEAR_TAKEN, ANYWHERE},
    {0x02c4, CALLS, ANYWHERE},
    {0x80c4, INDIRECT, ANYWHERE},
    {0x08c4, RETURNS, ANYWHERE},
    {0x40c4, FAR, ANYWHERE},
    {0x00c5, BRANCHES | BY_RULE, ANYWHERE},
    {0x11c5, CONDITIONAL | BY_RULE, ANYWHERE},
    {0x01c5, CONDITIONAL_TAKEN | BY_RULE, ANYWHERE},
    {0x10c5, NOT_TAKEN | BY_RULE, ANYWHERE},
    {0x20c5, NEAR_TAKEN | BY_RULE, ANYWHERE},
    {0x02c5, INDIRECT_CALLS | BY_RULE, ANYWHERE},
    {0x80c5, INDIRECT | BY_RULE, ANYWHERE},
    {0x08c5, RETURNS | BY_RULE, ANYWHERE},
    {0x81d0, LOADS, .not_on = 4},
    {0x82d0, STORES, .not_on = 7},
    {0x01ae, INSTRUCTIONS, ANYWHERE},
    {0x02c2, INSTRUCTIONS, ANYWHERE},
    {0x1bc1, ASSISTS, ANYWHERE},
    {0x003c, CLOCKS, ANYWHERE},
    {0x02ec, CLOCKS, ANYWHERE},
    {0x083c, CLOCKS, ANYWHERE},
};
static const struct event gracemont[] = {
    {0x00c0, INSTRUCTIONS, ANYWHERE},
    {0x00c4, BRANCHES, ANYWHERE},
    {0x7ec4, CONDITIONAL, ANYWHERE},
    {0xfec4, CONDITIONAL_TAKEN, ANYWHERE},
    {0xc0c4, NEAR_TAKEN, ANYWHERE},
    {0xf9c4, CALLS, ANYWHERE},
    {0xfdc4, DIRECT_CALLS, ANYWHERE},
    {0xfbc4, INDIRECT_CALLS, ANYWHERE},
    {0xebc4, INDIRECT, ANYWHERE},
    {0xf7c4, RETURNS, ANYWHERE},
    {0xbfc4, FAR, ANYWHERE},
    {0x00c5, BRANCHES | BY_RULE, ANYWHERE},
    {0x7ec5, CONDITIONAL | BY_RULE, ANYWHERE},
    {0xfec5, CONDITIONAL_TAKEN | BY_RULE, ANYWHERE},
    {0xfbc5, INDIRECT_CALLS | BY_RULE, ANYWHERE},
    {0xebc5, INDIRECT | BY_RULE, ANYWHERE},
    {0xf7c5, RETURNS | BY_RULE, ANYWHERE},
    {0x81d0, LOADS, ANYWHERE},
    {0x82d0, STORES, ANYWHERE},
    {0x000e, INSTRUCTIONS, ANYWHERE},
    {0x00c2, UOPS, ANYWHERE},
    {0x003c, CLOCKS, ANYWHERE},
};

static const struct {
    const char *letter;
    const struct event *events;
    unsigned count;
} cores[] = {
    {"d", core_duo, sizeof(core_duo) / sizeof(core_duo[0])},
    {"c", core2, sizeof(core2) / sizeof(core2[0])},
    {"s", skylake, sizeof(skylake) / sizeof(skylake[0])},
    {"g", golden_cove, sizeof(golden_cove) / sizeof(golden_cove[0])},
    {"e", gracemont, sizeof(gracemont) / sizeof(gracemont[0])},
};

/* ---- Counting */

static const struct event *events;
static unsigned event_count, version;
static bool long_too, received_only;
static volatile unsigned done;

void kernel_interrupt(unsigned long vector, uintptr_t *at)
{
    if (vector == VECTOR_RECEIVED) {
        apic_write(APIC_EOI, 0);
        return;
    }
    unexpected(vector, *at);
}

static void stop(unsigned n)
{
    write_msr(MSR_PERFEVTSEL(n), 0);
    if (version > 1)
        write_msr(MSR_PERF_GLOBAL_CTRL, 0);
}

static __attribute__((noinline)) uint64_t count_on(unsigned n, uint32_t code, void (*loop)(unsigned long),
                                                   unsigned long k)
{
    write_msr(MSR_PMC(n), 0);
    write_msr(MSR_PERFEVTSEL(n), code | EVTSEL_OS | EVTSEL_EN);
    if (version > 1)
        write_msr(MSR_PERF_GLOBAL_CTRL, 1u << n);
    loop(k);
    stop(n);
    return read_msr(MSR_PMC(n));
}

static uint64_t added(unsigned n, uint32_t code, const struct content *c)
{
    uint64_t one = count_on(n, code, c->loop, 1);
    return count_on(n, code, c->loop, c->turns + 1) - one;
}

static void tell(const struct event *e, const struct content *c, bool good, uint64_t got, uint64_t want)
{
    print(good ? "ok " : "not ok ");
    print(c->name);
    say("event", e->code);
    say("got", got);
    say("want", want);
    print("\r\n");
    failed |= !good;
}

/* The mispredicted branches in so many turns: those that go to a target of their own, each n-th. */
static uint64_t missed(const struct content *c, unsigned what)
{
    static const uint8_t in[WHATS] = {[BRANCHES] = INDIRECT_OR_RETURNS,
                                      [TAKEN] = INDIRECT_OR_RETURNS,
                                      [NEAR_TAKEN] = INDIRECT_OR_RETURNS,
                                      [CALLS] = INDIRECT_CALLS,
                                      [INDIRECT_CALLS] = INDIRECT_CALLS,
                                      [INDIRECT] = INDIRECT,
                                      [RETURNS] = RETURNS};
    return in[what] ? c->holds[in[what]] * c->turns / MISS_EVERY : 0;
}

/* Exactly the content, or each n-th of it, or at least that. */
static void check_content(const struct event *e, const struct content *c)
{
    unsigned what = e->what & ~BY_RULE;
    uint64_t got = added(0, e->code, c), want = c->holds[what == ASSISTS ? INSTRUCTIONS : what] * c->turns;
    bool by_rule = e->what & BY_RULE || what == ASSISTS;
    if (what == CLOCKS) {
        tell(e, c, got >= c->turns / 256, got, c->turns / 256);
        return;
    }
    if (by_rule)
        want = what == ASSISTS ? want / ASSIST_EVERY : missed(c, what);
    tell(e, c, by_rule ? got + SLACK_BY_RULE - want <= 2 * SLACK_BY_RULE : got == want, got, want);
}

static void check_event(const struct event *e)
{
    unsigned what = e->what & ~BY_RULE;
    if (received_only && what != INTERRUPTS)
        return;
    check_content(e, what == FAR || what == PAUSES ? &rare : what == INTERRUPTS ? &received : &mixed);
    if (long_too)
        check_content(e, &straight);
    if (e->not_on != NO_COUNTER)
        tell(e, &mixed, added(e->not_on, e->code, &mixed) == 0, 0, 0);
}

static void check_all(void)
{
    uint32_t leaf[4];
    cpuid(10, leaf);
    version = leaf[0] & 0xff;
    stop(0); /* after a reset GLOBAL_CTRL has the GP counters' bits set */
    load_interrupt_table();
    apic_write(APIC_SPURIOUS, SPURIOUS_ENABLE | 0xff);
    for (unsigned i = 0; i < event_count; i++)
        check_event(&events[i]);
    done = 1;
}

/* Continues on the second CPU. */
static void check_there(void)
{
    cpus_begin_at(check_all);
    apic_command(1, ICR_ASSERT | ICR_INIT);
    for (volatile unsigned i = 0; i < 3000000; i++)
        ;
    send_startup(1);
    while (!done)
        __asm__ volatile("pause");
}

void kernel_main(uint32_t magic, uintptr_t information)
{
    const char *line = command_line(magic, information);
    print("foreign kernel: events, arguments=\"");
    print(line);
    print("\"\r\n");
    for (unsigned i = 0; i < sizeof(cores) / sizeof(cores[0]); i++)
        if (has_word(line, cores[i].letter)) {
            events = cores[i].events;
            event_count = cores[i].count;
        }
    failed |= !event_count;
    long_too = has_word(line, "l");
    received_only = has_word(line, "r");
    if (has_word(line, "2"))
        check_there();
    else
        check_all();
    end();
}
