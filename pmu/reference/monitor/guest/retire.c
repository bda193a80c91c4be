/*
 * The one place where an instruction retires: what has completed one (a trap, an emulation, an exit) tells the model
 * here, once, with what it needs to know of it.
 */
#include "pmu/reference/monitor/guest/retire.h"
#include "pmu/reference/monitor/vcpu.h"

void retire(struct vcpu *v, const struct frame *f, enum retired_kind kind, u64 rip, u8 cpl, bool taken)
{
    struct retired instruction = {.kind = kind,
                                  .cpl = cpl,
                                  .cpl_after = f->cs & 3,
                                  .taken = taken,
                                  .branch = kind == RETIRED_BRANCH ? v->current->branch : BRANCH_OTHER,
                                  .access = v->access,
                                  .execution = v->execution,
                                  .rip = rip,
                                  .address = v->address};
    v->retiring = f;
    v->access = ACCESS_NONE; /* what is emulated without being looked at has no operand */
    v->execution = EXECUTION_OTHER;
    v->statistics.retired++;
    if (model_stepping(v->model) || kind == RETIRED_WRMSR)
        model_retire(v->model, &instruction);
}
