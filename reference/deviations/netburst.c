/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of NetBurst: OVF, the threads' bits, and side effects of stopping a counter. */
#define CHAPTERS "netburst.*"
#include "reference/deviations/stand_in.h"

/* ---- OVF */

static void no_ovf(struct model *m, unsigned n)
{
    if (!strikes(m, CCCR_OVF_MISSING))
        replaced(m, CCCR_OVF_MISSING, netburst_wrapped)(m, n);
}
DEFECT(CCCR_OVF_MISSING, "cccr-ovf-missing", "a counter that wraps does not set OVF in its CCCR",
       "Linux looks at the counter's sign instead", ON("prescott"), STANDS_IN(FOR(netburst_wrapped, no_ovf)));

static void no_ovf_with_pmi(struct model *m, unsigned n)
{
    bool asks = rule(m, netburst_asks)(m, BIT(n), 0) || rule(m, netburst_asks)(m, BIT(n), 1);
    if (!asks || !strikes(m, CCCR_OVF_MISSING_WITH_PMI))
        replaced(m, CCCR_OVF_MISSING_WITH_PMI, netburst_wrapped)(m, n);
}
VARIATION(CCCR_OVF_MISSING_WITH_PMI, "cccr-ovf-missing-with-pmi",
          "a counter that asks for a PMI wraps without setting OVF in its CCCR",
          "Linux: the overflow might issue an NMI and not set the flag", ON("prescott"),
          STANDS_IN(FOR(netburst_wrapped, no_ovf_with_pmi)));

struct wraps {
    uint64_t seen;
};

static void no_ovf_at_times(struct model *m, unsigned n)
{
    bool silent = memory(m, CCCR_OVF_MISSING_AT_TIMES, struct wraps)->seen++ % 2 == 0;
    if (!silent || !strikes(m, CCCR_OVF_MISSING_AT_TIMES))
        replaced(m, CCCR_OVF_MISSING_AT_TIMES, netburst_wrapped)(m, n);
}
VARIATION(CCCR_OVF_MISSING_AT_TIMES, "cccr-ovf-missing-at-times", "every other wrap does not set OVF in the CCCR",
          "Linux, OProfile, FreeBSD: unflagged overflows", ON("prescott"),
          STANDS_IN(FOR(netburst_wrapped, no_ovf_at_times)));

INSTEAD(netburst_forced, never_forced,
        strikes(m, CCCR_FORCE_OVF_IGNORED) ? 0 : below(CCCR_FORCE_OVF_IGNORED, netburst_forced));
DEFECT(CCCR_FORCE_OVF_IGNORED, "cccr-force-ovf-ignored", "FORCE_OVF makes no counter overflow", "class", ON("prescott"),
       STANDS_IN(FOR(netburst_forced, never_forced)));

static uint64_t forced_by_write(struct model *m, uint64_t was, uint64_t value)
{
    if ((value & ~was & CCCR_ENABLE) && (value & CCCR_FORCE_OVF) && strikes(m, CCCR_FORCE_OVF_AT_ONCE))
        value |= CCCR_OVF;
    return replaced(m, CCCR_FORCE_OVF_AT_ONCE, cccr_kept)(m, was, value);
}
DEFECT(CCCR_FORCE_OVF_AT_ONCE, "cccr-force-ovf-at-once", "enabling a counter with FORCE_OVF sets OVF, without a count",
       "class: a software interrupt bit", ON("prescott"), STANDS_IN(FOR(cccr_kept, forced_by_write)));

static uint64_t clears_all(struct model *m, uint64_t was, uint64_t value)
{
    if (strikes(m, CCCR_WRITE_CLEARS_OTHERS))
        for (unsigned n = 0; n < m->p.netburst_count; n++)
            shared_set(&m->sharing.core->cccr[n], shared_get(&m->sharing.core->cccr[n]) & ~CCCR_OVF);
    return replaced(m, CCCR_WRITE_CLEARS_OTHERS, cccr_kept)(m, was, value);
}
DEFECT(CCCR_WRITE_CLEARS_OTHERS, "cccr-write-clears-others", "a write of a CCCR clears OVF in all others",
       "class: one strobe for a group", ON("prescott"), MEANT_FOR("netburst.overflow"),
       STANDS_IN(FOR(cccr_kept, clears_all)));

