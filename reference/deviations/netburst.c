/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of NetBurst: OVF, the threads' bits, and side effects of stopping a counter. */
#define CHAPTERS "netburst.*"
#include "reference/deviations/stand_in.h"

/* ---- OVF */

DEFECT(cccr_ovf_missing, LOST(netburst_wrapped, true), "a counter that wraps does not set OVF in its CCCR",
       "Linux looks at the counter's sign instead", ON("prescott"));
VARIATION(cccr_ovf_missing_with_pmi,
          LOST(netburst_wrapped, !(!(rule(m, netburst_asks)(m, BIT(n), 0) || rule(m, netburst_asks)(m, BIT(n), 1)))),
          "a counter that asks for a PMI wraps without setting OVF in its CCCR",
          "Linux: the overflow might issue an NMI and not set the flag", ON("prescott"));
VARIATION(cccr_ovf_missing_at_times, LOST(netburst_wrapped, noted++ % 2 == 0),
          "every other wrap does not set OVF in the CCCR", "Linux, OProfile, FreeBSD: unflagged overflows",
          ON("prescott"));
DEFECT(cccr_force_ovf_ignored, INSTEAD(netburst_forced, true, 0), "FORCE_OVF makes no counter overflow", "class",
       ON("prescott"));
DEFECT(cccr_force_ovf_at_once,
       BEFORE(cccr_kept, (value & ~was & CCCR_ENABLE) && (value & CCCR_FORCE_OVF), value |= CCCR_OVF),
       "enabling a counter with FORCE_OVF sets OVF, without a count", "class: a software interrupt bit",
       ON("prescott"));

DEFECT(cccr_write_clears_others,
       BEFORE(cccr_kept, true,
              for (unsigned i = 0; i < m->p.netburst_count; i++)
                  shared_set(&m->sharing.core->cccr[i], shared_get(&m->sharing.core->cccr[i]) & ~CCCR_OVF)),
       "a write of a CCCR clears OVF in all others", "class: one strobe for a group", ON("prescott"),
       MEANT_FOR("netburst.overflow"));

/* ---- RDPMC */

DEFECT(netburst_fast_read_faults, CHANGED(netburst_rdpmc_answers, index >> 31 && good, false),
       "RDPMC with bit 31 of its index set is a #GP", "emulators", ON("prescott"), MEANT_FOR("netburst.overflow"));
DEFECT(netburst_fast_read_signed, CHANGED(netburst_rdpmc_shown, index >> 31, (uint64_t)(int32_t)good),
       "RDPMC with bit 31 of its index set copies bit 31 of the counter into the bits above",
       "class: a wrong extension", ON("prescott"), MEANT_FOR("netburst.overflow"));
DEFECT(netburst_read_always_fast, CHANGED(netburst_rdpmc_shown, true, MASK(31, 0) & good),
       "RDPMC has 32 bits whatever bit 31 of its index is", "class: a second read path", ON("prescott"),
       MEANT_FOR("netburst.overflow"));

/* ---- PMIs */

DEFECT(netburst_pmi_lost, CHANGED(netburst_asks, good, false), "OVF_PMI raises no PMI on any thread",
       "class of KVM a68f97ff2ef1", ON("prescott"));
DEFECT(netburst_pmi_of_other_lost, CHANGED(netburst_asks, thread != model_netburst_thread(m) && good, false),
       "OVF_PMI raises no PMI on the other thread", "class: wired to the thread that executes", ON("prescott"));
DEFECT(netburst_pmi_of_sampling_alone, CHANGED(netburst_asks, !(counters & MASK(17, 16)), false),
       "only the counters that sample raise PMIs", "class", ON("prescott"), MEANT_FOR("netburst.pmi"));
DEFECT(netburst_pmi_not_beside_flag,
       CHANGED(netburst_asks, (counters & MASK(7, 4)) && (m->sharing.core->cccr[NETBURST_IQ_COUNTER(4)] & CCCR_OVF),
               false),
       "the MS counters raise no PMI while OVF of MSR_IQ_CCCR4 stands", "class: an edge of several causes",
       ON("prescott"), MEANT_FOR("netburst.pmi"));
