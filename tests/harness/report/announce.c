/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With one CPU none is left to end an access that never comes back, so each register is named in the log before the
 * run reads or writes it for the first time.
 */
#include "harness/report/report.h"
#include "kernel/log/log.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/msr.h"
#include "kernel/text/text.h"
#include "pmu/state/handoff.h"
#include "pmu/state/register.h"

#define NAMED 0x2000u /* registers above are the processor's own and read before any test */

static struct {
    bool busy;
    u8 seen[2][NAMED / 8]; /* read, written */
} state;

/* Named by what the CPU was found to be as it was handed over, which is known before anything else is. An interrupt
 * handler that comes here in the middle of a line leaves the announcement to a later access. */
static void announce(u32 msr, bool write)
{
    char name[REGISTER_NAME_SIZE];
    if (state.busy || msr >= NAMED || state.seen[write][msr / 8] >> msr % 8 & 1)
        return;
    if (log_busy())
        return;
    state.busy = true;
    state.seen[write][msr / 8] |= (u8)(1u << msr % 8);
    log_line("# access %s reg=%s", write ? "write" : "read", register_name(handoff_caps(cpu_index()), msr, name));
    state.busy = false;
}

void announce_accesses(bool on)
{
    memset(&state, 0, sizeof(state));
    msr_access_begins = on ? announce : NULL;
}
