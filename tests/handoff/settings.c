/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Settings of firmware outside the PMU that decide what can be measured: IA32_MISC_ENABLE, entries of the local APIC
 * that firmware uses in SMI mode, and the microcode of each CPU. All are only read: bits of IA32_MISC_ENABLE affect a
 * whole package, and an entry in SMI mode is firmware's handling of thermal events or errors.
 *
 * Judged is that neither changes by itself.
 */
#include "boot/boot_info.h"
#include "harness/test.h"

static const struct {
    u64 bit;
    bool notable; /* the value that is reported */
    const char *text;
} switches[] = {
    {MISC_ENABLE_PERFMON, false,
     "means=\"bit 7: performance monitoring unavailable\" owner=firmware effect=\"no counter may be used\" "
     "fix=\"fused off, or hidden by a hypervisor\" label=handoff.perfmon-unavailable"},
    {MISC_ENABLE_BTS_UNAVAILABLE, true,
     "means=\"bit 11: branch trace store unavailable\" owner=processor effect=\"no branch tracing\" fix=\"none\" "
     "label=handoff.bts-unavailable"},
    {MISC_ENABLE_PEBS_UNAVAILABLE, true,
     "means=\"bit 12: PEBS unavailable\" owner=processor effect=\"no precise sampling\" fix=\"none\" "
     "label=handoff.pebs-unavailable"},
    {MISC_ENABLE_MONITOR, false,
     "means=\"bit 18: MONITOR and MWAIT are off\" owner=firmware effect=\"idle CPUs cannot reach deeper states\" "
     "fix=\"turn on the option MONITOR/MWAIT\" label=handoff.monitor-off"},
    {MISC_ENABLE_TURBO_DISABLE, true,
     "means=\"bit 38: no turbo\" owner=firmware effect=\"core cycles run at the base ratio\" "
     "fix=\"turn on the option turbo mode\" label=handoff.turbo-off"},
    {MISC_ENABLE_LIMIT_CPUID, true,
     "means=\"bit 22: CPUID stops at leaf 3\" owner=firmware effect=\"no PMU is found\" "
     "fix=\"turn off the option limit CPUID maximum\" label=handoff.cpuid-limited"},
    {MISC_ENABLE_XD_DISABLE, true,
     "means=\"bit 34: execute disable is off\" owner=firmware effect=\"data can be executed\" "
     "fix=\"turn on the option execute disable\" label=handoff.xd-disabled"},
};

static void note_switches(struct test *t, u64 found)
{
    for_each_row (switches, row)
        if (!!(found & row->bit) == row->notable)
            note(t, "handoff", "reg=IA32_MISC_ENABLE", row->text, "found=0x%lx", found);
}

static bool has_pt(const struct pmu_caps *caps)
{
    return caps->pt;
}

/* CPUID.7: TSX_FORCE_ABORT exists, and there are transactions. */
static bool shares_pmc3(const struct pmu_caps *caps)
{
    return caps->rtm && cpuid_has(CPUID_TSX_FORCE_ABORT);
}

/* VMX or SMX. */
static bool has_feature_control(const struct pmu_caps *caps)
{
    return caps->intel && (cpuid_has(CPUID_VMX) || cpuid_has(CPUID_SMX));
}

static bool has_tsx_ctrl(const struct pmu_caps *caps)
{
    u64 capabilities = 0;
    return caps->intel && cpuid_has(CPUID_ARCH_CAPABILITIES) && !rdmsr_try(MSR_ARCH_CAPABILITIES, &capabilities) &&
           (capabilities & ARCH_CAP_TSX_CTRL);
}

/* Other registers that decide what can be measured: reported if any bit of `bits` is set or, with notable = false, if
 * none is. */
