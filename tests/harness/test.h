/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * All that a test uses, by subject. One file is one test; its opening comment says what the hardware promises
 * (docs/tests.md). The harness selects, brackets, judges, restores and reports; a test only uses the hardware and
 * checks.
 */
#pragma once

#include "boot/bits.h"
#include "boot/cpu.h"
#include "harness/core/aspect.h"
#include "harness/core/budget.h"
#include "harness/core/errata.h"
#include "harness/core/form.h"
#include "harness/core/random.h"
#include "harness/core/reason.h"
#include "harness/core/results.h"
#include "kernel/core/memory.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/firmware/power.h"
#include "kernel/interrupt/apic.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/instructions.h"
#include "kernel/text/text.h"
#include "pmu/area/ds.h"
#include "pmu/area/trace_area.h"
#include "pmu/count/counter.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/counters.h"
#include "pmu/cpu/pebs.h"
#include "pmu/gate/gate.h"
#include "pmu/gate/write.h"
#include "pmu/registers.h"
#include "pmu/run/pmi.h"
#include "pmu/state/handoff.h"
#include "pmu/state/register.h"
#include "pmu/workload/workload.h"

/*
 * ---- Ending early, never from a PMI hook. The reason contains the value read. The second form adds a code for what
 * happened, if a person can do something about it.
 */
__attribute__((format(printf, 2, 3))) _Noreturn void skip(struct test *t, const char *reason, ...);
__attribute__((format(printf, 3, 4))) _Noreturn void skip_for(struct test *t, enum reason code, const char *reason,
                                                              ...);
/* Skips the test unless this need of the CPU is met: for needs that only a part of a test has, or that depend on what
 * it reads. All others stand in its declaration. */
void need(struct test *t, const struct needs *needs);
/* The write gate has refused the last write: skips the test, with the rule that refused it. */
_Noreturn void skip_refused(struct test *t);
__attribute__((format(printf, 2, 3))) _Noreturn void error(struct test *t, const char *reason, ...);
__attribute__((format(printf, 3, 4))) _Noreturn void error_for(struct test *t, enum reason code, const char *reason,
                                                               ...);

/*
 * ---- Checks. Each has a permanent label. They return whether the check held; the test may continue either way. Label,
 * register and bit identify a check: inside repeat_clean() a check that fails less often than it holds is only
 * `review`, so checks with different expectations need different labels there.
 */
bool check_equal(struct test *t, const char *label, u64 got, u64 want, u32 msr); /* msr 0: no register */
/*
 * Both read the register, and if the manual says what all of it shows (harness/whole.h), its other bits are compared
 * under the same label. `bit` is one of its bits: STATUS_CTR_FRZ, BIT(c.bit).
 */
bool check_bit(struct test *t, const char *label, u32 msr, u64 bit, bool want);
bool check_bits(struct test *t, const char *label, u32 msr, u64 mask, u64 want); /* (value & mask) == want */
/* For facts without a number: `want` is a constant text, "a count"; got is the value seen instead. */
__attribute__((nonnull)) bool check_true(struct test *t, const char *label, bool held, u64 got, const char *want,
                                         u32 msr);
bool check_range(struct test *t, const char *label, u64 got, u64 low, u64 high, u32 msr);
/* A refused write (FAULT_REFUSED) says nothing about the hardware: the test is then skipped as by skip_refused(). */
bool check_fault(struct test *t, const char *label, fault_t got, fault_t want, u32 msr);
/* For an exact count of instructions, if no slope is possible: compares values with the same start and stop. */
bool check_count(struct test *t, const char *label, u64 got, u64 want, u32 msr);
/* Names the aspect of a check if its helper cannot know it: check_equal(about(t, ASPECT_...), ...) */
struct test *about(struct test *t, u64 aspects);

/*
 * This counter may overflow as it is stopped, or as its core goes to sleep: on some CPUs its STATUS bit then stays set,
 * which is no failure in later tests either. Call it before that is provoked.
 */
void may_overflow_at_stop(struct test *t, struct counter counter);

/* ---- Registers. After a fault or a refused write the test ends as an error that names the register. */
u64 read_msr(struct test *t, u32 msr);
void write_msr(struct test *t, u32 msr, u64 value);

