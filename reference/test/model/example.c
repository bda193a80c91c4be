/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The reference PMU in your own program, used as by an emulator: a counter of Skylake's overflows in a loop, the PMI
 * comes, and STATUS says who asked for it; then the PMU is saved in mid-count and goes on in another instance.
 *
 *     cc example.c $(pkg-config --cflags --libs pmumodel)
 */
#include <pmumodel.h>
#include <stdio.h>

/* The PMU's surroundings: an entry of the local APIC, a clock, and the vector of the last PMI. */
struct machine {
    uint32_t lvtpc;
    uint64_t tsc;
    unsigned vector;
};

static uint32_t lvtpc_read(void *machine)
{
    return ((struct machine *)machine)->lvtpc;
}

static void lvtpc_write(void *machine, uint32_t value)
{
    ((struct machine *)machine)->lvtpc = value;
}

static void interrupt(void *machine, uint8_t vector)
{
    ((struct machine *)machine)->vector = vector;
}

static void nmi(void *machine)
{
    interrupt(machine, 2);
}

static uint64_t ticks(void *machine)
{
    return ((struct machine *)machine)->tsc;
}

/* The guest's WRMSR: first the write, then the instruction itself, if it has to be reported. */
static void wrmsr(struct pmumodel *pmu, uint32_t msr, uint64_t value)
{
    if (!pmumodel_wrmsr(pmu, msr, value))
        printf("WRMSR %XH: #GP\n", (unsigned)msr);
    else if (pmumodel_stepping(pmu))
        pmumodel_retire(pmu, &(struct pmumodel_retired){.kind = PMUMODEL_RETIRED_WRMSR});
}

static unsigned long long rdmsr(struct pmumodel *pmu, uint32_t msr)
{
    uint64_t value = 0;
    if (!pmumodel_rdmsr(pmu, msr, &value))
        printf("RDMSR %XH: #GP\n", (unsigned)msr);
    return value;
}

/* Instructions of the guest, at CPL 0, until a PMI comes; returns how many. */
static unsigned execute(struct pmumodel *pmu, struct machine *machine, unsigned most)
{
    unsigned done = 0;
    while (done < most && !machine->vector) {
        machine->tsc++;
        if (pmumodel_stepping(pmu))
            pmumodel_retire(pmu, &(struct pmumodel_retired){.rip = 0x1000 + done});
        done++;
    }
    return done;
}

int main(void)
{
    static _Alignas(16) unsigned char room[2][PMUMODEL_SIZE_MOST], bytes[PMUMODEL_SIZE_MOST];
    struct machine machine = {.lvtpc = 0x60}; /* fixed delivery, vector 60H, not masked */
    struct pmumodel_host host = {.size = sizeof(host),
                                 .context = &machine,
                                 .lvtpc_read = lvtpc_read,
                                 .lvtpc_write = lvtpc_write,
                                 .interrupt = interrupt,
                                 .nmi = nmi,
                                 .time = ticks};
    struct pmumodel_setup setup = {.size = sizeof(setup), .profile = pmumodel_profile("skylake"), .cpus = 1};
    struct pmumodel *pmu = (struct pmumodel *)room[0], *other = (struct pmumodel *)room[1];
    uint32_t leaf[4], native[4] = {0};
    size_t size;
    if (pmumodel_reset(pmu, &setup, &host) || pmumodel_reset(other, &setup, &host))
        return 1;
    pmumodel_cpuid(pmu, 0x0a, 0, native, leaf);
    printf("version %u, %u counters\n", (unsigned)(leaf[0] & 0xff), (unsigned)(leaf[0] >> 8 & 0xff));

    wrmsr(pmu, 0x38f, 0);                 /* IA32_PERF_GLOBAL_CTRL: stops all counters */
    wrmsr(pmu, 0x4c1, (1ull << 48) - 20); /* IA32_A_PMC0 overflows with the 20th instruction */
    wrmsr(pmu, 0x186, 0x5200c0);          /* IA32_PERFEVTSEL0: instructions retired, CPL 0, with a PMI */
    wrmsr(pmu, 0x1d9, 0x1000);            /* IA32_DEBUGCTL: a PMI freezes the counters */
    wrmsr(pmu, 0x38f, 1);                 /* and this one counts */
    execute(pmu, &machine, 10);
    if (pmumodel_save(pmu, bytes, sizeof(bytes), &size) || pmumodel_load(other, bytes, size))
        return 1;
    printf("counter %llX in both: %d\n", rdmsr(other, 0xc1), rdmsr(pmu, 0xc1) == rdmsr(other, 0xc1));

    printf("PMI after %u more instructions, ", execute(other, &machine, 100));
    printf("vector %XH, LVTPC %05X, STATUS %llX\n", machine.vector, (unsigned)machine.lvtpc, rdmsr(other, 0x38e));
    wrmsr(other, 0x390, rdmsr(other, 0x38e)); /* the handler acknowledges it in IA32_PERF_GLOBAL_STATUS_RESET */
    machine.lvtpc = 0x60;                     /* and unmasks the entry */
    printf("STATUS %llX\n", rdmsr(other, 0x38e));
    return 0;
}
