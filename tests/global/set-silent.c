/*
 * IA32_PERF_GLOBAL_STATUS_SET is there to give a guest its state back. The overflow bits of all counters are set by it
 * while the counters' interrupt bits are set, LVTPC is open and interrupts are on: how many PMIs that raises (none is
 * expected) and how many counters it changes is measured.
 *
 * That the bits are set is judged.
 */
#include "harness/provoke.h"
#include "harness/samples.h"

#define VALUE 0x1234

static bool set_all(struct test *t)
{
    u64 all = caps_counter_bits(t->caps), changed = 0;
    for_each_counter (t, c)
        counter_setup(*c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_INT, VALUE);
    pmi_listen(PMI_FIXED, PMI_UNMASK);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_SET, all);
    measure(t, "raised", "pmis", pmi_settled());
    check_bits(t, "not-set", MSR_PERF_GLOBAL_STATUS, all, all);
    for_each_counter (t, c)
        changed += counter_read(*c) != VALUE;
    measure(t, "changed", "counters", changed);
    pmu_status_clear(all);
    pmi_close();
    return more_samples(t);
}

TEST("global.set-silent", .title = "STATUS_SET of overflow bits and PMIs",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 4", .covers = "B-024",
     .needs = {.version = 4, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = set_all, .measures = true);
