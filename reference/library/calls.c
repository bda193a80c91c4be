/* SPDX-License-Identifier: BSD-2-Clause */
/* The calls of pmumodel.h that the model answers. */
#include "reference/library/instance.h"

void pmumodel_init_signal(struct pmumodel *pmu)
{
    model_init_signal(&pmu->model);
}

void pmumodel_init_pmu(struct pmumodel *pmu)
{
    model_init_pmu(&pmu->model);
}

/* ---- The instructions that the model answers */

bool pmumodel_owns_msr(uint32_t msr)
{
    return model_owns_msr(msr);
}

bool pmumodel_rdmsr(struct pmumodel *pmu, uint32_t msr, uint64_t *value)
{
    return model_rdmsr(&pmu->model, msr, value);
}

bool pmumodel_wrmsr(struct pmumodel *pmu, uint32_t msr, uint64_t value)
{
    return model_wrmsr(&pmu->model, msr, value);
}

bool pmumodel_rdpmc(struct pmumodel *pmu, uint32_t index, uint8_t cpl, bool pce, uint64_t *value)
{
    return model_rdpmc(&pmu->model, index, cpl, pce, value);
}

void pmumodel_cpuid(struct pmumodel *pmu, uint32_t leaf, uint32_t subleaf, const uint32_t native[4], uint32_t out[4])
{
    model_cpuid(&pmu->model, leaf, subleaf, native, out);
}

void pmumodel_apic_written(struct pmumodel *pmu)
{
    if (pmu->model.host.apic_read)
        model_apic_written(&pmu->model);
}

/* ---- Retired instructions */

#define SAME(name) _Static_assert((int)PMUMODEL_##name == (int)name, "the header's number of " #name)
SAME(RETIRED_PLAIN);
SAME(RETIRED_WRMSR);
SAME(RETIRED_XBEGIN);
SAME(BRANCH_CALL);
SAME(BRANCH_JUMP_INDIRECT);
SAME(ACCESS_LOAD);
SAME(ACCESS_STORE);
SAME(EXECUTION_X87);
SAME(BRANCHES_TOGETHER);
SAME(BRANCHES_EACH);

/* These structs have no size in them, and never change theirs. */
_Static_assert(sizeof(struct pmumodel_retired) == 32 && sizeof(struct pmumodel_run) == 64, "structs of instructions");

/* What only a newer header knows is something plain here. */
static uint8_t known(uint8_t number, uint8_t last)
{
    return number <= last ? number : 0;
}

bool pmumodel_stepping(struct pmumodel *pmu)
{
    return model_stepping(&pmu->model);
}

bool pmumodel_stepping_at(struct pmumodel *pmu, uint8_t cpl)
{
    return model_stepping_at(&pmu->model, cpl);
}

void pmumodel_retire(struct pmumodel *pmu, const struct pmumodel_retired *instruction)
{
    struct retired in = {
        .kind = (enum retired_kind)known(instruction->kind, RETIRED_XBEGIN),
        .cpl = instruction->cpl,
        .cpl_after = instruction->cpl_after,
        .taken = instruction->taken,
        .branch = known(instruction->branch, BRANCH_JUMP_INDIRECT),
        .access = instruction->access & (ACCESS_LOAD | ACCESS_STORE),
        .execution = known(instruction->execution, EXECUTION_X87),
        .rip = instruction->rip,
        .address = instruction->address,
    };
    model_retire(&pmu->model, &in);
}

void pmumodel_interrupted(struct pmumodel *pmu, uint8_t cpl)
{
    model_interrupted(&pmu->model, cpl);
}

void pmumodel_delivered(struct pmumodel *pmu, uint8_t vector, uint8_t cpl, uint64_t rip)
{
    model_delivered(&pmu->model, vector, cpl, rip);
}

bool pmumodel_wants_memory(const struct pmumodel *pmu)
{
    return model_wants_memory(&pmu->model);
}

/* ---- Many instructions at once */

uint32_t pmumodel_run_room(struct pmumodel *pmu)
{
    return model_run_room(&pmu->model);
}

enum pmumodel_branches pmumodel_wants_branches(const struct pmumodel *pmu)
{
    return (enum pmumodel_branches)model_wants_branches(&pmu->model);
}

uint32_t pmumodel_branch_room(struct pmumodel *pmu)
{
    return model_branch_room(&pmu->model);
}

bool pmumodel_turns_alike(const struct pmumodel *pmu)
{
    return model_turns_alike(&pmu->model);
}

static struct model_run run_of(const struct pmumodel_run *run)
{
    return (struct model_run){
        .cpl = run->cpl,
        .rip = run->rip,
        .instructions = run->instructions,
        .branches = run->branches,
        .taken = run->taken,
        .conditional = run->conditional,
        .calls = run->calls,
        .returns = run->returns,
        .indirect_calls = run->indirect_calls,
        .indirect_jumps = run->indirect_jumps,
        .loads = run->loads,
        .stores = run->stores,
        .missed_taken = run->missed_taken,
        .missed_not_taken = run->missed_not_taken,
        .alike = run->alike,
    };
}

void pmumodel_run_branch(struct pmumodel_run *run, uint8_t branch, bool taken)
{
    struct model_run in = run_of(run);
    model_run_branch(&in, branch, taken);
    run->branches = in.branches;
    run->taken = in.taken;
    run->conditional = in.conditional;
    run->calls = in.calls;
    run->returns = in.returns;
    run->indirect_calls = in.indirect_calls;
    run->indirect_jumps = in.indirect_jumps;
}

bool pmumodel_predicts(const struct pmumodel *pmu, uint8_t cpl)
{
    return model_predicts(&pmu->model, cpl);
}

void pmumodel_run_predict(struct pmumodel *pmu, struct pmumodel_run *run, uint64_t rip, bool taken, uint32_t times)
{
    struct model_run in = run_of(run);
    model_run_predict(&pmu->model, &in, rip, taken, times);
    run->missed_taken = in.missed_taken;
    run->missed_not_taken = in.missed_not_taken;
}

void pmumodel_retire_run(struct pmumodel *pmu, const struct pmumodel_run *run)
{
    struct model_run in = run_of(run);
    model_retire_run(&pmu->model, &in);
}

/* ---- Time, sleep, transactions, SMIs */

uint64_t pmumodel_ticks(const struct pmumodel *pmu)
{
    return model_ticks(&pmu->model);
}

uint32_t pmumodel_apic_timer_khz(const struct pmumodel *pmu)
{
    return model_apic_timer_khz(&pmu->model);
}

bool pmumodel_has_tsc_adjust(const struct pmumodel *pmu)
{
    return model_has_tsc_adjust(&pmu->model);
}

uint64_t pmumodel_tsc_ahead(const struct pmumodel *pmu)
{
    return model_tsc_ahead(&pmu->model);
}

void pmumodel_halted(struct pmumodel *pmu, bool halted)
{
    model_halted(&pmu->model, halted);
}

void pmumodel_slept(struct pmumodel *pmu)
{
    model_slept(&pmu->model);
}

void pmumodel_smi_asked(struct pmumodel *pmu)
{
    model_smi_asked(&pmu->model);
}

bool pmumodel_transaction_begins(struct pmumodel *pmu)
{
    return model_transaction_begins(&pmu->model);
}

void pmumodel_transaction_aborts(struct pmumodel *pmu)
{
    model_transaction_aborts(&pmu->model);
}
