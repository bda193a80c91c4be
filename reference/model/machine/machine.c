/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Registers beside the PMU that its users read to know the machine: identity, SMI count, clocks. Time comes from the
 * host's TSC: MPERF runs with it, APERF at the core's ratio, and both stop while the CPU sleeps.
 */
#include "reference/model/model_state.h"

/* Both count in C0 only: SDM 3B, "P-State Hardware Coordination". */
static uint64_t mperf(const struct model *m)
{
    uint64_t now = m->machine.slept_at ? m->machine.slept_at : m->host.time(m->host.context);
    return now - m->machine.asleep;
}

void model_machine_halted(struct model *m, bool halted)
{
    uint64_t now = m->host.time(m->host.context);
    if (halted) {
        m->machine.slept_at = now;
        return;
    }
    m->machine.asleep += m->machine.slept_at ? now - m->machine.slept_at : 0;
    m->machine.slept_at = 0;
}

static uint64_t aperf(const struct model *m)
{
    uint64_t cycles = mperf(m) / m->p.tsc_ratio * m->p.core_ratio;
    return m->p.throttled ? cycles / 2 : cycles;
}

static bool has_clocks(const struct model *m)
{
    return m->p.leaf6_ecx & 1;
}

/* CPUID.7.0:EDX[13]. There are no transactions to abort: the register just exists. */
static bool has_force_abort(const struct model *m)
{
    return m->p.leaf7_edx >> 13 & 1;
}

static bool force_abort_write(struct model *m, uint64_t value)
{
    if (value & ~TSX_FORCE_ABORT_RTM)
        return false;
    m->machine.tsx_force_abort = value;
    return true;
}

/* The SMI count only rises, and only by SMIs. SDM 4, "MSR_SMI_COUNT". */
uint32_t good_smi_count_shown(struct model *m)
{
    return m->machine.smi_count;
}

/* The revision of microcode only changes when another one is loaded. SDM 3A, "Microcode Update Facilities". */
uint32_t good_microcode_shown(struct model *m)
{
    return m->p.microcode;
}

/* A guest that is moved to another host finds all registers as it left them. No manual says so: it cannot know. */
void good_moved(struct model *m)
{
    (void)m;
}

void model_moved(struct model *m)
{
    rule(m, moved)(m);
    mark_stale(m);
}

void model_smi_counted(struct model *m)
{
    m->machine.smi_count++;
}

bool model_machine_read(struct model *m, unsigned which, uint64_t *value)
{
    switch ((enum machine_register)which) {
    case MACHINE_PLATFORM_ID:
        *value = m->p.platform_id;
        return true;
    case MACHINE_SMI_COUNT:
        *value = rule(m, smi_count_shown)(m);
        return m->p.smi_count;
    case MACHINE_BIOS_SIGN_ID: /* as after CPUID, which writes the revision there */
        model_microcode_sync(m);
        *value = (uint64_t)rule(m, microcode_shown)(m) << 32;
        return true;
    case MACHINE_PLATFORM_INFO:
        *value = model_platform_info(m);
        return m->p.platform_info;
    case MACHINE_MPERF:
        *value = mperf(m) + m->machine.mperf_offset;
        return has_clocks(m);
    case MACHINE_APERF:
        *value = aperf(m) + m->machine.aperf_offset;
        return has_clocks(m);
    case MACHINE_PERF_CAPABILITIES:
        *value = rule(m, capabilities_shown)(m);
        return rule(m, capabilities_readable)(m);
    case MACHINE_TSX_FORCE_ABORT:
        *value = m->machine.tsx_force_abort;
        return has_force_abort(m);
    }
    return false;
}

/* IA32_PERF_CAPABILITIES holds what the CPU has. SDM 4, "Architectural MSRs". */
uint64_t good_capabilities_shown(struct model *m)
{
    return m->p.perf_capabilities;
}

/* IA32_PERF_CAPABILITIES exists if CPUID.1:ECX[15] is set. SDM 4, "Architectural MSRs". */
bool good_capabilities_readable(struct model *m)
{
    return m->p.leaf1_ecx & CPUID_BIT_MASK(CPUID_PDCM);
}

/* IA32_PERF_CAPABILITIES is read-only. SDM 4, "Architectural MSRs". */
bool good_capabilities_writable(struct model *m, uint64_t value)
{
    (void)m;
    (void)value;
    return false;
}

bool model_machine_write(struct model *m, unsigned which, uint64_t value)
{
    switch ((enum machine_register)which) {
    case MACHINE_BIOS_SIGN_ID: /* the write before CPUID, which restores the revision */
        return true;
    case MACHINE_MPERF:
        m->machine.mperf_offset = has_clocks(m) ? value - mperf(m) : 0;
        return has_clocks(m);
    case MACHINE_APERF:
        m->machine.aperf_offset = has_clocks(m) ? value - aperf(m) : 0;
        return has_clocks(m);
    case MACHINE_TSX_FORCE_ABORT:
        return has_force_abort(m) && force_abort_write(m, value);
    case MACHINE_PLATFORM_ID:
    case MACHINE_SMI_COUNT:
    case MACHINE_PLATFORM_INFO:
        return false;
    case MACHINE_PERF_CAPABILITIES:
        return rule(m, capabilities_writable)(m, value);
    }
    return false;
}
