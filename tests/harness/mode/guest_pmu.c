/* SPDX-License-Identifier: BSD-2-Clause */
/* What a hypervisor really provides. */
#include "harness/core/judge.h"
#include "harness/mode/session.h"
#include "harness/report/report.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/log/log.h"
#include "kernel/text/text.h"
#include "pmu/count/counter.h"
#include "pmu/cpu/caps.h"
#include "pmu/state/register.h"
#include "pmu/workload/workload.h"

#define TURNS 500 /* 6,006 instructions: hundreds of cycles of the slowest clock that is counted */

static struct {
    const struct pmu_caps *caps;
    struct counter list[COUNTERS_MAX];
    bool counted[COUNTERS_MAX];
    unsigned count;
} guest;

/* Each counter counts instructions if it can, otherwise its own event. */
static void count_at_once(void *argument)
{
    u64 mask = 0;
    (void)argument;
    for (unsigned i = 0; i < guest.count; i++) {
        counter_setup(guest.list[i], ARCH_EVENT_INSTRUCTIONS, COUNT_OS, 0);
        mask |= BIT(guest.list[i].bit);
    }
    struct switch_write all = counters_switch(guest.caps, mask);
    workloads[0].run(&all, TURNS);
    for (unsigned i = 0; i < guest.count; i++)
        guest.counted[i] = counter_read(guest.list[i]) != 0;
}

static void clear_all(void *argument)
{
    (void)argument;
    pmu_stop_all(guest.caps);
    for (unsigned i = 0; i < guest.count; i++)
        counter_clear(guest.list[i]);
}

static unsigned counting(void)
{
    unsigned count = 0;
    for (unsigned i = 0; i < guest.count; i++)
        count += guest.counted[i];
    return count;
}

static void print_line(void)
{
    char still[256] = "", name[REGISTER_NAME_SIZE];
    for (unsigned i = 0; i < guest.count; i++) {
        size_t used = strlen(still);
        if (!guest.counted[i])
            format_text(still + used, sizeof(still) - used, "%s%s", used ? "," : "",
                        register_name(guest.caps, guest.list[i].msr, name));
    }
    log_line("# guest-pmu cpus=0 version=%u enumerated=%u counting=%u still=%s", guest.caps->version, guest.count,
             counting(), still[0] ? still : "none");
    if (still[0])
        report_reason(REASON_CPU_COUNTER_HELD);
}

/* Has each counter been given its chance to count? */
static bool counted_all(void)
{
    struct guard_result clearing, counted;
    if (guest.caps->version < 2 || !caps_event_available(guest.caps, 1))
        return false;
    guest.count = counters(guest.caps, guest.list);
    counted = guarded_call(count_at_once, NULL);
    clearing = guarded_call(clear_all, NULL);
    return !counted.fault && !counted.timeout && !clearing.fault;
}

void guest_pmu_look(bool quiet)
{
    guest.caps = pmu_caps_of(0);
    bool counted = counted_all();
    if (counted && !quiet)
        print_line();
    pmu_caps_guest(&(struct guest_facts){.counter_held = counted && virtual_counter_held(guest.count, counting()),
                                         .strict = !strcmp(option_judge.text, JUDGE_STRICT),
                                         .host_kernel = virtual_host_kernel(option_host_kernel.text)});
}
