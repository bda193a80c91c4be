/* SPDX-License-Identifier: BSD-2-Clause */
/* The capabilities of named CPUs, from published CPUID dumps, for tests of pure code. */
#pragma once

#include "pmu/cpu/caps.h"

#include <string.h>

struct cpu_dump {
    const char *name;
    u32 signature;
    u32 eax, ebx, ecx, edx; /* leaf 0AH */
    u32 leaf1_ecx;          /* 15: PDCM */
    u64 perf_capabilities;
};

#define PDCM BIT(15)
static const struct cpu_dump cpu_dumps[] = {
    {"yonah", 0x006e8, 0x07280201, 0, 0, 0, PDCM, 0},
    {"conroe-b2", 0x006f6, 0x07280202, 0, 0, 0, PDCM, 0x0082},
    {"merom-l", 0x10661, 0x07280202, 0, 0, 0, PDCM, 0x00c2},
    {"conroe-g0", 0x006fb, 0x07280202, 0, 0, 0x0503, PDCM, 0x00c2},
    {"harpertown", 0x10676, 0x07280202, 0, 0, 0x0503, PDCM, 0x10c2},
    {"bonnell", 0x106c2, 0x07280203, 0, 0, 0x2501, PDCM, 0x00c1},
    {"silvermont", 0x30678, 0x07280203, 0, 0, 0x4503, PDCM, 0x32c1},
    {"bloomfield", 0x106a4, 0x07300403, 0x40, 0, 0x0603, PDCM, 0x11c3},
    {"sandy-bridge", 0x206a7, 0x07300403, 0, 0, 0x0603, PDCM, 0x31c3},
    {"ivy-bridge-8", 0x306a9, 0x07300803, 0, 0, 0x0603, PDCM, 0x31c3},
    {"broadwell", 0x306d4, 0x07300403, 0, 0, 0x0603, PDCM, 0x32c4},
    {"skylake", 0x506e3, 0x07300404, 0, 0, 0x0603, PDCM, 0x33c5},
    {"skylake-8", 0x506e3, 0x07300804, 0, 0, 0x0603, PDCM, 0x33c5},
    {"goldmont", 0x506c9, 0x07300404, 0, 0, 0x0603, PDCM, 0x33c6},
    {"goldmont-plus", 0x706a1, 0x07300404, 0, 0, 0x8603, PDCM, 0x33c7},
    {"ice-lake", 0x706e5, 0x08300805, 0, 0xf, 0x8604, PDCM, 0xf4c5},
    {"alder-lake", 0x90672, 0x07300605, 0, 0x7, 0x8603, PDCM, 0xf4c5},
    {"lunar-lake", 0xb06d1, 0x0d300806, 0x280, 0x7, 0x8603, PDCM, 0xf6ff},
    {"unknown", 0xe06f0, 0x07300407, 0, 0xff, 0x860f, PDCM, 0xf6c5},
    {"none", 0x006d8, 0, 0, 0, 0, 0, 0},
};

static inline struct caps_dump cpu_dump(const char *name)
{
    struct caps_dump dump = {.leaf0 = {0x20, 0x756e6547, 0x6c65746e, 0x49656e69}};
    for_each_row (cpu_dumps, row) {
        if (strcmp(row->name, name))
            continue;
        dump.leaf1 = (struct cpuid_regs){row->signature, 0, row->leaf1_ecx, 0xbfebfbff};
        dump.leaf0a = (struct cpuid_regs){row->eax, row->ebx, row->ecx, row->edx};
        dump.perf_capabilities = row->perf_capabilities;
        dump.misc_enable = 0x850089;
        dump.microcode = 0x1000;
    }
    return dump;
}

static inline struct pmu_caps cpu_caps(const char *name)
{
    struct caps_dump dump = cpu_dump(name);
    struct pmu_caps caps;
    caps_decode(&dump, &caps);
    return caps;
}
