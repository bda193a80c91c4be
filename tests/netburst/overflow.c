/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A NetBurst counter that wraps, and no other, sets the OVF flag of its CCCR; writing the CCCR clears it. The counter
 * counts loads as they retire, first from far below its end, then from 32 loads below it. CCCR.OVF_PMI is clear, so no
 * interrupt is requested. Drivers know of wraps without the flag: how many come before one with it is measured. A write
 * of another counter's CCCR leaves the flag set. One write may clear it and change other fields: each takes its value.
 *
 * RDPMC reads the stopped counter as RDMSR does; with bit 31 of its index set, the lower 32 bits with zeros above them.
 */
#include "harness/chapter/netburst.h"

#define FAR 0x100000
#define RDPMC_FAST BIT(31)

static bool overflows(struct test *t, struct netburst_setup *setup)
{
    struct sampled block;
    netburst_sample(t, setup, &block, NETBURST_ROUNDS);
    return read_msr(t, netburst_cccr(setup)) & CCCR_OVF;
}

/* Returns the number of wraps before the flag was set, at most NETBURST_WRAPS. */
static u32 unflagged(struct test *t, struct netburst_setup *setup)
{
    u32 wraps = 0;
    while (wraps < NETBURST_WRAPS && !overflows(t, setup))
        wraps++;
    measure(t, "wraps-without-flag", "wraps", wraps);
    return wraps;
}

/* The other counter that samples is stopped; the other thread waits while this one takes its turn. */
static void write_other(struct test *t, const struct netburst_setup *setup)
{
    u32 other = MSR_CCCR(NETBURST_IQ_COUNTER(4 + !setup->set));
    if (!(read_msr(t, netburst_cccr(setup)) & CCCR_OVF))
        return;
    write_msr(t, other, read_msr(t, other));
    check_bit(t, "flag-cleared-by-other-write", netburst_cccr(setup), CCCR_OVF, true);
}

/* Its ESCR selects nothing meanwhile. The manual lets software clear OVF; where it cannot set it, these are left out.
 */
static void each_write(struct test *t, const struct netburst_setup *setup)
{
    static const u64 fields[] = {CCCR_ENABLE, CCCR_OVF, CCCR_OVF_PMI_T0 | CCCR_OVF_PMI_T1};
    u32 cccr = netburst_cccr(setup);
    u64 plain = read_msr(t, cccr) & ~(fields[0] | fields[1] | fields[2]), got = 0, want = 0;
    write_msr(t, setup->start_stop.msr, setup->start_stop.off);
    for (unsigned i = 0; i < BIT(2 * ARRAY_SIZE(fields)) && got == want; i++) {
        u64 from = plain, to = plain;
        for (unsigned f = 0; f < ARRAY_SIZE(fields); f++) {
            from |= i >> f & 1 ? fields[f] : 0;
            to |= i >> (f + ARRAY_SIZE(fields)) & 1 ? fields[f] : 0;
        }
        write_msr(t, cccr, from);
        if ((to & ~from & CCCR_OVF) || read_msr(t, cccr) != from)
            continue;
        write_msr(t, cccr, to);
        got = read_msr(t, cccr);
        want = to;
    }
    check_equal(t, "not-by-one-write", got, want, cccr);
}

static void read_both_ways(struct test *t, const struct netburst_setup *setup)
{
    u32 msr = netburst_counter(setup), index = msr - MSR_NETBURST_COUNTER(0);
    u64 value = read_msr(t, msr), full, fast;
    if (!check_fault(t, "rdpmc-faults", rdpmc_try(index, &full), NO_FAULT, msr) ||
        !check_fault(t, "rdpmc-faults", rdpmc_try(index | RDPMC_FAST, &fast), NO_FAULT, msr))
        return;
    check_equal(t, "rdpmc", full, value, msr);
    check_equal(t, "rdpmc-fast", fast, value & MASK(31, 0), msr);
}

static bool both(struct test *t)
{
    struct netburst_setup setup = netburst_setup_of(t, 0);
    setup.pebs = false;
    setup.period = FAR;
    check_equal(t, "flag-too-early", overflows(t, &setup), false, netburst_cccr(&setup));
    read_both_ways(t, &setup);
    setup.period = NETBURST_PERIOD;
    check_range(t, "no-flag", unflagged(t, &setup), 0, NETBURST_WRAPS - 1, netburst_cccr(&setup));
    measure(t, "counted-behind-the-wrap", "loads", read_msr(t, netburst_counter(&setup)));
    write_other(t, &setup);
    each_write(t, &setup);
    write_msr(t, netburst_cccr(&setup), 0);
    check_bit(t, "flag-not-cleared", netburst_cccr(&setup), CCCR_OVF, false);
    return sampling_more(t, 1);
}

TEST("netburst.overflow", .title = "A counter that wraps sets OVF in its CCCR",
     .spec = "SDM 3B, Performance Monitoring (Processors Based on Intel NetBurst Microarchitecture)",
     .needs = {.no_pmu = true, .netburst = true}, .scope = EACH_CPU_IN_TURN, .repeat = both, .measures = true);
