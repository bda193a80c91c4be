/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What exits when the guest continues: the table's row for the state (state.c), plus what current events need.
 * Such events last a few instructions and are facts about the guest, not ways of running.
 */
#include "hosting/monitor/run/intercept.h"
#include "boot/cpu.h"
#include "hosting/monitor/guest/forced.h"
#include "hosting/monitor/guest/guest.h"
#include "hosting/monitor/guest/time.h"
#include "hosting/monitor/run/nested.h"
#include "hosting/monitor/step/foreign.h"

/*
 * An instruction that the CPU has to execute alone: an access to the APIC's page, which was opened for it, or the IRET
 * that ends an NMI. TF is set for it, and its #DB exits. If an interrupt came, the handler's first instruction would
 * take that step, so a foreign guest gets none meanwhile; this image's in-guest half tells the two apart.
 */
static bool one_step(const struct vcpu *v)
{
    return v->apic.open || v->returning;
}

void intercepts_set(struct vcpu *v, bool inside)
{
    const struct state_rule *rule = state_rule(v->whose, v->running);
    struct vmcb *c = v->vmcb;
    /* A foreign guest about to return to a counted CPL 3: IRET exits, and SYSRET, which was made undefined. */
    bool watch = is_foreign(v) && foreign_watches(v);
    u64 what = rule->intercepts & ~(keeps_time(v) ? 0 : INTERCEPT_TSC);
    u32 exceptions = rule->exceptions;
    if (is_foreign(v) && v->setup.cpus > 1)
        what &= ~INTERCEPT_MWAIT;
    if (v->idle.behind)
        what = (what & ~(INTERCEPT_HLT | INTERCEPT_MWAIT)) | INTERCEPT_INTR;
    if (guest_time_asks(v))
        what |= INTERCEPT_TSC | INTERCEPT_INTR;
    v->iret_exits = iret_must_exit(v, inside);
    if ((v->iret_exits || watch) && !v->returning)
        what |= INTERCEPT_IRET;
    if (one_step(v) && !rule->stepped)
        exceptions |= BIT(VECTOR_DB);
    if (watch || (is_foreign(v) && !rule->stepped && forced_offered()))
        exceptions |= BIT(VECTOR_UD);
    vmcb_intercept(c, what);
    nested_choose(v, is_foreign(v) && !rule->shadowed && !inside); /* hidden memory includes the in-guest half */
    c->intercept_control = rule->controls;
    c->intercept_debug = is_foreign(v) && rule->stepped ? DEBUG_DR6 : 0; /* each of our traps sets BS */
    c->intercept_exceptions = exceptions;
    c->interrupt_control = is_foreign(v) && one_step(v) ? MASK_INTERRUPTS : 0;
}
