/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/run/pmi.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/apic.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/instructions.h"
#include "kernel/register/msr.h"
#include "pmu/area/ds.h"
#include "pmu/count/counter.h"
#include "pmu/count/netburst.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/pebs.h"
#include "pmu/gate/gate.h"
#include "pmu/gate/write.h"
#include "pmu/sampling/sampled.h"

#define WAIT_US 20000
/* After some waits in vain, as for a counter that is dead, the others are shorter: a PMI that is due comes at once. */
#define VAIN_MOST 6
#define SHORT_WAIT_US 1000
#define SHORT_WAIT_LOOKS 50
/* The longest time until a PMI on its way arrives: the sum of both. */
#define SETTLE_US 10
#define SETTLE_TICKS 5000
#define SETTLE_LOOKS 160 /* a number of reads: if instructions are slow, a PMI comes late by a number of them */
#define SETTLE_LOOKS_MOST 1000000 /* in case time stands still */
#define DRAIN_US 1000
/* Every counter's overflow bit in IA32_PERF_GLOBAL_STATUS, general-purpose and fixed. */
#define OVERFLOWS (MASK(GP_COUNTERS_MAX - 1, 0) | MASK(32 + FIXED_COUNTERS_MAX - 1, 32) | STATUS_METRICS)

static PER_CPU struct pmi_cpu {
    bool open;
    bool left_masked; /* the handler did not unmask LVTPC, so a set mask bit does not make the next NMI a PMI */
    enum pmi_delivery delivery;
    unsigned action;
    u32 found; /* LVTPC before pmi_open() */
    struct pmi_unasked unasked;
    void (*hook)(struct pmi_record *record);
    struct pmi_log log;
    u32 vain; /* waits in vain, in this test */
} pmi_cpus;

static struct pmi_cpu *self(void)
{
    return &of_cpu(pmi_cpus, cpu_index());
}

static u64 global_ctrl(void)
{
    return pmu_caps()->version >= 2 ? rdmsr(MSR_PERF_GLOBAL_CTRL) : 0;
}

/* Only reads, before the handler changes anything. The TSC comes first, as the rest takes time. */
static struct pmi_record record_of(const struct frame *frame)
{
    struct pmi_record record = {.tsc = rdtsc(), .rip = frame->rip};
    record.status = pmu_status();
    record.lvtpc = apic_read(APIC_LVT_PC);
    record.global_ctrl = global_ctrl();
    record.pebs_index = apebs_usable(pmu_caps()) ? apebs_position() : ds_area_index();
    record.in_service = frame->vector == VECTOR_PMI && apic_in_service(VECTOR_PMI);
    return record;
}

static void stop_counters(void)
{
    const struct pmu_caps *caps = pmu_caps();
    if (caps->version < 2) {
        pmu_stop_all(caps);
        return;
    }
    wrmsr(MSR_PERF_GLOBAL_CTRL, 0);
    if (own_written(gate_own(), MSR_PEBS_ENABLE))
        wrmsr(MSR_PEBS_ENABLE, 0);
}

static bool has_pmu(const struct pmu_caps *caps)
{
    return caps->present || cpu_class(caps) == CLASS_NETBURST;
}

/* In x2APIC mode the WRMSR is not serialising: the fences complete it before what follows. */
static void write_lvtpc(u64 lvtpc)
{
    apic_write(APIC_LVT_PC, (u32)(lvtpc & ~LVT_STATUS));
    mfence();
    lfence();
}

/* What this PMI has to do with: bits that software set to stand there have been there before. */
static u64 came_with(const struct pmi_record *record)
{
    return record->status & ~caused_kept();
}

/*
 * Clears the overflow bits before LVTPC is unmasked and before EOI: some CPUs repeat the PMI while a bit is set (HSD91,
 * BDM38).
 */
