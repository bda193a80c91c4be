/* SPDX-License-Identifier: BSD-2-Clause */
/* The shortest program with the reference PMU: counter 0 counts twenty instructions of Haswell's. */
#include <pmumodel.h>
#include <stdio.h>

static uint32_t lvtpc_read(void *lvtpc)
{
    return *(uint32_t *)lvtpc;
}

static void lvtpc_write(void *lvtpc, uint32_t value)
{
    *(uint32_t *)lvtpc = value;
}

static void interrupt(void *lvtpc, uint8_t vector)
{
    printf("interrupt %u, by LVTPC %X\n", vector, (unsigned)lvtpc_read(lvtpc));
}

static void nmi(void *lvtpc)
{
    interrupt(lvtpc, 2);
}

static uint64_t ticks(void *lvtpc)
{
    return *(uint32_t *)lvtpc; /* time stands still */
}

int main(void)
{
    static _Alignas(16) unsigned char room[PMUMODEL_SIZE_MOST];
    struct pmumodel *pmu = (struct pmumodel *)room;
    uint32_t lvtpc = 0x10000; /* masked */
    uint64_t count = 0;
    struct pmumodel_host host = {sizeof(host), &lvtpc, lvtpc_read, lvtpc_write,
                                 interrupt,    nmi,    ticks,      .apic_mode = NULL};
    struct pmumodel_setup setup = {.size = sizeof(setup), .profile = pmumodel_profile("haswell"), .cpus = 1};
    if (pmumodel_reset(pmu, &setup, &host))
        return 1;
    pmumodel_wrmsr(pmu, 0x186, 0x4300c0); /* IA32_PERFEVTSEL0: instructions retired, in all rings */
    pmumodel_wrmsr(pmu, 0x38f, 1);        /* IA32_PERF_GLOBAL_CTRL: counter 0 */
    for (unsigned i = 0; i < 20; i++)
        pmumodel_retire(pmu, &(struct pmumodel_retired){.rip = 0x1000 + i});
    pmumodel_rdmsr(pmu, 0xc1, &count); /* IA32_PMC0 */
    printf("counter 0: %llu\n", (unsigned long long)count);
    printf("IA32_A_PMC8 %s\n", pmumodel_rdmsr(pmu, 0x4c9, &count) ? "exists" : "does not exist: #GP");
    return 0;
}