/* ---- The judging protocol (silicon brackets, discarded and repeated blocks, statistics). */
/*
 * Counts `w` with the counters already set up (counter_setup) and returns for each of `n` counters the most frequent
 * value of count(k2) - count(k1) over clean repeats. Without a clean repeat the test ends as an error. At CPL 3 (user)
 * both runs are read there, long after the change of ring: count_settled(). At CPL 0 fixed counters that are on alone
 * are started in the order that makes their count exact, fixed_switch(); together with others they are not.
 */
struct slope {
    u64 mode; /* the most frequent difference */
    u32 clean, outliers;
    const struct tally *all; /* all differences; valid until the next count_slope() */
};
void count_slope(struct test *t, const struct workload *w, const struct counter *list, unsigned n, u64 k1, u64 k2,
                 bool user, struct slope *slope);
/*
 * Checks in each clean repeat that the slope is k2 - k1 times what the block retires. Returns whether the mode was
 * right. Counts instructions, unless the test says otherwise; if nothing is to be counted, no count can be inexact.
 */
bool check_slope(struct test *t, const char *label, const struct counter *counter, const struct slope *slope, u64 want);
/*
 * Repeats body(t, argument) within the budget (at least 100 times in normal mode) until it returns false; each repeat
 * is bracketed, and discarded if it is not clean. Returns the number of clean repeats.
 */
u32 repeat_clean(struct test *t, bool (*body)(struct test *t, void *argument), void *argument);
/* Has the thermal monitor slowed the clock in a repeat so far? Then cycles and times are measured, not judged. */
bool throttled(const struct test *t);
/* Settle time after stopping counters: at least 10 us and 5,000 TSC ticks. */
void settle(void);

/* ---- Measurements. Each CPU collects its samples; the boot CPU prints them as one `# measure` line. */
void measure(struct test *t, const char *name, const char *unit, u64 sample);

/*
 * ---- Lines of the log without a verdict, one for all CPUs with the same text: "# kind subject cpus=0-3 text rest".
 * `kind` and `rest` must be constant texts; not inside repeat_clean().
 */
__attribute__((format(printf, 5, 6))) void note(struct test *t, const char *kind, const char *subject, const char *rest,
                                                const char *format, ...);
/* Like note(), without cpus=: about the whole machine. */
__attribute__((format(printf, 5, 6))) void note_machine(struct test *t, const char *kind, const char *subject,
                                                        const char *rest, const char *format, ...);

/* ---- ALL_TOGETHER: all CPUs of the test meet. Bounded; false if one does not come, and then the test is an error. */
bool barrier(struct test *t);