static void act(struct pmi_cpu *cpu, const struct pmi_record *record)
{
    if (cpu->action & PMI_STOP)
        stop_counters();
    if (cpu->action & PMI_CLEAR_STATUS)
        pmu_status_clear(came_with(record));
    if (cpu->action & PMI_UNMASK)
        write_lvtpc(record->lvtpc & ~LVT_MASKED);
    cpu->left_masked = !(cpu->action & PMI_UNMASK);
}

/*
 * Some CPUs repeat the PMI as long as its overflow bit is set. If the handler had to leave that bit set, it caused the
 * storm itself, which is then not counted.
 */
static void cut_storm(struct pmi_cpu *cpu, const struct pmi_record *record, u64 vector)
{
    write_lvtpc(apic_read(APIC_LVT_PC) | LVT_MASKED);
    stop_counters();
    if (record->status & (cpu->action & PMI_CLEAR_STATUS ? caused_kept() : OVERFLOWS))
        return;
    cpu->unasked.storms++;
    cpu->unasked.vector = (u8)vector;
}

static void note_stray(struct pmi_cpu *cpu, const struct pmi_record *record, u64 vector)
{
    cpu->unasked.strays++;
    cpu->unasked.vector = (u8)vector;
    cpu->unasked.status = record->status;
    write_lvtpc(record->lvtpc | LVT_MASKED);
}

/*
 * If the handler unmasks LVTPC soon after a PMI, some generations send a second one although nothing has overflowed
 * (AAJ119, BV43). That is legal. Below version 2 no register shows what has overflowed.
 */
static bool empty_second(const struct pmi_cpu *cpu, const struct pmi_record *record)
{
    return cpu->log.count && pmu_caps()->version >= 2 &&
           !(came_with(record) & (OVERFLOWS | STATUS_OVF_BUFFER | STATUS_ARCH_PEBS | STATUS_TRACE_TOPA_PMI));
}

static void handle(struct pmi_cpu *cpu, struct pmi_record *record, u64 vector)
{
    if (!cpu->open) {
        note_stray(cpu, record, vector);
        return;
    }
    cpu->unasked.empty_seconds += empty_second(cpu, record);
    if (cpu->log.count < PMI_RECORDS)
        cpu->log.record[cpu->log.count] = *record;
    cpu->log.count++;
    if (cpu->log.count > PMI_STORM)
        cut_storm(cpu, record, vector);
    else
        act(cpu, record);
    if (cpu->hook)
        cpu->hook(record);
}

static void fixed_vector(struct frame *frame)
{
    struct pmi_record record = record_of(frame);
    handle(self(), &record, frame->vector);
    apic_eoi();
}

/*
 * An NMI does not state its source. It counts as a PMI if LVTPC delivers NMIs and either a counter with its PMI enabled
 * has overflowed, or the delivery has just masked LVTPC; the latter alone is a PMI without an overflow bit, which is
 * legal if two came close together. If LVTPC was set to deliver NMIs but reads otherwise now, the delivery itself may
 * have changed it, which a test must judge: then an overflow makes it a PMI.
 */
static bool is_pmi(const struct pmi_cpu *cpu, const struct pmi_record *record)
{
    bool overflowed = came_with(record) &
                      (own_interrupting(gate_own()) | STATUS_OVF_BUFFER | STATUS_ARCH_PEBS | STATUS_TRACE_TOPA_PMI);
    if ((record->lvtpc & LVT_DELIVERY_MASK) != LVT_DELIVERY_NMI)
        return overflowed && cpu->open && cpu->delivery == PMI_NMI;
    return overflowed || (record->lvtpc & LVT_MASKED && cpu->open && !cpu->left_masked);
}

static void nmi(struct frame *frame)
{
    struct pmi_cpu *cpu = self();
    if (!apic_present() || !pmu_caps()->present) {
        interrupt_foreign_nmi();
        return;
    }
    struct pmi_record record = record_of(frame);
    if (is_pmi(cpu, &record))
        handle(cpu, &record, frame->vector);
    else
        interrupt_foreign_nmi();
}

