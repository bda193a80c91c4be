/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/count/netburst.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/register/instructions.h"
#include "kernel/register/msr.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/pebs.h"
#include "pmu/gate/write.h"
#include "pmu/registers.h"

#define COUNTER_MASK MASK(39, 0)
#define CRU_ESCR_2_3 5 /* the CCCR's select value for this pair of ESCRs */
#define SAMPLING_IQ 4  /* the first thread's MSR_IQ_COUNTER for PEBS; the next one is the second thread's */
#define NBOGUS 1       /* event mask: uops that are not on a wrong path */
#define TAGLOADS 2
#define TAGSTORES 4

#define NBOGUS0 1 /* event mask: uops that are not on a wrong path and carry the first tag */
#define ALL 0x8000

enum { UOP_TYPE = 0x02, FRONT_END_EVENT = 0x08, REPLAY_EVENT = 0x09, EXECUTION_EVENT = 0x0c };
enum { PACKED_SP_UOP = 0x08, SCALAR_SP_UOP = 0x0a, PACKED_DP_UOP = 0x0c, SCALAR_DP_UOP = 0x0e, MMX_128_UOP = 0x1a };

#define FRONT_END(mask) FRONT_END_EVENT, NBOGUS, MSR_RAT_ESCR(0), UOP_TYPE, mask, 0, 0, 0
#define REPLAY(enable, matrix) REPLAY_EVENT, NBOGUS, 0, 0, 0, 0, enable, matrix
#define FIRST_TAG (ESCR_TAG_ENABLE | FIELD(8, 5, 1))
#define EXECUTION(uop) EXECUTION_EVENT, NBOGUS0, MSR_FIRM_ESCR(0), uop, ALL, FIRST_TAG, 0, 0

/* SDM 3B, "Event Mask Definitions" of the non-architectural events; "Replay Event Metrics"; "Metrics That Utilize the
 * Execution Tagging Mechanism". */
const struct netburst_event netburst_events[] = {
    {"front_end_event loads", FRONT_END(TAGLOADS)},
    {"front_end_event stores", FRONT_END(TAGSTORES)},
    {"replay_event first-level load misses", REPLAY(0x1, 0x1)},
    {"replay_event TLB load misses", REPLAY(0x4, 0x1)},
};
const unsigned netburst_event_count = ARRAY_SIZE(netburst_events);

const struct netburst_event netburst_executions[] = {
    {"packed_SP_retired", EXECUTION(PACKED_SP_UOP)}, {"packed_DP_retired", EXECUTION(PACKED_DP_UOP)},
    {"scalar_SP_retired", EXECUTION(SCALAR_SP_UOP)}, {"scalar_DP_retired", EXECUTION(SCALAR_DP_UOP)},
    {"128_bit_MMX_retired", EXECUTION(MMX_128_UOP)},
};
const unsigned netburst_execution_count = ARRAY_SIZE(netburst_executions);

/* Which of its core's threads the calling CPU is: of two, the lowest bit of the APIC id says which. SDM 3A,
 * "Hierarchical Mapping of Shared Resources". */
static unsigned netburst_thread(const struct pmu_caps *caps)
{
    return caps->threads_per_core > 1 ? cpu_apic_id(cpu_index()) & 1 : 0;
}

bool netburst_own(const struct netburst_setup *setup)
{
    return setup->iq == SAMPLING_IQ + setup->thread;
}

u32 netburst_counter(const struct netburst_setup *setup)
{
    return MSR_NETBURST_COUNTER(NETBURST_IQ_COUNTER(setup->iq));
}

u32 netburst_cccr(const struct netburst_setup *setup)
{
    return MSR_CCCR(NETBURST_IQ_COUNTER(setup->iq));
}

static u64 escr(const struct netburst_setup *setup, u8 event, u16 mask)
{
    bool second = setup->of_other ? !setup->thread : setup->thread;
    u64 os = second ? ESCR_T1_OS : ESCR_T0_OS, user = second ? ESCR_T1_USR : ESCR_T0_USR;
    return (u64)event << 25 | (u64)mask << 9 | (setup->os ? os : 0) | (setup->user ? user : 0);
}

static u64 preset(const struct netburst_setup *setup)
{
    return (0 - setup->period) & COUNTER_MASK;
}

static u64 cccr_value(const struct netburst_setup *setup)
{
    u64 mine = setup->thread ? CCCR_OVF_PMI_T1 : CCCR_OVF_PMI_T0, both = CCCR_OVF_PMI_T0 | CCCR_OVF_PMI_T1;
    return FIELD(15, 13, CRU_ESCR_2_3) | CCCR_ACTIVE_THREAD | (setup->pmi ? mine : 0) |
           (setup->pmi_of_other ? both & ~mine : 0) | (setup->force ? CCCR_FORCE_OVF : 0);
}

/* "Counters must be stopped before writing". Clearing the whole CCCR also clears its overflow flag. */
static void stop_counter(const struct netburst_setup *setup)
{
    wrmsr(netburst_cccr(setup), 0);
}

bool netburst_put_counter(u32 msr, u64 value)
{
    return wrmsr_try(msr, value) == NO_FAULT && wrmsr_try(msr, value) == NO_FAULT;
}

static void disable_pebs(void)
{
    wrmsr(MSR_PEBS_ENABLE, 0);
    wrmsr(MSR_PEBS_MATRIX_VERT, 0);
}

static void write_sample_after(const struct netburst_setup *setup)
{
    netburst_put_counter(netburst_counter(setup), preset(setup));
}

