/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/host/harness/recorded_cpu.h"
#include "harness/protocol.h"
#include "harness/test.h"
#include "tests/host/pmu/cpu_dumps.h"
#include "tests/host/pmu/gate_question.h"

#include "pmu/gate/gate.h"
#include "pmu/run/bracket.h"

#include <stdio.h>
#include <stdlib.h>

#define REGISTERS 32 /* the most registers of a row */
#define REPEATS 3

static const struct recorded_cpu *cpu;
static struct pmu_caps caps;
static u64 values[RECORDED_REGISTERS][REGISTERS], status;
static bool walking;
static struct gate_refusal refusal;
static u64 causes;

const struct pmu_caps *recorded_use(const struct recorded_cpu *recorded)
{
    cpu = recorded;
    caps = cpu_caps(recorded->name);
    memset(values, 0, sizeof(values));
    status = 0;
    return &caps;
}

static const struct recorded_register *find(u32 msr, u64 **value)
{
    for (unsigned i = 0; i < RECORDED_REGISTERS && cpu->reg[i].count; i++) {
        if (msr - cpu->reg[i].first >= cpu->reg[i].count)
            continue;
        *value = &values[i][msr - cpu->reg[i].first];
        return &cpu->reg[i];
    }
    return NULL;
}

/* IA32_PMCn and IA32_A_PMCn are the same counter, stored under the first name. */
static u64 *counter_of(u32 msr)
{
    u64 *value = NULL;
    find(msr >= MSR_A_PMC(0) ? MSR_PMC(msr - MSR_A_PMC(0)) : msr, &value);
    return value;
}

fault_t rdmsr_try(u32 msr, u64 *value)
{
    u64 *kept;
    const struct recorded_register *reg = find(msr, &kept);
    if (msr == MSR_PERF_GLOBAL_STATUS && reg) {
        *value = status;
        return NO_FAULT;
    }
    if (!reg)
        return FAULT_GP;
    if (reg->kind == LEGACY_COUNTER || reg->kind == FULL_COUNTER)
        kept = counter_of(msr);
    *value = reg->reads ? reg->reads : *kept;
    if (msr == MSR_PERF_CAPABILITIES)
        *value = caps.perf_capabilities;
    return NO_FAULT;
}

static void write_counter(u32 msr, const struct recorded_register *reg, u64 value)
{
    if (reg->kind == LEGACY_COUNTER)
        value = (u64)(s64)(s32)value & counter_mask(caps.gp_width);
    *counter_of(msr) = value;
}

/* The hardware's behaviour on a write. */
static fault_t take(u32 msr, u64 value)
{
    u64 *kept;
    const struct recorded_register *reg = find(msr, &kept);
    if (!reg || reg->kind == READ_ONLY || value & reg->faults)
        return FAULT_GP;
    value &= ~reg->dropped;
    if (reg->kind == RESETS_STATUS)
        status &= ~value;
    else if (reg->kind == SETS_STATUS)
        status |= value;
    else if (reg->kind == PLAIN)
        *kept = value;
    else
        write_counter(msr, reg, value);
    return NO_FAULT;
}

fault_t wrmsr_try(u32 msr, u64 value)
{
    struct gate_context context = {.counters_stopped = true, .walking = walking, .current_known = true};
    refusal = (struct gate_refusal){msr, value, NULL};
    context.current_known = rdmsr_try(msr, &context.current) == NO_FAULT;
    if (!row_allows(&caps, &context, msr, value, &refusal.rule))
        return FAULT_REFUSED;
    causes |= caused_by(msr, value);
    return take(msr, value);
}

u64 caused_kept(void)
{
    return 0;
}

u64 caused_bits(void)
{
    return causes;
}

u64 rdmsr(u32 msr)
{
    u64 value = 0;
    if (rdmsr_try(msr, &value))
        abort();
    return value;
}

struct gate_refusal gate_refusal(void)
{
    return refusal;
}

void gate_walk(bool open)
{
    walking = open;
}

void pmu_status_clear(u64 bits)
{
    wrmsr_try(MSR_PERF_GLOBAL_STATUS_RESET, bits & gate_bits(&caps, MSR_PERF_GLOBAL_STATUS_RESET));
}

const struct pmu_caps *pmu_caps_of(u32 other)
{
    (void)other;
    return &caps;
}

/* There are no external events here. */
void bracket_open(struct bracket *bracket, const struct pmu_caps *unused)
{
    (void)bracket;
    (void)unused;
}

unsigned bracket_close(struct bracket *bracket, const struct pmu_caps *unused)
{
    (void)bracket;
    (void)unused;
    return BRACKET_CLEAN;
}

u32 repeat_clean(struct test *t, bool (*body)(struct test *t, void *argument), void *argument)
{
    for (t->turn = 0; t->turn < REPEATS; t->turn++)
        body(t, argument);
    return REPEATS;
}

/* Nothing is around it. */
void around_enter(struct test *t)
{
    (void)t;
}

u64 around_written(struct test *t, u32 msr, u64 value)
{
    (void)t;
    (void)msr;
    return value;
}

bool barrier(struct test *t)
{
    (void)t;
    return true;
}
