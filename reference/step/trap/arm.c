/* SPDX-License-Identifier: BSD-2-Clause */
/* Puts CPUs under the stepper, and back on their own. */
#include "kernel/core/memory.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/apic.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/instructions.h"
#include "reference/step/stepper.h"
#include "reference/step/trap/sites.h"
#include "reference/step/trap/stepped.h"

#define STACK_PAGES (STEPPED_STACK / PAGE_SIZE)
/* Costs on a machine of ordinary speed. */
#define STEP_NS 300
#define TRAP_NS 1000
#define SETTLE_US 1000 /* a CPU that has just been armed is asleep by then */
#define PAGE_IDS 254u  /* the highest id that the page's command register can name */

static bool active(void)
{
    return stepped() && stepped()->active;
}

static const char *unavailable(void)
{
    if (active())
        return NULL;
    for (u32 cpu = 0; apic_x2() && cpu < cpu_count(); cpu++)
        if (cpu_apic_id(cpu) > PAGE_IDS)
            return "reference PMU: ids of local APICs above 254 are not supported: leave those CPUs out (cpus=)";
    return sites_fit() ? traps_tried() : "reference PMU: the image has more sites than sites.c has room for";
}

static u64 pages_of(u64 bytes)
{
    return (bytes + PAGE_SIZE - 1) / PAGE_SIZE;
}

static bool create_stacks(struct stepped *s)
{
    u8 *pages = pages_alloc(STEPPED_STACKS * STACK_PAGES + STACK_PAGES - 1);
    s->stacks = (u8 *)(((u64)pages + STEPPED_STACK - 1) & ~(STEPPED_STACK - 1));
    for (unsigned n = 0; pages && n < STEPPED_STACKS; n++)
        *(struct stepped **)(s->stacks + n * STEPPED_STACK + STEPPED_STACK_TOP) = s;
    return pages;
}

static struct stepped *create(u32 cpu)
{
    struct stepped *s = pages_alloc(pages_of(sizeof(*s)));
    void *model = pages_alloc(pages_of(model_size()));
    if (!s || !model || !create_stacks(s))
        return NULL;
    s->cpu = cpu;
    s->model = model;
    return shadow_create(s) ? s : NULL;
}

static void forget(struct stepped *s)
{
    s->pending.any = 0;
    s->inside = 0;
    s->requested = 0;
    s->stepping = s->forced = s->leaving = s->program_tf = s->nmi_blocked = s->woken = s->asleep = s->looked = false;
    s->interrupt = s->nmi = false;
}

static void put_under(struct stepped *s)
{
    u64 flags = interrupts_off();
    s->active = true;
    shadow_load(s);
    interrupts_restore(flags);
    stepper_drain();
}

static bool arm(const struct model_setup *setup)
{
    u32 cpu = cpu_index();
    struct stepped *s = stepped_of(cpu);
    if (!s && !(s = create(cpu)))
        return false;
    stepped_keep(s);
    s->setup = *setup;
    if (!(s->setup.core = stepper_core(cpu)))
        return false;
    if (s->active) {
        stepper_call(CALL_REARM, 0);
        stepper_drain();
        return true;
    }
    forget(s);
    apic_find(s);
    machine_reset_model(s);
    put_under(s);
    machine_pmu_stop(s); /* where a register that faults is no harm */
    return true;
}

static bool is_active(u32 cpu)
{
    return stepped_of(cpu) && stepped_of(cpu)->active;
}

/* All that answer are under it. */
static bool all_armed(void)
{
    struct cpu_set cpus = cpus_all();
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (cpu_set_has(&cpus, cpu) && !is_active(cpu))
            return false;
    return true;
}

static void everywhere(void)
{
    if (sites_patched() || !all_armed())
        return;
    time_delay_us(SETTLE_US);
    sites_patch();
}

/* After some CPUs were away: from here on the local APIC is reached as the model has it. */
static void go_on(void)
{
    everywhere();
    if (!sites_patched())
        return;
    apic_mode_assume_page();
    apic_mode_detect();
}

static void disarm(void)
{
    struct stepped *s = stepped();
    if (!s || !s->active)
        return;
    stepper_call(CALL_LEAVE, 0); /* counters may still run, and TF must not outlive the table */
    u64 flags = interrupts_off();
    apic_store(s, APIC_LVT_PC, s->apic.lvtpc);
    machine_pmu_go_on(s);
    shadow_unload(s);
    s->active = false;
    interrupts_restore(flags);
    stepper_drain();
}

/* From here on the local APIC is reached as the machine has it. */
static void restore_text(void)
{
    sites_restore();
    if (stepped())
        apic_mode_is(stepped()->apic.x2);
}

static void leaves(u32 cpu)
{
    if (!is_active(cpu))
        return;
    stepped_of(cpu)->active = false;
    restore_text();
}

static void stays(u32 cpu)
{
    if (!stepped_of(cpu))
        return;
    stepped_of(cpu)->active = true;
    go_on();
}

static void comes_back(void)
{
    struct stepped *s = stepped();
    if (!s || s->active)
        return;
    forget(s);
    model_halted(s->model, false);
    model_init_pmu(s->model);
    put_under(s);
    go_on(); /* the others wait for this CPU */
}

static void set_way(unsigned way)
{
    stepper_call(CALL_STEPPING, way);
}

static struct stepper_statistics statistics(void)
{
    return stepped()->statistics;
}

static struct stepper_speed speed(void)
{
    return stepper_speed(set_way, stepped()->way, WAY_TRAP);
}

static u64 work_us(u32 cpu)
{
    const struct stepped *s = stepped_of(cpu);
    if (!s)
        return 0;
    return (s->statistics.steps * STEP_NS + (s->statistics.traps + s->statistics.accesses) * TRAP_NS) / 1000;
}

static const char *const ways[WAYS + 1] = {[WAY_TRAP] = "trap", [WAY_EACH] = "each"};
static const struct stepper row = {
    .name = "trap",
    .ways = ways,
    .kib = (sizeof(struct stepped) + STEPPED_STACKS * STEPPED_STACK + MODEL_SIZE_MOST) / 1024,
    .unavailable = unavailable,
    .arm = arm,
    .everywhere = everywhere,
    .disarm = disarm,
    .active = active,
    .leaves = leaves,
    .stays = stays,
    .comes_back = comes_back,
    .restore_text = restore_text,
    .set_way = set_way,
    .prove = stepper_prove,
    .probe = stepper_probe,
    .probes = stepper_probes,
    .statistics = statistics,
    .speed = speed,
    .work_us = work_us,
};
STEPPER(row);