DEFECT(netburst_pmi_at_start,
       BEFORE(cccr_kept,
              (value & ~was & CCCR_ENABLE) && (value & (model_netburst_thread(m) ? CCCR_OVF_PMI_T1 : CCCR_OVF_PMI_T0)),
              rule(m, pmi_raise)(m)),
       "enabling a counter raises the PMI that its CCCR asks for", "class", ON("prescott"));
DEFECT(netburst_stays_at_end, INSTEAD(wrapped_value, true, c->limit), "a counter that reaches its end stays there",
       "class", ON("prescott"));
DEFECT(cccr_ovf_at_start, BEFORE(cccr_kept, (value & ~was & CCCR_ENABLE), value |= CCCR_OVF),
       "enabling a counter sets OVF in its CCCR", "class", ON("prescott"));
DEFECT(cccr_ovf_stays, BEFORE(cccr_kept, (was & CCCR_OVF), value |= CCCR_OVF), "OVF cannot be cleared", "class of BJ58",
       ON("prescott"));

/* Counters that instructions of this thread have wrapped. */
DEFECT(cccr_ovf_of_one_thread,
       ALL(NOTES(netburst_wrapped, true, noted |= BIT(n)), NOTES(cccr_kept, !(value & CCCR_OVF), noted = 0),
           CHANGED(cccr_shown, !(noted >> n & 1), good & ~CCCR_OVF)),
       "only the thread that made a counter wrap reads its OVF", "class: a shared register of one thread's",
       ON("prescott"));

/* ---- Two threads */

DEFECT(escr_counts_both_threads, CHANGED(escr_rings, true, good | replaced(escr_rings)(m, !thread, escr)),
       "an ESCR's bits for one thread count the other, too", "class of BJ122", ON("prescott"));
DEFECT(escr_drops_other_thread,
       BEFORE(escr_kept, true,
              value &= ~(model_netburst_thread(m) ? ESCR_T0_OS | ESCR_T0_USR : ESCR_T1_OS | ESCR_T1_USR)),
       "a thread cannot set an ESCR's bits for the other thread", "class", ON("prescott"));

/* ---- Carries */

VARIATION(write_while_running_carries, BEFORE(netburst_kept, (m->active.mask >> n & 1), value += BIT(32)),
          "a counter written while it counts gets a carry into bit 32", "O8, N15; NetBurst", ON("prescott"));

/* The last written value, and whether its lower half has carried into bit 32; written a second time it does not. */
struct carries {
    uint64_t value;
    bool carried;
};

STAND_IN(write_while_stopped_carries, netburst_kept)
{
    struct carries *last = memory(struct carries);
    last->carried = (value & BIT(31)) && !(last->carried && last->value == value);
    last->value = value;
    if (last->carried && strikes())
        value += BIT(32);
    return below(netburst_kept);
}
VARIATION(
    write_while_stopped_carries, FUNCTIONS,
    "a counter near a multiple of 2^32 gets a carry into bit 32 when it is written, but not when it is written again",
    "O8, N15 as drivers found them, which write twice; NetBurst", ON("prescott"));

struct written {
    uint64_t value[NETBURST_COUNT];
};

STAND_IN(netburst_stop_loses_carry, netburst_stopped)
{
    uint64_t value = shared_get(&m->sharing.core->netburst[n]);
    bool over = (value ^ memory(struct written)->value[n]) & ~MASK(31, 0);
    if (over && strikes())
        shared_set(&m->sharing.core->netburst[n], (value - BIT(32)) & width_mask(m->p.netburst_width));
    below(netburst_stopped);
}
VARIATION(netburst_stop_loses_carry,
          ALL(NOTED(netburst_kept, true, memory(struct written)->value[n] = good & width_mask(m->p.netburst_width)),
              FUNCTIONS),
          "a counter that passed 2^32 loses that when it is stopped", "O9; NetBurst", ON("prescott"));

/* ---- The DS area */

DEFECT(netburst_other_counter_samples,
       CHANGED(pebs_capable,
               !good && (c->bit == NETBURST_IQ_COUNTER(4) || c->bit == NETBURST_IQ_COUNTER(5)) &&
                   m->controls.stored[STORED_PEBS_ENABLE],
               true),
       "a thread's events are sampled by the other thread's counter, too", "class", ON("prescott"));

