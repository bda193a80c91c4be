/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reference PMU in your own program, used as by an emulator: a counter of Skylake's is set up to overflow in a
 * loop, the PMI comes, and STATUS says who asked for it. Needs nothing but the library of `make model`:
 *
 *     cc -I build/include example.c -L build -lpmumodel
 */
#include <pmumodel.h>
#include <stdio.h>

/* The PMU's surroundings: an entry of the local APIC, a clock, and a record of interrupts. */
struct machine {
    uint32_t lvtpc;
    uint64_t tsc;
    unsigned pmis;
    uint8_t vector;
};

static uint32_t lvtpc_read(void *context)
{
    return ((struct machine *)context)->lvtpc;
}

static void lvtpc_write(void *context, uint32_t value)
{
    ((struct machine *)context)->lvtpc = value;
}

static void interrupt(void *context, uint8_t vector)
{
    struct machine *machine = context;
    machine->pmis++;
    machine->vector = vector;
}

static void nmi(void *context)
{
    interrupt(context, 2);
}

static uint64_t ticks(void *context)
{
    return ((struct machine *)context)->tsc;
}

/* The guest's WRMSR: first the write, then the instruction itself, if it has to be reported. */
static void wrmsr(struct model *pmu, uint32_t msr, uint64_t value)
{
    if (!model_wrmsr(pmu, msr, value))
        printf("WRMSR %XH: #GP\n", msr);
    else if (model_stepping(pmu))
        model_retire(pmu, &(struct retired){.kind = RETIRED_WRMSR});
}

static uint64_t rdmsr(struct model *pmu, uint32_t msr)
{
    uint64_t value = 0;
    if (!model_rdmsr(pmu, msr, &value))
        printf("RDMSR %XH: #GP\n", msr);
    return value;
}

/* Ten turns of `nop; dec ecx; jnz`, at CPL 0; returns the number of instructions until the PMI came. */
static unsigned loop(struct model *pmu, struct machine *machine)
{
    unsigned retired = 0, came_after = 0;
    for (unsigned turn = 1; turn <= 10; turn++)
        for (unsigned i = 0; i < 3; i++) {
            bool branch = i == 2;
            struct retired instruction = {.rip = 0x1000 + i, .taken = branch && turn < 10};
            instruction.kind = branch ? RETIRED_BRANCH : RETIRED_PLAIN;
            machine->tsc++;
            retired++;
            if (model_stepping(pmu))
                model_retire(pmu, &instruction);
            if (machine->pmis && !came_after)
                came_after = retired;
        }
    return came_after;
}

int main(void)
{
    static _Alignas(16) unsigned char room[MODEL_SIZE_MOST];
    struct machine machine = {.lvtpc = 0x60}; /* fixed delivery, vector 60H, not masked */
    struct model_host host = {.context = &machine,
                              .lvtpc_read = lvtpc_read,
                              .lvtpc_write = lvtpc_write,
                              .interrupt = interrupt,
                              .nmi = nmi,
                              .time = ticks};
    struct model_setup setup = {.profile = model_profile("skylake"), .cpus = 1};
    struct model *pmu = (struct model *)room;
    uint32_t leaf[4], native[4] = {0};

    model_reset(pmu, &setup, &host);
    model_cpuid(pmu, 0x0a, 0, native, leaf);
    printf("version %u, %u counters of %u bits\n", leaf[0] & 0xff, leaf[0] >> 8 & 0xff, leaf[0] >> 16 & 0xff);

    wrmsr(pmu, MSR_PERF_GLOBAL_CTRL, 0);
    wrmsr(pmu, MSR_A_PMC(0), (1ull << 48) - 20); /* overflows with the 20th instruction */
    wrmsr(pmu, MSR_PERFEVTSEL(0), EVTSEL_ENCODING(ARCH_EVENT_INSTRUCTIONS) | EVTSEL_OS | EVTSEL_INT | EVTSEL_EN);
    wrmsr(pmu, MSR_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    wrmsr(pmu, MSR_PERF_GLOBAL_CTRL, GLOBAL_GP(0));

    unsigned came_after = loop(pmu, &machine);
    printf("%u PMI, vector %XH, after instruction %u of 30\n", machine.pmis, machine.vector, came_after);
    printf("LVTPC %05X: %s\n", (unsigned)machine.lvtpc, machine.lvtpc & LVT_MASKED ? "masked itself" : "open");
    printf("STATUS %016llX, counter %llu: frozen\n", (unsigned long long)rdmsr(pmu, MSR_PERF_GLOBAL_STATUS),
           (unsigned long long)rdmsr(pmu, MSR_PMC(0)));

    /* The handler: acknowledges the overflow and unmasks the entry. */
    wrmsr(pmu, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_GP(0) | STATUS_CTR_FRZ);
    machine.lvtpc &= ~(uint32_t)LVT_MASKED;
    printf("STATUS %016llX after the acknowledgement\n", (unsigned long long)rdmsr(pmu, MSR_PERF_GLOBAL_STATUS));
    wrmsr(pmu, MSR_PERF_GLOBAL_STATUS, 0);
    return 0;
}
