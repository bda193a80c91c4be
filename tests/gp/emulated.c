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

PROBE_WORK(emulated_cpuid);
PROBE_WORK(emulated_forced);

static bool emulated(struct test *t)
{
    static const struct probe probes[] = {
        {"not-once", ASPECT_EMULATED | ASPECT_INSTRUCTIONS, emulated_cpuid_work, ARCH_EVENT_INSTRUCTIONS,
         PROBE_LOOP + 2},
        {"forced-not-once", ASPECT_EMULATED | ASPECT_INSTRUCTIONS, emulated_forced_work, ARCH_EVENT_INSTRUCTIONS,
         PROBE_LOOP + 2},
        {"forced-branch-not-once", ASPECT_EMULATED | ASPECT_BRANCHES, emulated_forced_work, ARCH_EVENT_BRANCHES,
         PROBE_LOOP_BRANCHES + 1},
    };
    bool forced = probe_forced(t->caps);
    if (t->caps->hypervisor)
        measure(t, "forced-emulation", "0-or-1", forced);
    for (unsigned i = 0; i < (forced ? ARRAY_SIZE(probes) : 1); i++)
        probe_work(t, &probes[i]);
    return more_samples(t);
}

TEST("gp.emulated", .title = "An instruction that a hypervisor carries out is counted once",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "A-094",
     .needs = {.version = 2, .event = 2}, .scope = EACH_CPU, .repeat = emulated, .measures = true);