/* ---- RDPMC */

INSTEAD(netburst_rdpmc_answers, slow_alone,
        below(NETBURST_FAST_READ_FAULTS, netburst_rdpmc_answers) &&
            !(index >> 31 && strikes(m, NETBURST_FAST_READ_FAULTS)));
DEFECT(NETBURST_FAST_READ_FAULTS, "netburst-fast-read-faults", "RDPMC with bit 31 of its index set is a #GP",
       "emulators", ON("prescott"), MEANT_FOR("netburst.overflow"), STANDS_IN(FOR(netburst_rdpmc_answers, slow_alone)));

CHANGED(netburst_rdpmc_shown, sign_extended, NETBURST_FAST_READ_SIGNED,
        index >> 31 && strikes(m, NETBURST_FAST_READ_SIGNED) ? (uint64_t)(int32_t)good : good);
DEFECT(NETBURST_FAST_READ_SIGNED, "netburst-fast-read-signed",
       "RDPMC with bit 31 of its index set copies bit 31 of the counter into the bits above",
       "class: a wrong extension", ON("prescott"), MEANT_FOR("netburst.overflow"),
       STANDS_IN(FOR(netburst_rdpmc_shown, sign_extended)));

CHANGED(netburst_rdpmc_shown, low_alone, NETBURST_READ_ALWAYS_FAST,
        strikes(m, NETBURST_READ_ALWAYS_FAST) ? good &MASK(31, 0) : good);
DEFECT(NETBURST_READ_ALWAYS_FAST, "netburst-read-always-fast", "RDPMC has 32 bits whatever bit 31 of its index is",
       "class: a second read path", ON("prescott"), MEANT_FOR("netburst.overflow"),
       STANDS_IN(FOR(netburst_rdpmc_shown, low_alone)));

/* ---- PMIs */

INSTEAD(netburst_asks, asks_nothing, below(NETBURST_PMI_LOST, netburst_asks) && !strikes(m, NETBURST_PMI_LOST));
DEFECT(NETBURST_PMI_LOST, "netburst-pmi-lost", "OVF_PMI raises no PMI on any thread", "class of KVM a68f97ff2ef1",
       ON("prescott"), STANDS_IN(FOR(netburst_asks, asks_nothing)));

INSTEAD(netburst_asks, asks_own_alone,
        below(NETBURST_PMI_OF_OTHER_LOST, netburst_asks) &&
            !(thread != model_netburst_thread(m) && strikes(m, NETBURST_PMI_OF_OTHER_LOST)));
DEFECT(NETBURST_PMI_OF_OTHER_LOST, "netburst-pmi-of-other-lost", "OVF_PMI raises no PMI on the other thread",
       "class: wired to the thread that executes", ON("prescott"), STANDS_IN(FOR(netburst_asks, asks_own_alone)));

static uint64_t pmi_at_start(struct model *m, uint64_t was, uint64_t value)
{
    uint64_t mine = model_netburst_thread(m) ? CCCR_OVF_PMI_T1 : CCCR_OVF_PMI_T0;
    if ((value & ~was & CCCR_ENABLE) && (value & mine) && strikes(m, NETBURST_PMI_AT_START))
        rule(m, pmi_raise)(m);
    return replaced(m, NETBURST_PMI_AT_START, cccr_kept)(m, was, value);
}
DEFECT(NETBURST_PMI_AT_START, "netburst-pmi-at-start", "enabling a counter raises the PMI that its CCCR asks for",
       "class", ON("prescott"), STANDS_IN(FOR(cccr_kept, pmi_at_start)));

INSTEAD(wrapped_value, stays_below_end,
        strikes(m, NETBURST_STAYS_AT_END) ? c->limit : below(NETBURST_STAYS_AT_END, wrapped_value));
DEFECT(NETBURST_STAYS_AT_END, "netburst-stays-at-end", "a counter that reaches its end stays there", "class",
       ON("prescott"), STANDS_IN(FOR(wrapped_value, stays_below_end)));

