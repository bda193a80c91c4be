/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of clocks, of rare events, and of delays. All of them change data only. */
#include "reference/deviations/stand_in.h"

static void count_neither(struct model *m)
{
    m->p.start_stop = COUNT_NEITHER;
}
VARIATION(START_STOP_NONE, "start-stop-none", "neither the starting nor the stopping WRMSR is counted",
          "no manual says", ALSO_ON("haswell", "lunar-lake"), DATA(count_neither));

static void count_both(struct model *m)
{
    m->p.start_stop = COUNT_BOTH;
}
VARIATION(START_STOP_BOTH, "start-stop-both", "the starting and the stopping WRMSR are counted", "no manual says",
          ALSO_ON("lunar-lake"), DATA(count_both));

static void count_stop(struct model *m)
{
    m->p.start_stop = COUNT_STOP;
}
VARIATION(START_STOP_STOP, "start-stop-stop", "the stopping WRMSR is counted, the starting one is not",
          "no manual says", ALSO_ON("lunar-lake"), DATA(count_stop));

static void ref_steps(struct model *m)
{
    m->p.ref_step = 24;
}
VARIATION(REF_CYCLES_STEP, "ref-cycles-step", "fixed counter 2 advances in steps of 24 (data)", "bus or crystal ratio",
          ALSO_ON("lunar-lake"), DATA(ref_steps));

static void ref_at_core_ratio(struct model *m)
{
    m->p.tsc_ratio = m->p.core_ratio;
}
VARIATION(REF_CYCLES_BOOT_RATIO, "ref-cycles-boot-ratio", "fixed counter 2 runs at the maximum ratio (data)", "W145",
          DATA(ref_at_core_ratio));

static void half_the_slots(struct model *m)
{
    m->p.slots /= 2;
}
VARIATION(SLOTS_HALVED, "slots-halved", "half of the slots go to the other thread (data)",
          "hyper-threading with a busy sibling", ON("ice-lake"), ALSO_ON("lunar-lake"), DATA(half_the_slots));

static void throttled(struct model *m)
{
    m->p.throttled = true;
    m->p.stored[STORED_THERM_STATUS].reset |= THERM_PROCHOT | THERM_PROCHOT_LOG;
    m->p.stored[STORED_PACKAGE_THERM_STATUS].reset |= THERM_PROCHOT | THERM_PROCHOT_LOG;
}
VARIATION(THROTTLED, "throttled", "thermal throttling: half the core cycles, PROCHOT shown (data)", "TM1",
          ALSO_ON("lunar-lake"), DATA(throttled));

/* However good caches and predictors are, events that a test provokes happen sometimes: these are the lowest rates. */
#define SELDOM_INSTRUCTIONS 4000
#define SELDOM_BRANCHES 400

static void llc_seldom(struct model *m)
{
    m->p.llc_reference_every = m->p.llc_miss_every = SELDOM_INSTRUCTIONS;
}
VARIATION(LLC_SELDOM, "llc-seldom", "LLC events come once in 4,000 instructions (data)", "large caches below it",
          DATA(llc_seldom));

static void mispredictions_seldom(struct model *m)
{
    m->p.branch_miss_every = SELDOM_BRANCHES;
}
VARIATION(MISPREDICTS_SELDOM, "mispredicts-seldom", "one branch in 400 is mispredicted (data)", "a good predictor",
          ALSO_ON("lunar-lake"), DATA(mispredictions_seldom));

static void little_bad_speculation(struct model *m)
{
    mispredictions_seldom(m);
    m->p.leaf0a[2] = m->p.fixed_bitmap;
}
VARIATION(LITTLE_BAD_SPECULATION, "little-bad-speculation",
          "leaf 0AH shows the fixed counters of slots too, and few are lost to wrong speculation (data)",
          "a good predictor; Clearwater Forest", ON("lunar-lake"), THOROUGHLY, DATA(little_bad_speculation));

static void residual_late(struct model *m)
{
    m->p.pebs_residual = 400000;
}
VARIATION(PEBS_RESIDUAL_LATE, "pebs-residual-late", "a record left by a stop is written 400000 ticks later (data)",
          "the manual's quiescent period has no length", DATA(residual_late));

static void pmi_immediate(struct model *m)
{
    m->p.skid_min = 0;
    m->p.skid_spread = 1;
}
VARIATION(PMI_IMMEDIATE, "pmi-immediate", "the PMI comes at the next instruction (data)", "no bound in the manual",
          ALSO_ON("sapphire-rapids"), DATA(pmi_immediate));

static void pmi_late(struct model *m)
{
    m->p.skid_min = 1;
    m->p.skid_spread = 500;
}
VARIATION(PMI_LATE, "pmi-late", "the PMI comes 1 to 500 instructions after the overflow (data)", "known latencies",
          ALSO_ON("haswell", "lunar-lake"), DATA(pmi_late));
