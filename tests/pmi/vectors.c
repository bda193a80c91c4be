/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * LVTPC delivers at whatever vector is written to it: one after the other, from 20H up, those that this program does
 * not use otherwise. Vectors below 16 are illegal and may leave no trace; those up to 31 would be taken for exceptions.
 */
#include "harness/test.h"

#define WAIT_US 20000

/* In pairs of an even and an odd vector: if the lowest bit is wrong, the PMI comes at the other of the pair. */
static const u8 vectors[] = {0x20, 0x21, 0x54, 0x55, 0x9a, 0x9b, 0xde, 0xdf, VECTOR_PMI ^ 1, 0xee, 0xef};

static volatile u32 came_by[MAX_CPUS];

static void arrived(struct frame *frame)
{
    came_by[cpu_index()] = (u32)frame->vector;
    apic_eoi();
}

static bool wait_for(u32 cpu)
{
    struct patience patience = patience_us(WAIT_US);
    while (!came_by[cpu] && !pmi_log()->count)
        if (patience_over(&patience))
            return false;
    return true;
}

static bool one_vector(struct test *t)
{
    u8 vector = vectors[t->turn % ARRAY_SIZE(vectors)];
    interrupt_handle(vector, arrived);
    came_by[t->cpu] = 0;
    pmi_open(PMI_FIXED, PMI_ACK);
    apic_write(APIC_LVT_PC, (u32)(LVT_DELIVERY_FIXED | LVT_VECTOR(vector)));
    interrupts_on();
    provoke_overflow(t, gp_counter(t->caps, 0), COUNT_OS | COUNT_INT);
    bool arrives = wait_for(t->cpu);
    interrupts_off();
    if (check_true(t, "not-delivered", arrives, vector, "a PMI at this vector", 0))
        check_equal(t, "at-another-vector", came_by[t->cpu], vector, 0);
    pmi_close();
    pmu_status_clear(caps_counter_bits(t->caps));
    counter_clear(gp_counter(t->caps, 0));
    return more_samples_of(t, ARRAY_SIZE(vectors));
}

TEST("pmi.vectors", .title = "LVTPC delivers at the vector that is written to it", .spec = "SDM 3A, Local Vector Table",
     .covers = "B-041", .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = one_vector);