static uint64_t ovf_at_start(struct model *m, uint64_t was, uint64_t value)
{
    if ((value & ~was & CCCR_ENABLE) && strikes(m, CCCR_OVF_AT_START))
        value |= CCCR_OVF;
    return replaced(m, CCCR_OVF_AT_START, cccr_kept)(m, was, value);
}
DEFECT(CCCR_OVF_AT_START, "cccr-ovf-at-start", "enabling a counter sets OVF in its CCCR", "class", ON("prescott"),
       STANDS_IN(FOR(cccr_kept, ovf_at_start)));

static uint64_t ovf_stays(struct model *m, uint64_t was, uint64_t value)
{
    if ((was & CCCR_OVF) && strikes(m, CCCR_OVF_STAYS))
        value |= CCCR_OVF;
    return replaced(m, CCCR_OVF_STAYS, cccr_kept)(m, was, value);
}
DEFECT(CCCR_OVF_STAYS, "cccr-ovf-stays", "OVF cannot be cleared", "class of BJ58", ON("prescott"),
       STANDS_IN(FOR(cccr_kept, ovf_stays)));

/* Counters that instructions of this thread have wrapped. */
struct own_wraps {
    uint64_t counters;
};

static void own_wrap(struct model *m, unsigned n)
{
    memory(m, CCCR_OVF_OF_ONE_THREAD, struct own_wraps)->counters |= BIT(n);
    replaced(m, CCCR_OVF_OF_ONE_THREAD, netburst_wrapped)(m, n);
}

static uint64_t own_wraps_cleared(struct model *m, uint64_t was, uint64_t value)
{
    if (!(value & CCCR_OVF))
        memory(m, CCCR_OVF_OF_ONE_THREAD, struct own_wraps)->counters = 0;
    return replaced(m, CCCR_OVF_OF_ONE_THREAD, cccr_kept)(m, was, value);
}

static uint64_t own_ovf_alone(struct model *m, unsigned n)
{
    uint64_t value = replaced(m, CCCR_OVF_OF_ONE_THREAD, cccr_shown)(m, n);
    bool own = memory(m, CCCR_OVF_OF_ONE_THREAD, struct own_wraps)->counters >> n & 1;
    return !own && strikes(m, CCCR_OVF_OF_ONE_THREAD) ? value & ~CCCR_OVF : value;
}
DEFECT(CCCR_OVF_OF_ONE_THREAD, "cccr-ovf-of-one-thread", "only the thread that made a counter wrap reads its OVF",
       "class: a shared register of one thread's", ON("prescott"),
       STANDS_IN(FOR(netburst_wrapped, own_wrap), FOR(cccr_kept, own_wraps_cleared), FOR(cccr_shown, own_ovf_alone)));

/* ---- Two threads */

static uint8_t both_threads(struct model *m, unsigned thread, uint64_t escr)
{
    uint8_t rings = replaced(m, ESCR_COUNTS_BOTH_THREADS, escr_rings)(m, thread, escr);
    if (strikes(m, ESCR_COUNTS_BOTH_THREADS))
        rings |= replaced(m, ESCR_COUNTS_BOTH_THREADS, escr_rings)(m, !thread, escr);
    return rings;
}
DEFECT(ESCR_COUNTS_BOTH_THREADS, "escr-counts-both-threads", "an ESCR's bits for one thread count the other, too",
       "class of BJ122", ON("prescott"), STANDS_IN(FOR(escr_rings, both_threads)));

static uint64_t own_bits_alone(struct model *m, uint64_t value)
{
    if (strikes(m, ESCR_DROPS_OTHER_THREAD))
        value &= ~(model_netburst_thread(m) ? ESCR_T0_OS | ESCR_T0_USR : ESCR_T1_OS | ESCR_T1_USR);
    return replaced(m, ESCR_DROPS_OTHER_THREAD, escr_kept)(m, value);
}
DEFECT(ESCR_DROPS_OTHER_THREAD, "escr-drops-other-thread", "a thread cannot set an ESCR's bits for the other thread",
       "class", ON("prescott"), STANDS_IN(FOR(escr_kept, own_bits_alone)));

/* ---- Carries */

