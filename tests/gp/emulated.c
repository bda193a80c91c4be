/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An instruction that a hypervisor carries out in its guest's place is counted once, as if the CPU had executed it. A
 * CPUID always leaves a guest. KVM with its parameter force_emulation_prefix carries out whatever follows UD2 and the
 * letters "kvm": here a CLFLUSH and a jump, which is a branch, too. Where the prefix is not offered it is #UD.
 *
 * A hypervisor that counts none of them shows its guests too few instructions, and a program that is replayed by
 * counts goes astray at the next exit. On hardware the CPU itself counts CPUID, and models are said to differ in that:
 * there it is told, not judged.
 */
#include "harness/chapter/probing.h"
#include "kernel/register/fault.h"
#include "kernel/text/string.h"

PROBE_WORK(cpuid);
PROBE_WORK(forced);

/* Does the hypervisor carry out an instruction behind the prefix? */
static bool forces(const struct pmu_caps *caps)
{
    u64 fault = 0;
    if (strcmp(caps->hypervisor_name, "KVMKVMKVM"))
        return false;
    __asm__ volatile("1: ud2\n\t"
                     ".ascii \"kvm\"\n\t"
                     "xorl %%eax, %%eax\n"
                     "2:\n\t"
                     ".pushsection extable, \"a\"\n\t"
                     ".quad 1b, 2b\n\t"
                     ".popsection"
                     : "+a"(fault)
                     :
                     : "memory");
    return fault == NO_FAULT;
}

static bool emulated(struct test *t)
{
    static const struct probe probes[] = {
        {"not-once", ASPECT_EMULATED | ASPECT_INSTRUCTIONS, cpuid_work, ARCH_EVENT_INSTRUCTIONS, PROBE_LOOP + 2},
        {"forced-not-once", ASPECT_EMULATED | ASPECT_INSTRUCTIONS, forced_work, ARCH_EVENT_INSTRUCTIONS,
         PROBE_LOOP + 2},
        {"forced-branch-not-once", ASPECT_EMULATED | ASPECT_BRANCHES, forced_work, ARCH_EVENT_BRANCHES,
         PROBE_LOOP_BRANCHES + 1},
    };
    bool forced = forces(t->caps);
    if (t->caps->hypervisor)
        measure(t, "forced-emulation", "0-or-1", forced);
    for (unsigned i = 0; i < (forced ? ARRAY_SIZE(probes) : 1); i++)
        probe_work(t, &probes[i]);
    return more_samples(t);
}

TEST("gp.emulated", .title = "An instruction that a hypervisor carries out is counted once",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "A-094",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .repeat = emulated, .measures = true);
