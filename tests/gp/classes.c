/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How often an instruction of a class is counted as retired is a fingerprint of a model: some models count REP strings,
 * CPUID, PAUSE, far returns and faulting instructions differently. Each class runs at CPL 3 with a counter that counts
 * only there, so that the kernel's work is not counted. Measured is the difference between a longer and a shorter run
 * without the loop itself, for four executions.
 *
 * Of three classes no CPU is known to count anything but one for each instruction: a plain one, one with a LOCK prefix,
 * and a comparison with the conditional jump that it is fused with, which are two. These are judged exactly. Both runs
 * are made and read without leaving CPL 3, long after the change of ring: a counter for one ring may miss events right
 * after it.
 */
#include "harness/test.h"

#define SHORT_K 1
#define LONG_K 5
#define LOOP 4 /* SUB, LEA, JC and JMP around the class */

#define CLASS(name) void class_##name##_work(void)
CLASS(plain);
CLASS(pause);
CLASS(cpuid);
CLASS(rep_movsb);
CLASS(lock_add);
CLASS(fused_branch);
CLASS(far_return);
CLASS(fault);

static const struct {
    const char *name;
    void (*work)(void);
    u64 besides;  /* instructions that prepare the class's */
    u64 promised; /* instructions of the class; 0: CPUs are known to differ */
} classes[] = {
    {"plain", class_plain_work, 0, 1},           {"lock-add", class_lock_add_work, 0, 1},
    {"cmp-jz", class_fused_branch_work, 0, 2},   {"pause", class_pause_work, 0, 0},
    {"cpuid", class_cpuid_work, 1, 0},           {"rep-movsb-5-bytes", class_rep_movsb_work, 3, 0},
    {"far-return", class_far_return_work, 3, 0}, {"fault", class_fault_work, 0, 0},
};

/* The classes that are judged have two turns, as a foreign NMI may disturb one. */
#define JUDGED 3
#define TURNS (ARRAY_SIZE(classes) + JUDGED)

static bool one_class(struct test *t)
{
    unsigned which = t->turn % TURNS % ARRAY_SIZE(classes);
    struct counter counter = gp_counter(t->caps, 0);
    u64 difference;
    count_settled(t, classes[which].work, &counter, 1, SHORT_K, LONG_K, &difference);
    u64 besides = (LOOP + classes[which].besides) * (LONG_K - SHORT_K);
    measure(t, classes[which].name, "instructions", difference > besides ? difference - besides : 0);
    if (classes[which].promised)
        check_count(t, classes[which].name, difference, besides + classes[which].promised * (LONG_K - SHORT_K),
                    MSR_PMC(0));
    return more_samples_of(t, TURNS);
}

static void count_at_cpl_3(struct test *t)
{
    counter_setup(gp_counter(t->caps, 0), ARCH_EVENT_INSTRUCTIONS, COUNT_USR, 0);
}

TEST("gp.classes", .title = "How often classes of instructions are counted",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "A-028,B-065",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .prepare = count_at_cpl_3, .repeat = one_class,
     .measures = true);
