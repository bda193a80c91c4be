/*
 * A counter that is set up by its second names alone counts like any other, and what it has counted reads the same by
 * both names.
 */
#include "harness/counting.h"
#include "harness/second_names.h"

static void by_second_names(struct test *t, struct counter c)
{
    write_msr(t, msr_ctr(c), 0);
    write_msr(t, MSR_PMC_GP_CFG_A(c.index), EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS) | EVTSEL_OS | EVTSEL_EN);
}

static void counted(struct test *t)
{
    need_second_names(t);
    struct counter list[COUNTERS_MAX];
    unsigned n = gp_counters(t, list);
    for (unsigned i = 0; i < n; i++)
        by_second_names(t, list[i]);
    check_counted(t, "count", &workloads[0], list, n, workloads[0].instructions_per_k);
    for (unsigned i = 0; i < n; i++) {
        check_equal(t, "differs", read_msr(t, msr_ctr(list[i])), counter_read(list[i]), list[i].msr);
        counter_clear(list[i]);
    }
}

TEST("alias.counted", .title = "A counter that is set up by its second names counts",
     .spec = "SDM 4, Architectural MSRs", .covers = "B-074", .needs = {.version = 5, .event = 2, .full_width = true},
     .scope = EACH_CPU, .run = counted);
