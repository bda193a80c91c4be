/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of clocks, of rare events, and of delays. All of them change data only. */
#include "reference/deviations/stand_in.h"

VARIATION(start_stop_none, DATA(m->p.start_stop = COUNT_NEITHER),
          "neither the starting nor the stopping WRMSR is counted", "no manual says", ALSO_ON("haswell", "lunar-lake"));
VARIATION(start_stop_both, DATA(m->p.start_stop = COUNT_BOTH), "the starting and the stopping WRMSR are counted",
          "no manual says", ALSO_ON("lunar-lake"));
VARIATION(start_stop_stop, DATA(m->p.start_stop = COUNT_STOP), "the stopping WRMSR is counted, the starting one is not",
          "no manual says", ALSO_ON("lunar-lake"));
VARIATION(write_uncounted, INSTEAD(write_counted, true, false),
          "a WRMSR to the value of a counter that counts is not counted there", "no manual says",
          ALSO_ON("haswell", "lunar-lake"));
VARIATION(ref_cycles_step, DATA(m->p.ref_step = 24), "fixed counter 2 advances in steps of 24 (data)",
          "bus or crystal ratio", ALSO_ON("lunar-lake"));
VARIATION(ref_cycles_boot_ratio, DATA(m->p.tsc_ratio = m->p.core_ratio),
          "fixed counter 2 runs at the maximum ratio (data)", "W145");
VARIATION(slots_halved, DATA(m->p.slots /= 2), "half of the slots go to the other thread (data)",
          "hyper-threading with a busy sibling", ON("ice-lake"), ALSO_ON("lunar-lake"));

static void throttled(struct model *m)
{
    m->p.throttled = true;
    m->p.stored[STORED_THERM_STATUS].reset |= THERM_PROCHOT | THERM_PROCHOT_LOG;
    m->p.stored[STORED_PACKAGE_THERM_STATUS].reset |= THERM_PROCHOT | THERM_PROCHOT_LOG;
}
VARIATION(throttled, NO_RULE, "thermal throttling: half the core cycles, PROCHOT shown (data)", "TM1",
          ALSO_ON("lunar-lake"), PREPARED(throttled));

/* However good caches and predictors are, events that a test provokes happen sometimes: these are the lowest rates. */
#define SELDOM_INSTRUCTIONS 4000
#define SELDOM_BRANCHES 400
#define SELDOM_WRONG (SELDOM_BRANCHES / 2) /* a two-bit predictor knows every other one */

VARIATION(llc_seldom, DATA(m->p.llc_reference_every = m->p.llc_miss_every = SELDOM_INSTRUCTIONS),
          "LLC events come once in 4,000 instructions (data)", "large caches below it");

static void mispredictions_seldom(struct model *m)
{
    m->p.branch_miss_every = SELDOM_BRANCHES;
    m->p.wrong_every = SELDOM_WRONG;
}
VARIATION(mispredicts_seldom, NO_RULE, "one branch in 400 is mispredicted (data)", "a good predictor",
          ALSO_ON("lunar-lake"), PREPARED(mispredictions_seldom));
VARIATION(little_bad_speculation, DATA(mispredictions_seldom(m); m->p.leaf0a[2] = m->p.fixed_bitmap),
          "leaf 0AH shows the fixed counters of slots too, and few are lost to wrong speculation (data)",
          "a good predictor; Clearwater Forest", ON("lunar-lake"), THOROUGHLY);
VARIATION(pebs_residual_late, DATA(m->p.pebs_residual = 400000),
          "a record left by a stop is written 400000 ticks later (data)",
          "the manual's quiescent period has no length");
VARIATION(pmi_immediate, DATA(m->p.skid_min = 0; m->p.skid_spread = 1), "the PMI comes at the next instruction (data)",
          "no bound in the manual", ALSO_ON("sapphire-rapids"));
VARIATION(pmi_late, DATA(m->p.skid_min = 1; m->p.skid_spread = 500),
          "the PMI comes 1 to 500 instructions after the overflow (data)", "known latencies",
          ALSO_ON("haswell", "lunar-lake"));