DEFECT(netburst_first_counter_samples,
       CHANGED(pebs_capable, !good && c->bit == NETBURST_IQ_COUNTER(0) && m->controls.stored[STORED_PEBS_ENABLE], true),
       "with PEBS enabled MSR_IQ_COUNTER0 samples, too", "class: the counters of a group are alike", ON("prescott"),
       MEANT_FOR("netburst.one-counter"));

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

STAND_IN(netburst_stop_writes_behind, netburst_stopped)
{
    uint64_t area = m->controls.stored[STORED_DS_AREA], maximum;
    if (samples(m) && strikes() && read_area(m, DS_PEBS_MAXIMUM, &maximum))
        m->host.memory_write(m->host.context, maximum, &area, sizeof(area));
    below(netburst_stopped);
}
DEFECT(netburst_stop_writes_behind, FUNCTIONS,
       "disabling a sampling counter writes a word at the absolute maximum of the DS area", "class of KVM 7099e2e1",
       ON("prescott"));

STAND_IN(netburst_stop_moves_index, netburst_stopped)
{
    uint64_t area = m->controls.stored[STORED_DS_AREA], index;
    if (samples(m) && strikes() && read_area(m, DS_PEBS_INDEX, &index)) {
        index += 8;
        m->host.memory_write(m->host.context, area + DS_PEBS_INDEX, &index, sizeof(index));
    }
    below(netburst_stopped);
}
DEFECT(netburst_stop_moves_index, FUNCTIONS, "disabling a sampling counter moves the index of the DS area by 8",
       "class", ON("prescott"));
DEFECT(netburst_never_records, LOST(pebs_write, true), "sampling writes no record at all",
       "class: a feature that is fused off", ON("prescott"), MEANT_FOR("netburst.records"));

STAND_IN(netburst_keeps_to_first_area, pebs_write)
{
    uint64_t *first = memory(uint64_t), area = m->controls.stored[STORED_DS_AREA];
    *first = *first ? *first : area;
    if (area == *first || !strikes())
        below(pebs_write);
}
DEFECT(netburst_keeps_to_first_area, FUNCTIONS, "after records were written to one DS area none are written to another",
       "class: a pointer that is kept", ON("prescott"), MEANT_FOR("netburst.reconfigure"));
VARIATION(netburst_one_thread, NO_RULE, "a core has one thread (data)", "hyper-threading off; Pentium D",
          ON("prescott"), PREPARED(deviation_without_threads));
VARIATION(netburst_pebs_of_thread,
          DATA(m->p.stored[STORED_PEBS_ENABLE].scope = m->p.stored[STORED_PEBS_DATA_CFG].scope = SCOPE_THREAD),
          "each thread has MSR_PEBS_ENABLE and MSR_PEBS_MATRIX_VERT of its own (data)",
          "the manual's tables do not agree", ON("prescott"));
VARIATION(netburst_pebs_wants_pmi,
          IS(netburst_samples, below(netburst_samples) && rule(m, netburst_asks)(m, BIT(n), model_netburst_thread(m))),
          "a counter whose CCCR asks for no PMI does not sample",
          "the manual: its table of what sampling requires has OVF_PMI set, as perfmon2 did", ON("prescott"));

/* ---- Privilege levels */

DEFECT(escr_usr_dead, CHANGED(escr_rings, good &RING_USR, good & ~RING_USR), "an ESCR's USR bits count nothing",
       "class", ON("prescott"), MEANT_FOR("netburst.rings"));
DEFECT(escr_rings_ignored, CHANGED(escr_rings, good, RING_OS | RING_USR),
       "a counter with any of an ESCR's bits for a thread counts at all levels", "class of AJ67", ON("prescott"),
       MEANT_FOR("netburst.rings"));
DEFECT(escr_both_is_os, CHANGED(escr_rings, good == (RING_OS | RING_USR), RING_OS),
       "with OS and USR set an ESCR counts at CPL 0 only", "class", ON("prescott"), MEANT_FOR("netburst.rings"));
DEFECT(escr_both_is_usr, CHANGED(escr_rings, good == (RING_OS | RING_USR), RING_USR),
       "with OS and USR set an ESCR counts above CPL 0 only", "class", ON("prescott"), MEANT_FOR("netburst.rings"));

#define ESCR_RINGS (ESCR_T0_OS | ESCR_T0_USR | ESCR_T1_OS | ESCR_T1_USR)