void pmi_init(void)
{
    interrupt_handle(VECTOR_PMI, fixed_vector);
    interrupt_handle(VECTOR_NMI, nmi);
    self()->open = false;
    if (apic_present() && has_pmu(pmu_caps()))
        write_lvtpc(LVT_MASKED | VECTOR_PMI);
}

static u32 lvtpc_of(enum pmi_delivery delivery)
{
    return delivery == PMI_NMI ? (u32)LVT_DELIVERY_NMI : (u32)(LVT_DELIVERY_FIXED | LVT_VECTOR(VECTOR_PMI));
}

/* Takes an interrupt that is still requested, with the priority and interrupt flag that hold between tests. */
static void drain(void)
{
    u64 flags = interrupts_off();
    u32 priority = apic_read(APIC_TPR);
    struct patience patience = patience_us(DRAIN_US); /* stepped code takes interrupts at some instructions only */
    apic_write(APIC_TPR, 0);
    interrupts_on();
    while (apic_requested(VECTOR_PMI) && !patience_over(&patience))
        ;
    interrupts_off();
    apic_write(APIC_TPR, priority);
    interrupts_restore(flags);
}

void pmi_take_stray(void)
{
    if (apic_requested(VECTOR_PMI))
        drain();
}

void pmi_open(enum pmi_delivery delivery, unsigned action)
{
    struct pmi_cpu *cpu = self();
    pmi_take_stray(); /* so that an old PMI is not the first of this log */
    cpu->found = apic_read(APIC_LVT_PC);
    cpu->delivery = delivery;
    cpu->action = action;
    cpu->log.count = 0;
    cpu->left_masked = false;
    cpu->open = true;
    write_lvtpc(lvtpc_of(delivery));
}

bool pmi_programmed(u32 *lvtpc)
{
    *lvtpc = lvtpc_of(self()->delivery);
    return self()->open;
}

void pmi_hook(void (*hook)(struct pmi_record *record))
{
    self()->hook = hook;
}

struct pmi_log *pmi_log(void)
{
    return &self()->log;
}

void pmi_patient(void)
{
    self()->vain = 0;
}

bool pmi_wait(u32 n)
{
    struct pmi_cpu *cpu = self();
    struct patience patience =
        cpu->vain < VAIN_MOST ? patience_us(WAIT_US) : patience_looks(SHORT_WAIT_US, SHORT_WAIT_LOOKS);
    while (cpu->log.count < n && !patience_over(&patience))
        ;
    cpu->vain += cpu->log.count < n;
    return cpu->log.count >= n;
}

void pmi_settle(void)
{
    u64 end = time_now() + time_ticks(SETTLE_US) + SETTLE_TICKS;
    for (u32 looks = 0; (looks < SETTLE_LOOKS || time_now() < end) && looks < SETTLE_LOOKS_MOST; looks++)
        ;
}

/*
 * Masks LVTPC without changing its vector, and writes another vector only when nothing is pending: rewriting an entry
 * whose interrupt is on its way can deliver it on the new vector, even masked (AAJ35).
 */
void pmi_close(void)
{
    struct pmi_cpu *cpu = self();
    if (!cpu->open) {
        cpu->hook = NULL;
        pmi_take_stray();
        return;
    }
    pmi_settle();
    write_lvtpc(apic_read(APIC_LVT_PC) | LVT_MASKED);
    cpu->action = 0;
    drain();
    write_lvtpc(cpu->found | LVT_MASKED);
    cpu->hook = NULL;
    cpu->open = false;
}

void pmi_unmask_first(const struct pmu_caps *caps)
{
    if (caps->version >= VERSION_STREAMLINED)
        write_lvtpc(apic_read(APIC_LVT_PC) & ~LVT_MASKED);
}

struct pmi_unasked pmi_unasked(u32 cpu)
{
    return of_cpu(pmi_cpus, cpu).unasked;
}
