/* SPDX-License-Identifier: BSD-2-Clause */
/* The writes that counted blocks (pmu/workload) make themselves, and how they ask the write gate about them. */
#include "kernel/register/msr.h"
#include "pmu/gate/gate.h"
#include "pmu/gate/write.h"

/* Repeats a refused write with wrmsr(), which reports the refusal and does not return. */
static void ask(u32 msr, u64 value)
{
    const char *rule;
    if (!gate_allows_now(msr, value, &rule))
        wrmsr(msr, value);
}

void counted_ask(const struct switch_write *sw)
{
    ask(sw->msr, sw->on);
    ask(sw->msr, sw->off);
    caused_note(sw->msr, sw->on);
    gate_record(sw->msr, sw->off);
    side_effect_before_start();
    msr_record_block(sw->msr);
}

/* Not recorded: it is made after the counters have started, and the gate's answer to that depends on earlier writes. */
void counted_ask_then(u32 msr, u64 value)
{
    if (msr)
        ask(msr, value);
}