DEFECT(escr_none_is_all, CHANGED(escr_rings, (escr & ESCR_EVENT) && !(escr & ESCR_RINGS), RING_OS | RING_USR),
       "an ESCR without any of its bits for a level counts at all of them", "class", ON("prescott"),
       MEANT_FOR("netburst.rings"));
DEFECT(escr_os_dead, CHANGED(escr_rings, good == RING_OS, 0), "with OS alone an ESCR counts nothing", "class",
       ON("prescott"), MEANT_FOR("netburst.*"));
DEFECT(cccr_no_ovf_of_usr, LOST(netburst_wrapped, caused_by_user(m)),
       "a counter that wraps above CPL 0 does not set OVF in its CCCR", "class", ON("prescott"),
       MEANT_FOR("netburst.rings"));

/* ---- The last steps of setting up */

DEFECT(netburst_samples_without_enable,
       CHANGED(pebs_capable,
               !good && c->bit == NETBURST_IQ_COUNTER(4) + model_netburst_thread(m) &&
                   !m->controls.stored[STORED_PEBS_ENABLE],
               true),
       "a thread's counter samples although MSR_PEBS_ENABLE is clear", "class", ON("prescott"),
       MEANT_FOR("netburst.steps"));
DEFECT(netburst_wants_matrix_first,
       ALL(NOTES(stored_kept, which == STORED_PEBS_DATA_CFG || which == STORED_PEBS_ENABLE,
                 noted = which == STORED_PEBS_DATA_CFG && (m->controls.stored[STORED_PEBS_ENABLE] & PEBS_UOP_TAG) &&
                         value),
           CHANGED(netburst_samples, noted, false)),
       "if MSR_PEBS_MATRIX_VERT is written after MSR_PEBS_ENABLE nothing samples", "class: an order of writes",
       ON("prescott"), MEANT_FOR("netburst.records"));
DEFECT(netburst_matrix_ignored, CHANGED(netburst_matrix, !good, 1),
       "replay tagging works although MSR_PEBS_MATRIX_VERT is clear", "class", ON("prescott"),
       MEANT_FOR("netburst.steps"));
DEFECT(cccr_enable_ignored,
       CHANGED(netburst_enabled, !good && FIELD_GET(shared_get(&m->sharing.core->cccr[n]), 15, 13), true),
       "a counter whose CCCR selects an ESCR counts without the CCCR's enable bit", "class", ON("prescott"),
       MEANT_FOR("netburst.steps"));

/* ---- All counters */

#define SAMPLES_NOT(n) ((n) < NETBURST_IQ_COUNTER(4))

DEFECT(netburst_others_hold_nothing, CHANGED(netburst_kept, SAMPLES_NOT(n), 0),
       "counters other than those that sample do not keep what is written", "class", ON("prescott"),
       MEANT_FOR("netburst.counters"));
DEFECT(netburst_others_dead, CHANGED(netburst_enabled, SAMPLES_NOT(n), false),
       "counters other than those that sample count nothing", "class", ON("prescott"), MEANT_FOR("netburst.counters"));
DEFECT(netburst_one_dead, CHANGED(netburst_enabled, n == 7, false), "MSR_MS_COUNTER3 counts nothing",
       "class: one bad counter", ON("prescott"), MEANT_FOR("netburst.counters"));
DEFECT(cccr_threshold_lost, CHANGED(cccr_shown, SAMPLES_NOT(n), good & ~CCCR_THRESHOLD),
       "CCCRs other than those of the counters that sample have no threshold", "class", ON("prescott"),
       MEANT_FOR("netburst.counters"));
DEFECT(cccr_ovf_of_sampling_alone, LOST(netburst_wrapped, SAMPLES_NOT(n)),
       "only the counters that sample set OVF in their CCCRs", "class", ON("prescott"), MEANT_FOR("netburst.counters"));
DEFECT(cccr_ovf_next_to,
       BEFORE(netburst_wrapped, n == 3, __atomic_fetch_or(&m->sharing.core->cccr[2], CCCR_OVF, __ATOMIC_RELAXED)),
       "MSR_BPU_COUNTER3 sets OVF in the CCCR of the one before it, too", "class: a shorted strobe", ON("prescott"),
       MEANT_FOR("netburst.counters"));