static uint64_t carried(struct model *m, unsigned n, uint64_t value)
{
    if ((m->active.mask >> n & 1) && strikes(m, WRITE_WHILE_RUNNING_CARRIES))
        value += BIT(32);
    return replaced(m, WRITE_WHILE_RUNNING_CARRIES, netburst_kept)(m, n, value);
}
VARIATION(WRITE_WHILE_RUNNING_CARRIES, "write-while-running-carries",
          "a counter written while it counts gets a carry into bit 32", "O8, N15; NetBurst", ON("prescott"),
          STANDS_IN(FOR(netburst_kept, carried)));

/* The last written value, and whether its lower half has carried into bit 32; written a second time it does not. */
struct carries {
    uint64_t value;
    bool carried;
};

static uint64_t carried_once(struct model *m, unsigned n, uint64_t value)
{
    struct carries *last = memory(m, WRITE_WHILE_STOPPED_CARRIES, struct carries);
    last->carried = (value & BIT(31)) && !(last->carried && last->value == value);
    last->value = value;
    if (last->carried && strikes(m, WRITE_WHILE_STOPPED_CARRIES))
        value += BIT(32);
    return replaced(m, WRITE_WHILE_STOPPED_CARRIES, netburst_kept)(m, n, value);
}
VARIATION(
    WRITE_WHILE_STOPPED_CARRIES, "write-while-stopped-carries",
    "a counter near a multiple of 2^32 gets a carry into bit 32 when it is written, but not when it is written again",
    "O8, N15 as drivers found them, which write twice; NetBurst", ON("prescott"),
    STANDS_IN(FOR(netburst_kept, carried_once)));

struct written {
    uint64_t value[NETBURST_COUNT];
};

static uint64_t noted(struct model *m, unsigned n, uint64_t value)
{
    value = replaced(m, NETBURST_STOP_LOSES_CARRY, netburst_kept)(m, n, value);
    memory(m, NETBURST_STOP_LOSES_CARRY, struct written)->value[n] = value & width_mask(m->p.netburst_width);
    return value;
}

static void carry_lost_at_stop(struct model *m, unsigned n)
{
    uint64_t value = shared_get(&m->sharing.core->netburst[n]);
    bool over = (value ^ memory(m, NETBURST_STOP_LOSES_CARRY, struct written)->value[n]) & ~MASK(31, 0);
    if (over && strikes(m, NETBURST_STOP_LOSES_CARRY))
        shared_set(&m->sharing.core->netburst[n], (value - BIT(32)) & width_mask(m->p.netburst_width));
    replaced(m, NETBURST_STOP_LOSES_CARRY, netburst_stopped)(m, n);
}
VARIATION(NETBURST_STOP_LOSES_CARRY, "netburst-stop-loses-carry",
          "a counter that passed 2^32 loses that when it is stopped", "O9; NetBurst", ON("prescott"),
          STANDS_IN(FOR(netburst_kept, noted), FOR(netburst_stopped, carry_lost_at_stop)));

/* ---- The DS area */

static bool other_samples(struct model *m, struct counting *c)
{
    uint64_t enable = m->controls.stored[STORED_PEBS_ENABLE];
    bool either = c->bit == NETBURST_IQ_COUNTER(4) || c->bit == NETBURST_IQ_COUNTER(5);
    return replaced(m, NETBURST_OTHER_COUNTER_SAMPLES, pebs_capable)(m, c) ||
           (either && enable && strikes(m, NETBURST_OTHER_COUNTER_SAMPLES));
}
DEFECT(NETBURST_OTHER_COUNTER_SAMPLES, "netburst-other-counter-samples",
       "a thread's events are sampled by the other thread's counter, too", "class", ON("prescott"),
       STANDS_IN(FOR(pebs_capable, other_samples)));

#define DS_PEBS_INDEX 0x28 /* offsets in the DS management area */
#define DS_PEBS_MAXIMUM 0x30

static bool read_area(struct model *m, uint64_t offset, uint64_t *value)
{
    uint64_t area = m->controls.stored[STORED_DS_AREA];
    return m->host.memory_read(m->host.context, area + offset, value, sizeof(*value));
}

static bool samples(const struct model *m)
{
    return m->controls.stored[STORED_PEBS_ENABLE] && m->host.memory_read;
}