/* ---- Loops over counters. */
#define for_each_counter(t, c)                                                                               \
    for (struct counter list_##c[COUNTERS_MAX], *c = list_##c, *end_##c = c + counters((t)->caps, list_##c); \
         c < end_##c; c++)
#define for_each_gp_counter(t, n) for_each_gp ((t)->caps, n)
#define for_each_fixed_counter(t, i) for_each_fixed ((t)->caps, i)

/* ---- The cells that a test's repeats go through, and the counter of each repeat. */
/* Does it count retired instructions or branches, so that its value is exact? Cycles and slots are not exact. */
bool counts_exactly(struct counter counter);
/* Is its control what its register reads? Only then bits can be added to what was read. */
static inline bool control_reads_back(const struct test *t, struct counter c)
{
    return c.fixed || class_evtsel_reads_back(t->caps, c.index);
}
/*
 * Does it count in any code that is long enough? Fixed counters 4 and 5 do not: they count slots lost to bad
 * speculation and to the front end, which need not occur.
 */
bool counts_anything(struct counter counter);

/*
 * One counter per repeat: all of them in turn, and after some rounds only those that count exactly, because the blocks
 * of the others are long. If the test's cells have an axis of counters, the cell's counter.
 */
struct counter next_counter(const struct test *t);

/*
 * For a test that goes through its cells by itself, unlike the repeats of count_slope(): `turn` from 0 on; false if
 * there are no more. Afterwards the test is in no cell.
 */
bool next_cell(struct test *t, u32 turn);
#define for_each_cell(t) for (u32 turn_of_cell = 0; next_cell(t, turn_of_cell); turn_of_cell++)

/* How many of these turns each CPU makes: all, but where many CPUs share them (struct budget.share). */
u32 own_share(u32 turns);
/*
 * The turns of this CPU out of 0 .. turns - 1, for a test that runs once: all of them, or one after so many where the
 * CPUs share them; and with something around it a few, which the drawing chooses.
 */
struct own_turns {
    u32 first, step;
};
struct own_turns own_turns(const struct test *t, u32 turns);
#define for_each_own_turn(t, turn, turns)                                                            \
    for (struct own_turns own_##turn = own_turns(t, turns), *once_##turn = &own_##turn; once_##turn; \
         once_##turn = NULL)                                                                         \
        for (u32 turn = own_##turn.first; turn < (turns); turn += own_##turn.step)

/* ---- How many slow samples are enough when time is short; otherwise the harness decides. */
#define SAMPLES_QUICK 6
#define SAMPLES_SLOW 25 /* samples that take many milliseconds each: a failure one time in nine is seen with 95 % */
#define QUICK_REPEATS 20

/*
 * The return value of a repeated body: does it want more samples? `kinds` is for bodies that test one of `kinds`
 * subjects per repeat: each subject, and each of the test's cells, gets a turn.
 */
static inline bool more_samples_of(struct test *t, u32 kinds)
{
    u32 least = kinds > t->cells ? kinds : t->cells, quick = own_share(SAMPLES_QUICK);
    t->turns = least;
    return t->turn + 1 < (least > quick ? least : quick) || budget().repeats > QUICK_REPEATS;
}

static inline bool more_samples(struct test *t)
{
    return more_samples_of(t, 1);
}

/* The same for a body that is slow by nature: sleeps, branch records read twice. */
static inline bool more_slow_samples(struct test *t)
{
    return more_samples(t) && t->turn + 1 < own_share(SAMPLES_SLOW);
}

/* ---- Ways to make counters count and overflow, for many tests. All act on the calling CPU. */
/* Stores the counters of the CPU that can count an architectural event, GP first; returns their number. */
unsigned counters_for(const struct test *t, u16 event, struct counter list[COUNTERS_MAX]);
/* Stores all GP counters; returns their number. */
unsigned gp_counters(const struct test *t, struct counter list[COUNTERS_MAX]);
/* The GP counter for this turn: one after another, starting over after the last. */
struct counter gp_in_turn(const struct test *t, u32 turn);
/* Programs each of them for `event`, value 0. */
void setup_counters(const struct counter *list, unsigned n, u16 event, unsigned flags);
/* The flags that let a counter count in the ring of the test's cell; at CPL 3 they also count the transition. */
unsigned ring_flags(const struct test *t);
#define ON_THE_WAY 1000 /* more instructions or cycles than the transition has */
/* Runs k iterations of the default block in the ring of the test's cell, with the counters in `mask`
 * (IA32_PERF_GLOBAL_CTRL bits) on. */
void run_block(const struct test *t, u64 mask, u64 k);

/*
 * Like run_block(), started in the order that errata ask for: the GP counters together, then the fixed ones in a run of
 * their own by fixed_switch().
 */
void run_block_exactly(const struct test *t, u64 mask, u64 k);

/*
 * Can its overflow bit, after it was cleared and the counter written, be set a second time, with another PMI? Intel's
 * event lists say so of reference cycles, whose counter takes values over with a slower clock; software should ignore
 * it.
 */
bool overflows_again(struct counter counter);
/*
 * Programs one counter a little below its end and runs a block that makes it overflow: a GP counter and fixed counter 0
 * by instructions, others by their own event; in the ring of the test's cell, and with all others on if the cell says
 * so. The overflow is at least 64 instructions before the block's end: a counter that is stopped as it overflows can
 * leave a status bit that never clears (BJ58, BV85, AAJ143).
 */
void provoke_overflow(const struct test *t, struct counter counter, unsigned flags);
/* Like provoke_overflow(), for all counters that count exactly, at once; returns their IA32_PERF_GLOBAL_STATUS bits. */
u64 provoke_all(const struct test *t, unsigned flags);
#define PROVOKE_EVENTS 16 /* instructions up to their overflow */

/* ---- PMIs of the calling CPU. End each of these with pmi_close(). */
/* The PMI delivery of the test's cell. */
enum pmi_delivery cell_delivery(const struct test *t);
/* As pmi_open(), and for fixed delivery interrupts on: a PMI is taken when it comes. */
void pmi_listen(enum pmi_delivery delivery, unsigned action);
/* Has one come, at most 20 ms later? Interrupts are off then. */
bool pmi_came(void);
/* pmi_came() as a check, "not-delivered", of the counter of this register (0: of none or all). */
bool check_delivered(struct test *t, u32 msr);
/*
 * Ends pmi_listen() on a CPU of several: one PMI or more has come on the CPU that was to have it (`mine`), none on the
 * others. Labels "not-delivered", "delivered-elsewhere".
 */
void check_only_here(struct test *t, bool mine);
/* How many have come once what was on its way has arrived. Interrupts are off then. */
u32 pmi_settled(void);
/* Has one counter after the other overflow: a PMI must come by this delivery and show the counter's bit. */
void check_overflow_arrives(struct test *t, enum pmi_delivery delivery);

/* Waits until a fixed PMI is requested or in service, at most 20 ms; returns whether it is. */
bool wait_requested(void);

/* ---- Counters that run without a block around them, for tests of freezing. All act on the calling CPU. */
/* Skips the test unless IA32_DEBUGCTL[12], freeze counters on PMI, may be set on this CPU. */
void need_freeze(struct test *t);

/* Retires at least 3 * turns instructions at CPL 0. */
void spin(unsigned turns);
/* The same in the ring of the test's cell; restores the interrupt flag. */
void spin_in_ring(const struct test *t, unsigned turns);
#define SPIN_A_LITTLE 20 /* turns: any counter of instructions moves */

/* Values of all counters, by their bit in IA32_PERF_GLOBAL_CTRL. */
struct counter_values {
    u64 value[64];
};
void read_counters(const struct test *t, struct counter_values *values);

/*
 * Programs all counters for instructions in the ring of the test's cell (fixed ones for their own event), value 0; only
 * the cell's counter if the cell is alone. If `overflows` is not NULL, that counter raises a PMI after some events.
 * Returns the GLOBAL_CTRL bits that start them.
 */
u64 setup_all(const struct test *t, const struct counter *overflows);
/*
 * The same for promises that hold for whatever is counted: GP counters take instructions, branches and core cycles in
 * turn, some of them by cycles (CMASK), and each counter the rings of OS, of USR or of both; the one that overflows
 * counts in the ring of the test's cell in any case. `mix` chooses where the turns begin.
 */
u64 setup_mixed(const struct test *t, const struct counter *overflows, u32 mix);
/* A mix for a test with cells: the same in each repeat in the same cell. */
u32 cell_mix(const struct test *t, struct counter counter);
/* The counters, by their bits in IA32_PERF_GLOBAL_CTRL, whose controls let them count in the ring of the test's cell.
 */
u64 counters_of_ring(struct test *t);
/* Programs all counters that count exactly to overflow together, and each to raise a PMI. Returns their bits. */
u64 setup_together(const struct test *t);
/* Starts them; if the ring is 3, runs its code until a PMI has come, at most 20 ms. */
void start_in_ring(struct test *t, u64 mask);

/*
 * Does each counter move while code runs in the ring of the test's cell, if its control lets it count there? One of a
 * slow clock may take some time to, and one that need not count (fixed counters 4 and 5) is not asked.
 */
void check_moving(struct test *t, const char *label);
/* Does every counter keep its value although code runs? */
void check_stopped(struct test *t, const char *label);

/* ---- The promises that general-purpose and fixed counters share about what they count. All act on the calling CPU. */
/*
 * Runs the block in two lengths and checks that each counter, already set up, counts `each` per additional iteration.
 * Only the difference is judged, so it does not include the cost of starting and stopping, which no manual states.
 */
void check_counted(struct test *t, const char *label, const struct workload *w, const struct counter *list, unsigned n,
                   u64 each);
/* Programs each counter with `select`, a whole event select except EN, which it adds; the counters start from 0. */
void select_event(struct test *t, const struct counter *list, unsigned n, u64 select);
/* Conditional branches per iteration: the loop's own and, in the block "branches", one taken and one not taken. */
struct conditional_block {
    const char *block;
    u64 each;
};
extern const struct conditional_block conditional_blocks[2];
/*
 * Like check_counted(), for retired instructions or branches at CPL 0, or in the rings of the test's cells, which it
 * sets up; the label is the block's name.
 */
void check_exact(struct test *t, const char *block, const struct counter *list, unsigned n, u16 event);

/* What the enable bits for CPL 0 and for CPL 1 to 3 let through, with the block at CPL 0 or (user) at CPL 3. */
struct filter {
    const char *label;
    unsigned flags;
    bool user, counts;
    u64 aspects; /* 0: the exact count of what must be counted; at CPL 3 the transitions may be counted too */
};
/* Counters of instructions are judged exactly; others only if they have no reason to move: off at CPL 0. */
void check_filter(struct test *t, const struct filter *filter, const struct counter *list, unsigned n);
/* Checks each filter at CPL 3, and at CPL 0 the one that must not count there. Labels: "usr-at-cpl-0" and so on. */
void check_filters(struct test *t, const struct counter *list, unsigned n);

/*
 * Cycles for the default block: noise can only add cycles, so the fastest of many runs of each length is what the CPU
 * needs, and the difference is the cost of the longer one's additional work.
 */
#define CYCLES_SHORT_K 2
#define CYCLES_LONG_K 20
struct fastest {
    u64 shorter, longer; /* 0: none yet */
};
/* Adds a run of k iterations, one of the two above. */
void fastest_add(struct fastest *fastest, u64 k, u64 cycles);
/*
 * No core retires more than 16 instructions per cycle, and warm arithmetic never takes 64 cycles per instruction. Label
 * "implausible"; the test is skipped if the thermal monitor slowed the clock.
 */
void check_cycles(struct test *t, const struct fastest *fastest, u32 msr);

/*
 * ---- Counts at CPL 3 by counters for one ring. Around a change of ring such a counter may not count for a brief
 * period (BDM120, SKL117, KBL63, CML62), so its value is read at CPL 3 itself, by RDPMC, long after the change.
 */
/*
 * With the counters in `list` on, which must be set up, runs `work` (struct workload.user_work, or code like it) at CPL
 * 3: first long enough for any brief period to be over, then k1 times, then k2 times. difference[i] is how much more
 * counter i counted for k2 than for k1: both include the cost of reading it. A fault of RDPMC ends the test as an
 * error. Interrupts are off.
 */
void count_settled(struct test *t, void (*work)(void), const struct counter *list, unsigned n, u64 k1, u64 k2,
                   u64 *difference);

/*
 * ---- Walks a register bit by bit: changes one bit of its present value, reads it, and restores it at once. The write
 * gate decides which bits may be tried. Only while no counter is on.
 */
/* What became of each bit; each is in one of the first four masks. */
struct bit_walk {
    u64 kept;          /* reads back as written */
    u64 dropped;       /* accepted, but reads as before */
    u64 fault;         /* #GP */
    u64 untried;       /* refused by the gate */
    u64 claimed;       /* of IA32_PERF_GLOBAL_INUSE, by writes that faulted */
    u64 unstable;      /* two reads differ although nothing counts: not to be hashed */
    u64 before, after; /* the register before and after the walk: both must be equal */
};

/*
 * `seen`: the register that shows the effect, `msr` itself except for IA32_PERF_GLOBAL_STATUS_SET. After an SMI or a
 * foreign write the walk is repeated, three times at most; then the test is an error.
 */
void walk_bits(struct test *t, u32 msr, u32 seen, struct bit_walk *walk);

/* Continues the CRC-32 `crc` over the stable bits of the results: equal machines give equal numbers. */
u32 walk_crc32(u32 crc, u32 msr, const struct bit_walk *walk);

/*
 * Walks the registers first + n, with n the bits of `members` (1: only `first`), passes each result to judge(), and
 * notes "# bits reg=... kept=...", one line for neighbours with equal results.
 */
void walk_family(struct test *t, u32 first, u32 members, u32 seen,
                 void (*judge)(struct test *t, u32 msr, const struct bit_walk *walk));

/* Checks that the register reads the same after the walk as before. Label "not-restored". */
void check_restored(struct test *t, u32 msr, const struct bit_walk *walk);
/* Checks that all `bits` that were tried are kept (or that they fault). */
void check_kept(struct test *t, const char *label, u32 msr, const struct bit_walk *walk, u64 bits);
void check_faulting(struct test *t, const char *label, u32 msr, const struct bit_walk *walk, u64 bits);

/* Checks that writing the bit above a counter's width faults and changes nothing. Labels "accepted", "changed". */
void check_refuses_above(struct test *t, u32 msr, u8 width, u64 kept);
/* Checks that patterns, cut to the width, and single bits read back completely from `seen` after a write to `msr`. */
void check_reads_back(struct test *t, const char *label, u32 msr, u32 seen, u8 width);

/* Is the CPU of a class whose dumps show that reserved bits of the control registers fault? */
bool reserved_bits_judged(const struct pmu_caps *caps);

/* ---- RDPMC at both privilege levels, with programs allowed to use it or not. All act on the calling CPU. */
/* Sets CR4.PCE, which lets programs at CPL 3 execute RDPMC; returns what it was. */
bool set_pce(bool allowed);
/* RDPMC of `index` at CPL 3: the fault, or NO_FAULT with the value in *value (left alone on a fault). */
fault_t rdpmc_value_user(u32 index, u64 *value);
/* RDPMC of `index` at CPL 0 reads what RDMSR of the counter reads, in all its bits. Label "differs". */
void check_rdpmc(struct test *t, u32 index, u32 msr);

/* ---- The order in which counters side by side take one of four states, so that each state meets each other one. Pure.
 */
#define ORDER_STATES 4
#define ORDER_STEPS (ORDER_STATES * ORDER_STATES)

/* A place in the order: its state, 0 to 3, and how many places before it have the same state, 0 to 3. */
struct order_step {
    u8 state, before;
};

/*
 * The places in turn; after the last comes the first. Each state follows each state once, itself included. So if
 * counter i is at place (turn + i) mod 16, 16 turns bring each counter to each place, and each two neighbours into each
 * pair of states. Of all such orders this one brings counters that are further apart into the most pairs: at least 11.
 */
static inline struct order_step order_step(u32 n)
{
    static const struct order_step steps[ORDER_STEPS] = {
        {0, 0}, {0, 1}, {1, 0}, {0, 2}, {2, 0}, {2, 1}, {1, 1}, {3, 0},
        {3, 1}, {0, 3}, {3, 2}, {2, 2}, {3, 3}, {1, 2}, {1, 3}, {2, 3},
    };
    return steps[n % ORDER_STEPS];
}

/*
 * ---- The first thing in a sequence of steps that is not as it must be. What comes after it may follow from it, so
 * that only the first is judged, once the whole sequence has been clean.
 */
#define DISCORD_STEPS 6

struct discord {
    const char *label; /* NULL: all is as it must be */
    u64 got, low, high, aspects;
    u32 msr;
    u32 writes; /* up to it, and the last of them */
    struct {
        u32 msr;
        u64 value;
    } last[DISCORD_STEPS];
};

/* This was written. */
void discord_wrote(struct discord *first, u32 msr, u64 value);

/* Keeps it if `got` is not within the bounds, and if it is the first. */
void discord_range(struct discord *first, const char *label, u64 got, u64 low, u64 high, u64 aspects, u32 msr);
/* The same for a value that must be `want`. */
void discord_unless(struct discord *first, const char *label, u64 got, u64 want, u64 aspects, u32 msr);
/* As a check; one that holds if there is no discord, with the label `otherwise`. */
void check_no_discord(struct test *t, const struct discord *d, const char *otherwise);
/* The last writes before it, if there is one, each as a line of the log: "# steps TEST LABEL seed=3 write=21 ...". */
void discord_tell(struct test *t, const struct discord *d, u64 seed);

/*
 * ---- What a PMU must show after any sequence of writes and runs, by what was written and by what was read before. A
 * test writes through these functions and compares values, overflow bits and claims after each step: nothing may have
 * changed but what the step was for. (That controls stay as written the bracket around each repeat compares.) Judging
 * code: from the manual's sentences, independent of the reference PMU's. Acts on the calling CPU.
 */
struct shadow {
    u64 select[GP_COUNTERS_MAX], fields, status;
    u64 value[64];       /* by the counter's bit */
    u64 debugctl, found; /* the bits of SHADOW_DEBUGCTL in IA32_DEBUGCTL, and what they were at first */
    struct discord discord;
};

#define SHADOW_DEBUGCTL (DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI)

/* One run of all counters: its code, and what was seen of it. */
struct shadow_run {
    u64 first;  /* IA32_PERF_GLOBAL_CTRL for a few instructions, or 0 */
    u64 mask;   /* then, for all of the block */
    u64 k;      /* turns of the default block */
    bool user;  /* it runs at CPL 3, and a little before and after it at CPL 0 */
    bool stops; /* the PMI's handler stops all counters */
    bool nmi;   /* PMIs come as NMIs; while overflow bits stand one by anybody else looks like them */
    u32 pmis;   /* that came */
    u64 ctrl;   /* IA32_PERF_GLOBAL_CTRL in the first one's handler */
};

/* Reads what is there: the controls, of counters that stand still, and their values. */
void shadow_begin(struct test *t, struct shadow *s);
/* The two sets of rings, OS and USR of enum counter_flags, of a counter that its control lets count. */
unsigned shadow_rings(const struct shadow *s, struct counter c);
/* How many events of the counter the block has, if they are instructions or branches; 0: of others nobody knows. */
u64 shadow_events(const struct shadow *s, struct counter c, u64 k);
/* Does it count cycles, of a clock whose overflow bit is set once (overflows_again())? */
bool shadow_clock(const struct shadow *s, struct counter c);
/* The counters with their PMI bit set. */
u64 shadow_interrupting(const struct test *t, const struct shadow *s);
/* How many events are left until it overflows. */
u64 shadow_distance(const struct shadow *s, struct counter c);

/* Each writes the register, and notes it. */
void shadow_select(struct test *t, struct shadow *s, unsigned n, u64 select);
void shadow_fields(struct test *t, struct shadow *s, u64 fields);
void shadow_value(struct test *t, struct shadow *s, struct counter c, u64 value);
void shadow_status_set(struct test *t, struct shadow *s, u64 bits);
void shadow_status_clear(struct shadow *s, u64 bits);
void shadow_debugctl(struct test *t, struct shadow *s, u64 bits);
/* A PMI freezes the counters. */
bool shadow_freezes(const struct shadow *s);

/* Nothing ran: all registers are as noted. After a discord it looks no further. */
void shadow_compare(struct test *t, struct shadow *s);
/* This ran: counters have moved, wrapped, raised a PMI and were frozen as they must; notes where they are now. */
void shadow_compare_run(struct test *t, struct shadow *s, const struct shadow_run *run);

/* ---- What is around a test, on the calling CPU (harness/core/around.h). In a test's first run all of these do
 * nothing. */
/*
 * At the start of a repeat: only these counters (bits of IA32_PERF_GLOBAL_CTRL) are under test. The controls of all
 * others may be whatever is drawn, if the test declares ASIDE_COUNTERS; it should leave them alone. Its own may differ
 * in the fields that it declares as free, but for those of `as_written`. Without this call all are the test's own and
 * none is as written. Stops all counters if any is drawn.
 */
void under_test(struct test *t, u64 counters, u64 as_written);
/* Those of them that are to sample, too; what they sample, and how far from a record, is the set-up's. */
u64 around_samplers(const struct test *t);
#define SAMPLER_FAR 0x1000000 /* events up to the record of a counter that is only around: more than any block has */
/* AROUND_BASE or AROUND_PLACE: where their records, or the DS area, begin: bytes from the start of a page, a multiple
 * of 8. */
u32 around_bytes(const struct test *t, enum around_part part);
