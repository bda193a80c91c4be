/* SPDX-License-Identifier: BSD-2-Clause */
#include "hosting/monitor/run/stray.h"
#include "hosting/monitor/guest/hidden.h"
#include "hosting/monitor/guest/shown.h"
#include "hosting/monitor/run/nested.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/log/log.h"

static _Noreturn void end(const struct vcpu *v, const char *does, u64 physical, u64 rip, struct shown shown)
{
    fatal("reference PMU: the guest's CPU %u %s 0x%lx, which is the monitor's memory, at rip=0x%lx bytes=%s", v->cpu,
          does, physical, rip, shown.bytes);
}

static void tell_load(const struct vcpu *v, u64 physical, u64 rip, struct shown shown)
{
    log_line("# host cpu=%u loads=0x%lx rip=0x%lx bytes=%s reason=\"it is the monitor's memory\"", v->cpu, physical,
             rip, shown.bytes);
}

bool stray_fault(struct vcpu *v, const struct frame *f)
{
    u64 physical = v->vmcb->exit_info2, kind = v->vmcb->exit_info1;
    if (!hidden_has(physical))
        return false;
    if (kind & NESTED_FAULT_TABLE)
        end(v, "has a page table at", physical, f->rip, shown(v, f));
    if (kind & NESTED_FAULT_FETCH)
        end(v, "jumps to", physical, f->rip, shown(v, f));
    if (kind & NESTED_FAULT_WRITE)
        end(v, "stores to", physical, f->rip, shown(v, f));
    tell_load(v, physical, f->rip, shown(v, f));
    v->stray.noted = false;
    nested_show_ones(v, physical);
    return true;
}

/* If the in-guest half has called, the instruction is the one that it is about to step. */
void stray_look(struct vcpu *v, const struct frame *f)
{
    u64 physical = v->stray.physical, region = 1 + (physical >> NESTED_LARGE_SHIFT);
    if (!v->stray.noted)
        return;
    u64 rip = v->in_stub ? ((const struct frame *)v->stub_frame)->rip : f->rip;
    struct shown bytes = v->in_stub ? shown_current(v) : shown(v, f);
    if (v->stray.stores)
        end(v, "stores to", physical, rip, bytes);
    if (region != v->stray.told)
        tell_load(v, physical, rip, bytes);
    v->stray.told = region;
    v->stray.noted = false;
}