static void writes_behind(struct model *m, unsigned n)
{
    uint64_t area = m->controls.stored[STORED_DS_AREA], maximum;
    if (samples(m) && strikes(m, NETBURST_STOP_WRITES_BEHIND) && read_area(m, DS_PEBS_MAXIMUM, &maximum))
        m->host.memory_write(m->host.context, maximum, &area, sizeof(area));
    replaced(m, NETBURST_STOP_WRITES_BEHIND, netburst_stopped)(m, n);
}
DEFECT(NETBURST_STOP_WRITES_BEHIND, "netburst-stop-writes-behind",
       "disabling a sampling counter writes a word at the absolute maximum of the DS area", "class of KVM 7099e2e1",
       ON("prescott"), STANDS_IN(FOR(netburst_stopped, writes_behind)));

static void moves_index(struct model *m, unsigned n)
{
    uint64_t area = m->controls.stored[STORED_DS_AREA], index;
    if (samples(m) && strikes(m, NETBURST_STOP_MOVES_INDEX) && read_area(m, DS_PEBS_INDEX, &index)) {
        index += 8;
        m->host.memory_write(m->host.context, area + DS_PEBS_INDEX, &index, sizeof(index));
    }
    replaced(m, NETBURST_STOP_MOVES_INDEX, netburst_stopped)(m, n);
}
DEFECT(NETBURST_STOP_MOVES_INDEX, "netburst-stop-moves-index",
       "disabling a sampling counter moves the index of the DS area by 8", "class", ON("prescott"),
       STANDS_IN(FOR(netburst_stopped, moves_index)));
static void never_written(struct model *m, const struct pebs_sample *sample, bool stopped)
{
    if (!strikes(m, NETBURST_NEVER_RECORDS))
        replaced(m, NETBURST_NEVER_RECORDS, pebs_write)(m, sample, stopped);
}
DEFECT(NETBURST_NEVER_RECORDS, "netburst-never-records", "sampling writes no record at all",
       "class: a feature that is fused off", ON("prescott"), MEANT_FOR("netburst.records"),
       STANDS_IN(FOR(pebs_write, never_written)));

static void written_to_first_area(struct model *m, const struct pebs_sample *sample, bool stopped)
{
    uint64_t *first = memory(m, NETBURST_KEEPS_TO_FIRST_AREA, uint64_t), area = m->controls.stored[STORED_DS_AREA];
    *first = *first ? *first : area;
    if (area == *first || !strikes(m, NETBURST_KEEPS_TO_FIRST_AREA))
        replaced(m, NETBURST_KEEPS_TO_FIRST_AREA, pebs_write)(m, sample, stopped);
}
DEFECT(NETBURST_KEEPS_TO_FIRST_AREA, "netburst-keeps-to-first-area",
       "after records were written to one DS area none are written to another", "class: a pointer that is kept",
       ON("prescott"), MEANT_FOR("netburst.reconfigure"), STANDS_IN(FOR(pebs_write, written_to_first_area)));

VARIATION(NETBURST_ONE_THREAD, "netburst-one-thread", "a core has one thread (data)", "hyper-threading off; Pentium D",
          ON("prescott"), DATA(deviation_without_threads));

static void pebs_of_thread(struct model *m)
{
    m->p.stored[STORED_PEBS_ENABLE].scope = m->p.stored[STORED_PEBS_DATA_CFG].scope = SCOPE_THREAD;
}
VARIATION(NETBURST_PEBS_OF_THREAD, "netburst-pebs-of-thread",
          "each thread has MSR_PEBS_ENABLE and MSR_PEBS_MATRIX_VERT of its own (data)",
          "the manual's tables do not agree", ON("prescott"), DATA(pebs_of_thread));

INSTEAD(netburst_samples, if_asking,
        below(NETBURST_PEBS_WANTS_PMI, netburst_samples) &&
            rule(m, netburst_asks)(m, BIT(n), model_netburst_thread(m)));
VARIATION(NETBURST_PEBS_WANTS_PMI, "netburst-pebs-wants-pmi", "a counter whose CCCR asks for no PMI does not sample",
          "the manual: its table of what sampling requires has OVF_PMI set, as perfmon2 did", ON("prescott"),
          STANDS_IN(FOR(netburst_samples, if_asking)));