static const struct {
    u32 msr;
    bool (*exists)(const struct pmu_caps *caps);
    u64 bits;
    bool notable;
    const char *subject, *text;
} registers[] = {
    {MSR_RTIT_CTL, has_pt, BIT(0), true, "reg=IA32_RTIT_CTL",
     "means=\"processor trace is on\" owner=firmware effect=\"memory is written, and branch records cannot be used\" "
     "fix=\"turn off the firmware's option (ProcTrace in EDK II), or clear bit 0 before handing over\" "
     "label=handoff.trace-on"},
    {MSR_TSX_FORCE_ABORT, shares_pmc3, BIT(0), false, "reg=IA32_TSX_FORCE_ABORT",
     "means=\"transactions may run\" owner=processor effect=\"microcode may use PMC3 meanwhile (SKL179)\" "
     "fix=\"none; operating systems set bit 0 or leave PMC3 alone\" label=handoff.pmc3-shared"},
    {MSR_TSX_CTRL, has_tsx_ctrl, MASK(1, 0), true, "reg=IA32_TSX_CTRL",
     "means=\"transactions abort or are hidden\" owner=firmware effect=\"the transactional filters count nothing\" "
     "fix=\"none needed\" label=handoff.tsx-off"},
    {MSR_FEATURE_CONTROL, has_feature_control, BIT(0), false, "reg=IA32_FEATURE_CONTROL",
     "means=\"not locked\" owner=firmware effect=\"the first that writes it decides about VMX and SGX\" "
     "fix=\"lock it before handing over\" label=handoff.feature-control-open"},
};

static void note_registers(struct test *t)
{
    for_each_row (registers, row) {
        u64 found;
        if (!row->exists(t->caps) || rdmsr_try(row->msr, &found))
            continue;
        if (!!(found & row->bits) == row->notable)
            note(t, "handoff", row->subject, row->text, "found=0x%lx", found);
    }
}

/* Bits of CR4 with which the boot CPU came, reported if set: the image has cleared them. SDM 3A, "Control
 * Registers". */
static const struct {
    u32 bit;
    const char *text;
} control_bits[] = {
    {CR4_LA57,
     "means=\"bit 12: five levels of page tables were left on\" owner=firmware effect=\"what starts with four "
     "resets the machine\" fix=\"none needed\" label=handoff.five-levels"},
    {CR4_VMXE, "means=\"bit 13: VMX was left enabled\" owner=firmware effect=\"none\" fix=\"none needed\" "
               "label=handoff.vmx-on"},
    {CR4_SMEP | CR4_SMAP | CR4_UMIP | CR4_PKE | CR4_CET,
     "means=\"a protection was left on\" owner=firmware effect=\"accesses that it forbids fault in software that does "
     "not "
     "know it\" fix=\"none needed\" label=handoff.protection-on"},
};

static void note_control(struct test *t)
{
    for_each_row (control_bits, row)
        if (boot_found.cr4 & row->bit)
            note(t, "handoff", "reg=CR4", row->text, "found=0x%x", boot_found.cr4);
}

/* Entries that exist by the version register's highest index. SDM 3A, "Local Vector Table". */
static const struct {
    const char *name;
    u32 offset;
    u32 highest; /* index that the version register must reach */
} entries[] = {
    {"reg=LVT_LINT0", APIC_LVT_LINT0, 3},
    {"reg=LVT_LINT1", APIC_LVT_LINT1, 3},
    {"reg=LVT_THERMAL", APIC_LVT_THERMAL, 5},
    {"reg=LVT_CMCI", APIC_LVT_CMCI, 6},
};

static void note_entries(struct test *t)
{
    u32 highest = apic_present() ? (u32)FIELD_GET(apic_read(APIC_VERSION), 23, 16) : 0;
    for_each_row (entries, row) {
        u32 value = row->highest <= highest ? apic_read(row->offset) : 0;
        if ((value & LVT_DELIVERY_MASK) == LVT_DELIVERY_SMI)
            note(t, "handoff", row->name,
                 "means=\"delivers an SMI\" owner=firmware effect=\"to be left alone\" fix=\"none needed\" "
                 "label=handoff.lvt-smi",
                 "found=0x%x", value);
    }
}

static void settings(struct test *t)
{
    const struct pmu_caps *before = handoff_caps(t->cpu);
    if (before->misc_enable_unread)
        skip(t, "IA32_MISC_ENABLE was not read: RDMSR faults");
    check_equal(t, "moves", read_msr(t, MSR_MISC_ENABLE), before->misc_enable, MSR_MISC_ENABLE);
    check_equal(t, "moves", t->caps->microcode, before->microcode, MSR_BIOS_SIGN_ID);
    note(t, "handoff", "reg=IA32_BIOS_SIGN_ID", "label=handoff.microcode", "found=0x%x", t->caps->microcode);
    note_switches(t, before->misc_enable);
    note_registers(t);
    if (!t->cpu)
        note_control(t);
    note_entries(t);
}

TEST("handoff.settings", .title = "What firmware has set that decides what can be measured",
     .spec = "SDM 4, IA32_MISC_ENABLE", .covers = "A-025,B-001,B-007", .needs = {.no_pmu = true}, .scope = EACH_CPU,
     .run = settings);
