/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CPUID: the profile's answers for the PMU and its users, the machine's own for the rest (topology, caches, paging).
 * Features that the profile lacks must not show: SVM, a hypervisor, architectural LBRs, PT, and clock leaves that would
 * tell a wrong frequency for the machine's TSC. SDM 2A, "CPUID".
 */
#include "reference/model/model_state.h"

enum { EAX, EBX, ECX, EDX };

#define LEAF1_ECX_OWN \
    (CPUID_BIT_MASK(CPUID_HYPERVISOR) | CPUID_BIT_MASK(CPUID_X2APIC) | CPUID_BIT_MASK(CPUID_PDCM) | LEAF1_ECX_DS)
#define LEAF1_ECX_DS 0x14u /* DTES64, DS-CPL */
#define LEAF1_EDX_DS 0x200000u
#define LEAF1_ECX_TSC_DEADLINE 0x1000000u
#define LEAF7_EBX_TSC_ADJUST 0x2u
#define POWER_EDX_INVARIANT_TSC 0x100u /* leaf 80000007H */
#define LEAF_CRYSTAL 0x15u
#define LEAF_FREQUENCIES 0x16u
#define MACHINE_LAST_LEAF 0x0d /* a leaf that certainly has sub-leaves: state components */

static void clear(uint32_t out[4])
{
    out[EAX] = out[EBX] = out[ECX] = out[EDX] = 0;
}

/* Four characters at `text`, the first in the low byte. */
static uint32_t packed(const char *text)
{
    uint32_t word = 0;
    for (unsigned i = 0; i < 4; i++)
        word |= (uint32_t)(uint8_t)text[i] << 8 * i;
    return word;
}

static uint32_t max_leaf(const struct model *m, uint32_t native)
{
    if (m->p.max_leaf)
        return m->p.max_leaf;
    return native < 0x0a ? 0x0a : native;
}

static void vendor(const struct model *m, uint32_t out[4])
{
    out[EAX] = max_leaf(m, out[EAX]);
    out[EBX] = packed(m->p.vendor);
    out[EDX] = packed(m->p.vendor + 4);
    out[ECX] = packed(m->p.vendor + 8);
}

static void features(const struct model *m, uint32_t out[4])
{
    out[EAX] = m->p.signature;
    out[ECX] =
        (out[ECX] & ~(LEAF1_ECX_OWN | (m->tsc_khz ? LEAF1_ECX_TSC_DEADLINE : 0))) | m->p.leaf1_ecx | m->p.hypervisor;
    if (m->p.apic_x2_available)
        out[ECX] |= CPUID_BIT_MASK(CPUID_X2APIC);
    out[EDX] = (out[EDX] & ~LEAF1_EDX_DS) | m->p.leaf1_edx;
    if (!model_apic_enabled(m))
        out[EDX] &= ~CPUID_BIT_MASK(CPUID_APIC);
}

/*
 * Without leaf 0BH: leaf 1 tells the maximum number of APIC ids in a package, leaf 4 that of cores. NetBurst's threads
 * come in pairs, all in one package.
 */
static uint32_t netburst_cores(const struct model *m)
{
    uint32_t cores = (m->cpus + m->p.threads - 1) / m->p.threads, room = 1;
    while (room < cores)
        room *= 2;
    return room;
}

static void netburst_topology(const struct model *m, uint32_t leaf, uint32_t out[4])
{
    uint32_t cores = netburst_cores(m), ids = cores * m->p.threads;
    if (leaf == 1) {
        out[EBX] = (out[EBX] & ~0xff0000u) | ids << 16;
        out[EDX] = (out[EDX] & ~CPUID_BIT_MASK(CPUID_HTT)) | (ids > 1 ? CPUID_BIT_MASK(CPUID_HTT) : 0);
    } else if (leaf == 0x0b) {
        clear(out);
    } else if (leaf == 4 && out[EAX] & 0x1f) { /* EAX describes a cache */
        out[EAX] = (out[EAX] & ~0xfc000000u) | (cores - 1) << 26;
    }
}

/* The bits of the APIC id that number a core's threads, and how many there are. SDM 2A, "CPUID", leaf 0BH. */
static void show_threads(uint32_t threads, uint32_t out[4])
{
    uint32_t bits = 0;
    while (threads > 1u << bits)
        bits++;
    out[EAX] = (out[EAX] & ~0x1fu) | bits;
    out[EBX] = threads;
}

/* HLE, RTM, SGX, PT; bus-lock detection; hybrid, architectural LBR, TSX_FORCE_ABORT; leaf 23H. */
static void structured_features(const struct model *m, uint32_t subleaf, uint32_t out[4])
{
    if (subleaf == 0) {
        out[EAX] = m->p.leaf7_1_eax && !out[EAX] ? 1 : out[EAX];
        out[EBX] = (out[EBX] & ~(uint32_t)(BIT(2) | BIT(4) | BIT(11) | BIT(25))) | m->p.leaf7_ebx;
        out[ECX] &= ~(uint32_t)BIT(24);
        out[EDX] = (out[EDX] & ~(uint32_t)(BIT(13) | BIT(15) | BIT(19))) | m->p.leaf7_edx;
        if (m->tsc_khz)
            out[EBX] = (out[EBX] & ~LEAF7_EBX_TSC_ADJUST) | (m->p.tsc_adjust ? LEAF7_EBX_TSC_ADJUST : 0);
    }
    if (subleaf == 1)
        out[EAX] = (out[EAX] & ~(uint32_t)BIT(8)) | m->p.leaf7_1_eax;
}

