/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CPU's clocks: the time that instructions take, and the registers and leaves that tell frequencies. The TSC is as
 * fast as the host's, whatever the profile's CPU has, and everything that tells its frequency agrees with that. SDM 3B,
 * "Time-Stamp Counter"; SDM 2A, "CPUID"; SDM 3A, "APIC Timer".
 */
#include "reference/model/model_state.h"

#define BUS_KHZ 100000 /* from Sandy Bridge on */
#define RATIO MASK(15, 8)
#define DENOMINATOR 500

uint64_t model_ticks(const struct model *m)
{
    return m->events.cycles * m->p.tsc_ratio / m->p.core_ratio;
}

static uint32_t bus_khz(const struct model *m)
{
    return m->p.bus_khz ? m->p.bus_khz : BUS_KHZ;
}

uint32_t model_apic_timer_khz(const struct model *m)
{
    return m->p.crystal_khz ? m->p.crystal_khz : bus_khz(m);
}

bool model_has_tsc_adjust(const struct model *m)
{
    return m->p.tsc_adjust;
}

uint64_t model_tsc_ahead(const struct model *m)
{
    return (uint64_t)((int64_t)m->p.tsc_ahead_s * m->tsc_khz * 1000);
}

/* Bits 15:8 are the highest ratio without turbo, which is the TSC's. SDM 4, "MSR_PLATFORM_INFO". */
uint64_t model_platform_info(const struct model *m)
{
    uint64_t ratio = (m->tsc_khz + bus_khz(m) / 2) / bus_khz(m);
    if (!m->tsc_khz || !m->p.platform_info)
        return m->p.platform_info;
    return (m->p.platform_info & ~RATIO) | (ratio << 8 & RATIO);
}

/*
 * TSC / crystal = EBX / EAX; the crystal in Hz. Software multiplies one by the other, in kHz and 32 bits, so the
 * denominator must not be too large. This one is exact to 40 kHz and has room up to 8 GHz.
 */
void model_leaf_crystal(const struct model *m, uint32_t out[4])
{
    uint32_t crystal = m->p.crystal_khz;
    out[0] = crystal ? DENOMINATOR : 0;
    out[1] = crystal ? (uint32_t)(((uint64_t)m->tsc_khz * DENOMINATOR + crystal / 2) / crystal) : 0;
    out[2] = m->p.crystal_told ? crystal * 1000 : 0;
    out[3] = 0;
}

/* In MHz: the frequency without turbo, that with turbo, and the bus. */
void model_leaf_frequencies(const struct model *m, uint32_t out[4])
{
    out[0] = (m->tsc_khz + 500) / 1000;
    out[1] = (uint32_t)((uint64_t)m->tsc_khz * m->p.core_ratio / m->p.tsc_ratio / 1000);
    out[2] = (bus_khz(m) + 500) / 1000;
    out[3] = 0;
}

/* Event 013CH ticks with the crystal or the bus unless it ticks with the TSC. */
void model_clock_reset(struct model *m)
{
    uint32_t khz = model_apic_timer_khz(m);
    if (m->tsc_khz && m->p.crystal_divider)
        m->p.crystal_divider = (uint16_t)(m->tsc_khz < khz ? 1 : (m->tsc_khz + khz / 2) / khz);
}
