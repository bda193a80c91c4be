#include "pmu/errata.h"
#include "kernel/glob.h"

/* A signature without its stepping, and a whole one. */
#define MODEL(signature) (signature), 0x0fff0ff0
#define STEPPING(signature) (signature), 0x0fff0fff

#define INEXACT "instructions retired are now and then counted wrong"
#define STUCK "a status bit cannot be cleared after its counter was disabled as it overflowed"
#define CORRUPT "a write to IA32_FIXED_CTR1 close to its overflow leaves a wrong value"
#define DROPPED "of two fixed counters that overflow close together one is dropped while freezing on PMI"
#define NO_USR "PMC4 to PMC7 do not count what happens at CPL 3 only"
#define UNFROZEN "counters are not frozen reliably before this microcode"
#define FROZEN_4_7 "CTR_FRZ does not stop PMC4 to PMC7"
#define SMI_CLEARS "an SMI clears IA32_DEBUGCTL[12]"

/*
 * Only what these tests can run into: errata of instructions that no counted block contains (REP, VMASKMOV, far
 * transfers, IRET, TSX), of what is measured only, and of starting costs, which differences cancel (HSD143), excuse
 * nothing.
 */
static const struct erratum errata[] = {
    /* Nehalem */
    {"AAJ107", MODEL(0x106a0), 0, 0, 0, "gp.instructions", "*", INEXACT},
    {"AAJ107", MODEL(0x106a0), 0, 0, 0, "fixed.instructions", "*", INEXACT},
    {"AAJ143", MODEL(0x106a0), 0, 0, 0, "overflow.clear", "not-cleared", STUCK},
    {"AAJ148", MODEL(0x106a0), 0, 0, 0, "freeze.*", "*fixed*", DROPPED},
    /* Sandy Bridge, Ivy Bridge */
    {"BJ136", MODEL(0x206a0), 0, 0, 0, "gp.instructions", "*", INEXACT},
    {"BJ136", MODEL(0x206a0), 0, 0, 0, "fixed.instructions", "*", INEXACT},
    {"BJ58", MODEL(0x206a0), 0, 0, 0, "overflow.clear", "not-cleared", STUCK},
    {"BJ54", MODEL(0x206a0), 0, 0, 0, "fixed.read-back", "*", CORRUPT},
    {"BJ74", MODEL(0x206a0), 0, 0, 0, "freeze.*", "*fixed*", DROPPED},
    {"BV112", MODEL(0x306a0), 0, 0, 0, "gp.instructions", "*", INEXACT},
    {"BV112", MODEL(0x306a0), 0, 0, 0, "fixed.instructions", "*", INEXACT},
    {"BV85", MODEL(0x306a0), 0, 0, 0, "overflow.clear", "not-cleared", STUCK},
    {"BV36", MODEL(0x306a0), 0, 0, 0, "fixed.read-back", "*", CORRUPT},
    {"BV72", MODEL(0x306a0), 0, 0, 0, "freeze.*", "*fixed*", DROPPED},
    /* Haswell, Broadwell */
    {"HSD140", MODEL(0x306c0), 0, 0, 0, "gp.instructions", "*", INEXACT},
    {"HSD140", MODEL(0x306c0), 0, 0, 0, "fixed.instructions", "*", INEXACT},
    {"HSD52", MODEL(0x306c0), 0, 0, 0, "freeze.*", "*debugctl*", SMI_CLEARS},
    {"BDM61", MODEL(0x306d0), 0, 0, 0, "gp.instructions", "*", INEXACT},
    {"BDM61", MODEL(0x306d0), 0, 0, 0, "fixed.instructions", "*", INEXACT},
    {"BDM126", MODEL(0x306d0), 0, 1, 0, "gp.filters", "usr-at-cpl-3", NO_USR},
    {"BDD101", MODEL(0x50660), 0, 0, 1, "gp.branches", "*", "the second thread's branch count is wrong"},
    {"BDD116", MODEL(0x50660), 0, 1, 0, "gp.filters", "usr-at-cpl-3", NO_USR},
    /* Skylake to Comet Lake */
    {"SKL90", MODEL(0x506e0), 0, 1, 0, "freeze.*", "*frozen*", FROZEN_4_7},
    {"SKL90", MODEL(0x406e0), 0, 1, 0, "freeze.*", "*frozen*", FROZEN_4_7},
    {"CML56", MODEL(0xa0650), 0, 1, 0, "freeze.*", "*frozen*", FROZEN_4_7},
    /* Goldmont, Denverton, Goldmont Plus: fixed by microcode */
    {"freeze-ucode", STEPPING(0x506c2), 0x0e, 0, 0, "freeze.*", "*", UNFROZEN},
    {"freeze-ucode", STEPPING(0x506c9), 0x2e, 0, 0, "freeze.*", "*", UNFROZEN},
    {"freeze-ucode", STEPPING(0x506ca), 0x08, 0, 0, "freeze.*", "*", UNFROZEN},
    {"freeze-ucode", STEPPING(0x506f1), 0x28, 0, 0, "freeze.*", "*", UNFROZEN},
    {"freeze-ucode", STEPPING(0x706a1), 0x28, 0, 0, "freeze.*", "*", UNFROZEN},
    {"freeze-ucode", STEPPING(0x706a8), 0x06, 0, 0, "freeze.*", "*", UNFROZEN},
};

static bool present(const struct erratum *row, const struct pmu_caps *caps)
{
    return (caps->signature & row->mask) == row->signature &&
           (!row->microcode_fixed || caps->microcode < row->microcode_fixed) &&
           (!row->eight_counters || caps->gp_count == 8) && (!row->smt || caps->threads_per_core != 1);
}

const struct erratum *erratum_for(const struct pmu_caps *caps, const char *test, const char *label)
{
    if (!caps->intel)
        return NULL;
    for_each_row (errata, row)
        if (present(row, caps) && glob_match(row->test, test) && glob_match(row->label, label))
            return row;
    return NULL;
}
