/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Serial ports are watched only from time to time: the guest's next access exits, and those that follow do not. So
 * output costs the guest nothing.
 */
#include "hosting/monitor/run/silence.h"
#include "hosting/monitor/run/enter.h"
#include "hosting/monitor/step/step.h"
#include "hosting/monitor/vmrun.h"
#include "kernel/core/time.h"
#include "kernel/log/log.h"
#include "kernel/register/instructions.h"

#define SILENT_SECONDS 30
#define LOOK_SECONDS 2
#define TRAPS_BETWEEN 65536u /* traps in the in-guest half between two exits for this */

static const u16 ports[] = {0x3f8, 0x2f8, 0x3e8, 0x2e8};
/* The machine's TSC at the last line, and at the last look. */
static u64 given, looked;

static void watch_ports(bool on)
{
    for_each_row (ports, port)
        monitor_intercept_port(*port, on);
}

static void tell(const struct vcpu *v, const struct frame *f, u64 seconds)
{
    const struct stepper_statistics *s = &v->statistics;
    f = v->in_stub ? (const struct frame *)v->stub_frame : f;
    log_line("# host cpu=%u silent-seconds=%lu instructions=%lu steps=%lu exits=%lu rip=0x%lx cpl=%u running=%s",
             v->cpu, (unsigned long)seconds, (unsigned long)s->retired, (unsigned long)s->steps,
             (unsigned long)s->exits, f->rip, (unsigned)(f->cs & 3), running_name[v->running]);
}

/* The first CPU that comes here after LOOK_SECONDS looks for all. */
void silence_look(struct vcpu *v, const struct frame *f)
{
    u64 second = time_tsc_khz() * 1000, now = rdtsc(), last = __atomic_load_n(&looked, __ATOMIC_RELAXED);
    if ((s64)(now - last) < (s64)(LOOK_SECONDS * second) ||
        !__atomic_compare_exchange_n(&looked, &last, now, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return;
    if (!last)
        given = now;
    u64 silent = now - given;
    if (silent >= SILENT_SECONDS * second) {
        tell(v, f, silent / second);
        given = now;
    }
    watch_ports(true);
}

void silence_look_inside(struct vcpu *v)
{
    if (is_foreign(v) && v->statistics.traps % TRAPS_BETWEEN == 0)
        stepper_call(CALL_NOTHING, 0);
}

void silence_ends(struct vcpu *v, struct frame *f)
{
    if (is_stepped(v))
        step_interrupted(v, f);
    given = rdtsc();
    watch_ports(false);
}
