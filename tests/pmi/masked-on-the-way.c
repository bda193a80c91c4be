/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A PMI that is on its way when LVTPC is rewritten, masked and with another vector, may still come at the old vector,
 * or not at all. It never comes at the new one, which is masked from the moment it is written.
 *
 * Overflows are placed at every instruction up to the rewriting, and one long after it, whose PMI cannot be on its way
 * (AAJ35 is about those that are). Drivers change the vector like that when one takes over the interrupt from another.
 *
 * The errata of the CPUs before (AF46) and after Core 2 and Bonnell describe this; no errata of these two that do were
 * at hand: there PMIs on their way are only measured.
 *
 * The handler leaves LVTPC masked: if it unmasked the entry, which by then has the new vector, a second PMI without an
 * overflow (AAJ119, BV43) might rightly come at that vector.
 */
#include "harness/test.h"

#define PLACES 40
#define LATE 500 /* instructions, so many that the overflow comes after the rewriting */
#define OTHER_VECTOR 0xe1

static volatile u32 came_by_other[MAX_CPUS];

static void other_vector(struct frame *frame)
{
    (void)frame;
    came_by_other[cpu_index()]++;
    apic_eoi();
}

static bool rewrite_on_the_way(struct test *t, void *argument)
{
    u32 place = *(u32 *)argument;
    struct counter c = gp_counter(t->caps, 0);
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_INT, counter_preset(c, 1 + place));
    came_by_other[t->cpu] = 0; /* the handler stays while other tests run */
    pmi_open(PMI_FIXED, PMI_STOP | PMI_CLEAR_STATUS);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(c.bit));
    apic_write(APIC_LVT_PC, (u32)(LVT_MASKED | LVT_DELIVERY_FIXED | LVT_VECTOR(OTHER_VECTOR)));
    interrupts_on();
    pmi_settled();
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    pmi_close();
    if (place < PLACES && class_takes_masked_vector(cpu_class(t->caps)))
        measure(t, "by-masked-vector", "pmis", came_by_other[t->cpu]);
    else
        check_equal(about(t, place < PLACES ? ASPECT_MASKED_VECTOR : 0), "by-masked-vector", came_by_other[t->cpu], 0,
                    0);
    return false;
}

static void masked_on_the_way(struct test *t)
{
    interrupt_handle(OTHER_VECTOR, other_vector);
    u32 place, late = LATE;
    for (place = 0; place < PLACES; place++)
        repeat_clean(t, rewrite_on_the_way, &place);
    repeat_clean(t, rewrite_on_the_way, &late);
}

TEST("pmi.masked-on-the-way", .title = "A masked LVTPC delivers nothing, not even a PMI on its way",
     .spec = "SDM 3A, Local Vector Table", .covers = "B-040", .needs = {.version = 2, .event = 2, .apic = true},
     .scope = EACH_CPU, .run = masked_on_the_way, .measures = true);