static void configure_event(const struct netburst_setup *setup)
{
    const struct netburst_event *event = setup->event;
    u32 set = setup->set;
    wrmsr(MSR_RAT_ESCR(set), 0);
    wrmsr(MSR_FIRM_ESCR(set), 0);
    if (event->tagger)
        wrmsr(event->tagger + set, escr(setup, event->upstream, event->upstream_mask) | event->tag);
    wrmsr(MSR_CRU_ESCR(2 + set), escr(setup, event->event, event->mask));
    wrmsr(netburst_cccr(setup), cccr_value(setup));
}

static struct ds_buffer buffer_of(const struct netburst_setup *setup)
{
    return (struct ds_buffer){.base = (u64)setup->area.buffer,
                              .room = setup->area.room,
                              .size = setup->size,
                              .records = setup->records,
                              .threshold = setup->threshold};
}

static bool allocate_buffer(struct netburst_setup *setup)
{
    if (!ds_area_get(setup->caps, setup->which, &setup->area))
        return false;
    setup->size = pebs_record_size(0, 0);
    ds_area_fill(&setup->area);
    struct ds_buffer buffer = buffer_of(setup);
    return ds_buffer_fits(&buffer);
}

static void configure_management(const struct netburst_setup *setup)
{
    const struct ds_layout *layout = &setup->area.layout;
    u8 *area = setup->area.management;
    struct ds_buffer buffer = buffer_of(setup);
    ds_put_buffer(layout, area, &buffer);
    ds_put_reset(layout, area, false, 0, preset(setup));
    mfence();
}

static void enable_pebs(const struct netburst_setup *setup)
{
    if (!setup->matrix_last)
        wrmsr(MSR_PEBS_MATRIX_VERT, setup->event->matrix);
    wrmsr(MSR_PEBS_ENABLE, setup->event->enable | PEBS_UOP_TAG | PEBS_MY_THREAD);
    if (setup->matrix_last)
        wrmsr(MSR_PEBS_MATRIX_VERT, setup->event->matrix);
}

/*
 * The table's last row, prepared as one write with the enable bit and one without it. Such writes would clear CCCR.OVF,
 * as software can write it; so a counter without PEBS stays enabled, and its ESCR selects the event or none.
 */
static void prepare_start(struct netburst_setup *setup)
{
    struct switch_write *sw = &setup->start_stop;
    u64 enabled = cccr_value(setup) | CCCR_ENABLE;
    if (setup->pebs) {
        *sw = (struct switch_write){.msr = netburst_cccr(setup), .on = enabled, .off = cccr_value(setup)};
    } else {
        *sw = (struct switch_write){.msr = MSR_CRU_ESCR(2 + setup->set),
                                    .on = escr(setup, setup->event->event, setup->event->mask)};
        wrmsr(sw->msr, 0);
        wrmsr(netburst_cccr(setup), enabled);
    }
}

bool netburst_begin(struct netburst_setup *setup)
{
    setup->thread = netburst_thread(setup->caps);
    setup->iq = setup->other ? setup->other - 1 : SAMPLING_IQ + setup->thread;
    setup->set = NETBURST_IQ_SECOND >> setup->iq & 1;
    stop_counter(setup);
    disable_pebs();
    write_sample_after(setup);
    configure_event(setup);
    if (!allocate_buffer(setup))
        return false;
    if (setup->pebs) {
        wrmsr(MSR_DS_AREA, (u64)setup->area.management);
        configure_management(setup);
        enable_pebs(setup);
    }
    prepare_start(setup);
    return true;
}

void netburst_end(const struct netburst_setup *setup, u64 quiet_us)
{
    wrmsr(netburst_cccr(setup), rdmsr(netburst_cccr(setup)) & CCCR_OVF);
    disable_pebs();
    if (quiet_us)
        time_delay_us(quiet_us);
}

static void stop(unsigned iq)
{
    unsigned set = NETBURST_IQ_SECOND >> iq & 1;
    wrmsr_try(MSR_CCCR(NETBURST_IQ_COUNTER(iq)), 0);
    netburst_put_counter(MSR_NETBURST_COUNTER(NETBURST_IQ_COUNTER(iq)), 0);
    wrmsr_try(MSR_CRU_ESCR(2 + set), 0);
    wrmsr_try(MSR_RAT_ESCR(set), 0);
    wrmsr_try(MSR_FIRM_ESCR(set), 0);
}

void netburst_stop(const struct pmu_caps *caps)
{
    if (!netburst_pebs_usable(caps))
        return;
    unsigned iq = SAMPLING_IQ + netburst_thread(caps);
    wrmsr_try(MSR_CCCR(NETBURST_IQ_COUNTER(iq)), 0);
    wrmsr_try(MSR_PEBS_ENABLE, 0);
    wrmsr_try(MSR_PEBS_MATRIX_VERT, 0);
    stop(iq);
}

void netburst_clear(const struct netburst_setup *setup)
{
    stop(setup->iq);
}

u64 netburst_written(const struct netburst_setup *setup)
{
    return ds_get(&setup->area.layout, setup->area.management, DS_PEBS_INDEX) - (u64)setup->area.buffer;
}

bool netburst_next(const struct netburst_setup *setup, u64 *offset, struct pebs_record *record)
{
    u64 written = netburst_written(setup);
    if (written > setup->area.room || *offset >= written ||
        !pebs_decode(0, setup->area.buffer + *offset, written - *offset, record))
        return false;
    *offset += record->size;
    return true;
}