/* A leaf that the profile answers in full. */
static bool given(const struct model *m, uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
    const struct profile_leaf *row = leaf_row(&m->p, leaf, subleaf);
    for (unsigned i = 0; row && i < 4; i++)
        out[i] = row->value[i];
    return row;
}

/* A profile's highest leaf may lie above the machine's, where the machine's answers mean nothing. */
static bool beyond_machine(const struct model *m, uint32_t leaf)
{
    bool clock = leaf == LEAF_CRYSTAL || leaf == LEAF_FREQUENCIES;
    return m->p.max_leaf && (leaf > m->p.max_leaf || (leaf > MACHINE_LAST_LEAF && !clock));
}

/* If the TSC is the machine's and not the CPU's, these leaves are empty; an Intel CPU without a highest leaf of its own
 * has neither. */
static void clocks(const struct model *m, void (*tell)(const struct model *m, uint32_t out[4]), uint32_t out[4])
{
    clear(out);
    if (m->tsc_khz && m->p.max_leaf)
        tell(m, out);
}

static void basic(struct model *m, uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
    switch (leaf) {
    case 0x00:
        vendor(m, out);
        break;
    case 0x01:
        features(m, out);
        break;
    case 0x06:
        out[EAX] |= m->p.leaf6_eax;
        out[ECX] |= m->p.leaf6_ecx;
        break;
    case 0x07:
        structured_features(m, subleaf, out);
        break;
    case 0x0b:
        if (subleaf == 0 && m->machine.threads_shown)
            show_threads(m->machine.threads_shown, out);
        out[EDX] += model_apic_id_above(m);
        break;
    case 0x0a:
        for (unsigned i = 0; i < 4; i++)
            out[i] = rule(m, leaf_0a_shown)(m, i);
        break;
    case LEAF_CRYSTAL:
        clocks(m, model_leaf_crystal, out);
        break;
    case LEAF_FREQUENCIES:
        clocks(m, model_leaf_frequencies, out);
        break;
    case 0x12: /* SGX */
    case 0x14: /* PT */
    case 0x1a: /* core type */
    case 0x1c: /* architectural LBR */
    case 0x23: /* architectural PMU, extended */
        clear(out);
        break;
    }
}

/* EAX, EBX, ECX or EDX of leaf 0AH. SDM 3B, "Architectural Performance Monitoring". */
uint32_t good_leaf_0a_shown(struct model *m, unsigned i)
{
    return m->p.leaf0a[i];
}

/* 48 characters in three leaves, padded with zeros. */
static void brand(const struct model *m, unsigned part, uint32_t out[4])
{
    char text[48] = {0};
    for (unsigned i = 0; i < 47 && m->p.brand[i]; i++)
        text[i] = m->p.brand[i];
    for (unsigned i = 0; i < 4; i++)
        out[i] = packed(text + 16 * part + 4 * i);
}

static void extended(const struct model *m, uint32_t leaf, uint32_t out[4])
{
    if (leaf == 0x80000000u) {
        clear(out);
        out[EAX] = 0x80000008u;
    } else if (leaf == 0x80000001u) { /* Intel's bits there: LAHF, LZCNT, PREFETCHW; SYSCALL, NX, 1G, RDTSCP, LM */
        out[EAX] = out[EBX] = 0;
        out[ECX] &= (uint32_t)(BIT(0) | BIT(5) | BIT(8));
        out[EDX] &= (uint32_t)(BIT(11) | BIT(20) | BIT(26) | BIT(27) | BIT(29));
    } else if (leaf <= 0x80000004u) {
        brand(m, leaf - 0x80000002u, out);
    } else if (leaf == 0x80000007u && m->tsc_khz) {
        clear(out);
        out[EDX] = m->p.platform_info ? POWER_EDX_INVARIANT_TSC : 0; /* both from Nehalem on */
    } else if (leaf == 0x80000005u || leaf > 0x80000008u) {
        clear(out);
    } else if (leaf == 0x80000008u) { /* address sizes only */
        out[EBX] = out[ECX] = out[EDX] = 0;
    }
}

/* The leaves by which a hypervisor identifies itself. */
static void hypervisor(const struct model *m, uint32_t leaf, uint32_t out[4])
{
    const char *from = m->p.hypervisor_name ? m->p.hypervisor_name : "PmuReference";
    char name[12] = {0};
    for (unsigned i = 0; i < sizeof(name) && from[i]; i++)
        name[i] = from[i];
    clear(out);
    if (!m->p.hypervisor || leaf != 0x40000000u)
        return;
    out[EAX] = leaf;
    out[EBX] = packed(name);
    out[ECX] = packed(name + 4);
    out[EDX] = packed(name + 8);
}

void model_cpuid(struct model *m, uint32_t leaf, uint32_t subleaf, const uint32_t native[4], uint32_t out[4])
{
    for (unsigned i = 0; i < 4; i++)
        out[i] = native[i];
    if (leaf >= 0x80000000u && leaf < 0x90000000u)
        extended(m, leaf, out);
    else if (leaf >= 0x40000000u)
        hypervisor(m, leaf, out);
    else if ((!m->p.max_leaf || leaf <= m->p.max_leaf) && given(m, leaf, subleaf, out))
        ;
    else if (beyond_machine(m, leaf))
        clear(out);
    else
        basic(m, leaf, subleaf, out);
    if (m->p.netburst_count)
        netburst_topology(m, leaf, out);
}
