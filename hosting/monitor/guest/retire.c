/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The one place where an instruction retires: code that has completed one (a trap, an emulation, an exit) reports it to
 * the model here, once.
 */
#include "hosting/monitor/guest/retire.h"
#include "hosting/monitor/vcpu.h"

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
    v->access = ACCESS_NONE; /* an instruction that is emulated without step_look() has no operand */
    v->execution = EXECUTION_OTHER;
    v->statistics.retired++;
    if (model_stepping(v->model) || kind == RETIRED_WRMSR)
        model_retire(v->model, &instruction);
}
