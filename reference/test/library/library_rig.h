/* SPDX-License-Identifier: BSD-2-Clause */
/* Instances of the library on the bench, with a host that only keeps what it is told. */
#pragma once

#include "reference/library/pmumodel_lab.h"
#include <stdlib.h>
#include <string.h>

struct bench_host {
    uint32_t lvtpc, apic[0x400 / 16];
    unsigned interrupts, nmis, others, machine_checks;
    uint64_t time;
    unsigned looks; /* at the time */
};

static uint32_t bench_lvtpc_read(void *host)
{
    return ((struct bench_host *)host)->lvtpc;
}

static void bench_lvtpc_write(void *host, uint32_t value)
{
    ((struct bench_host *)host)->lvtpc = value;
}

static void bench_interrupt(void *host, uint8_t vector)
{
    ((struct bench_host *)host)->interrupts += vector != 0;
}

static void bench_nmi(void *host)
{
    ((struct bench_host *)host)->nmis++;
}

static uint64_t bench_time(void *host)
{
    ((struct bench_host *)host)->looks++;
    return ((struct bench_host *)host)->time;
}

static inline struct pmumodel_host bench_callbacks(struct bench_host *host)
{
    return (struct pmumodel_host){.size = sizeof(struct pmumodel_host),
                                  .context = host,
                                  .lvtpc_read = bench_lvtpc_read,
                                  .lvtpc_write = bench_lvtpc_write,
                                  .interrupt = bench_interrupt,
                                  .nmi = bench_nmi,
                                  .time = bench_time};
}

static inline struct pmumodel_setup bench_choices(const char *profile)
{
    return (struct pmumodel_setup){
        .size = sizeof(struct pmumodel_setup), .profile = pmumodel_profile(profile), .cpus = 4};
}

static inline struct pmumodel *bench_room(void)
{
    return aligned_alloc(16, PMUMODEL_SIZE_MOST);
}
