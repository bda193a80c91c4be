/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/report/advice.h"
#include "kernel/core/image.h"
#include "kernel/text/text.h"

#define GUEST_PMU "give the guest a PMU: "
#define KVM_PMU GUEST_PMU "QEMU's -cpu host,pmu=on, or <pmu state='on'/> in libvirt's <features>"
#define VMWARE_PMU GUEST_PMU "\"Virtualize CPU performance counters\" (vpmc.enable = \"TRUE\")"
#define HYPERV_PMU GUEST_PMU "Set-VMProcessor NAME -Perfmon @(\"pmu\"), while it is off; WSL2's guest has one by itself"
#define XEN_PMU GUEST_PMU "vpmu=1 on Xen's own command line"
#define TCG_HAS_NONE "QEMU's own CPUs have no PMU: add the option reference=skylake to see the tests at work"
#define NO_GUEST_PMU \
    "the hypervisor shows no PMU that can be used: let it give the guest one, or test the machine without it"
#define ANY_GUEST "?????*" /* longer than "none" */
#define BARE "none"

const struct advice advice_rows[] = {
    /* QEMU's own CPUs. */
    {"guest.tcg", REASON_CPU_NO_PMU, "TCG*", TCG_HAS_NONE},
    {"guest.tcg", REASON_CPU_VENDOR, "TCG*", TCG_HAS_NONE},
    /* A hypervisor that keeps the PMU to itself. */
    {"guest.kvm", REASON_CPU_NO_PMU, "KVM*", KVM_PMU},
    {"guest.kvm", REASON_CPU_NO_EVENT, "KVM*", KVM_PMU},
    {"guest.vmware", REASON_CPU_NO_PMU, "VMware*", VMWARE_PMU},
    {"guest.vmware", REASON_CPU_NO_EVENT, "VMware*", VMWARE_PMU},
    {"guest.hyper-v", REASON_CPU_NO_PMU, "Microsoft*", HYPERV_PMU},
    {"guest.hyper-v", REASON_CPU_NO_EVENT, "Microsoft*", HYPERV_PMU},
    {"guest.xen", REASON_CPU_NO_PMU, "Xen*", XEN_PMU},
    {"guest.xen", REASON_CPU_NO_EVENT, "Xen*", XEN_PMU},
    {"guest.pmu", REASON_CPU_NO_PMU, ANY_GUEST, NO_GUEST_PMU},
    {"guest.pmu", REASON_CPU_NO_EVENT, ANY_GUEST, NO_GUEST_PMU},
    {"guest.pmu", REASON_FIRMWARE_PERFMON, ANY_GUEST, NO_GUEST_PMU},
    {"guest.counter-held", REASON_CPU_COUNTER_HELD, ANY_GUEST,
     "the line # guest-pmu names the counter: the hypervisor's own system holds one of the CPU's, so let go of it "
     "there (on "
     "Linux: sysctl kernel.nmi_watchdog=0, and no perf), and test again"},
    {"guest.hyper-v-pebs", REASON_CPU_NO_PEBS, "Microsoft*",
     "give the guest PEBS: Set-VMProcessor NAME -Perfmon @(\"pmu\", \"pebs\"), while it is off; WSL2 gives it none"},
    {"guest.sampling", REASON_CPU_NO_PEBS, ANY_GUEST,
     "the hypervisor keeps PEBS to itself: test the machine without it"},
    /* A CPU of which nothing is known here. */
    {"cpu.no-pmu", REASON_CPU_NO_PMU, BARE,
     "this CPU is older than the architectural PMU, or hides it: there is nothing that promises of it could be held "
     "against"},
    {"cpu.vendor", REASON_CPU_VENDOR, BARE,
     "only Intel's PMU is known here: add the option reference=skylake to see the tests at work"},
    {"cpu.no-event", REASON_CPU_NO_EVENT, BARE,
     "this CPU says that it counts none of the events that are the same on all: nothing can be counted that the manual "
     "promises; please send the log"},
    /* The firmware's set-up. */
    {"firmware.perfmon", REASON_FIRMWARE_PERFMON, BARE,
     "performance monitoring is switched off: turn it on in the firmware's set-up if that has such an option, update "
     "the firmware; if it stays off, the PMU of this part cannot be used"},
    {"enum.cpuid-limit", REASON_ENUM_CPUID_LIMIT, NULL,
     "turn off the firmware's option that limits the CPUID maximum: it is for systems of the last century"},
    {"firmware.no-apic", REASON_FIRMWARE_NO_APIC, NULL, "turn on the local APIC (APIC mode) in the firmware's set-up"},
    {"firmware.no-clock", REASON_FIRMWARE_NO_CLOCK, NULL,
     "no clock was found, so no time is told, and each wait may take some times as long as it should: turn on the HPET "
     "(high precision event timer) in the firmware's set-up"},
    {"firmware.watchdog", REASON_FIRMWARE_WATCHDOG, NULL,
     "the chipset's watchdog runs, and may reset the machine in the middle of the run: turn off the watchdogs of "
     "firmware and BMC"},
    {"firmware.microcode", REASON_FIRMWARE_MICROCODE, NULL, "update the firmware: newer microcode has it right"},
    {"firmware.tsc", REASON_FIRMWARE_TSC, NULL,
     "the lines # tsc tell which CPUs' clocks differ, and by how much: update the firmware, which has written a TSC or "
     "not set all alike; Linux calls such a TSC unstable"},
    {"firmware.madt", REASON_FIRMWARE_MADT, NULL,
     "the lines # error cpu= name listed CPUs that did not start: if the machine lacks them, its ACPI table MADT is "
     "wrong: update the firmware, leave them out by cpus=; else switch it off and on, and test again"},
    {"firmware.cpus", REASON_FIRMWARE_CPUS, NULL,
     "test more CPUs: leave out cpus=, turn on all cores and hyper-threading in the firmware's set-up"},
    /* The start. */
    {"start.step", REASON_START_STEP, NULL,
     "the start before stood still in that step: the menu's entry \"Careful\", or skip-step= in pmucheck.cfg, goes "
     "without it each time; switch the machine off and on to try it again, and please send both logs"},
    /* What disturbed a test. */
    {"noise.smi", REASON_NOISE_SMI, NULL,
     "firmware interrupts what is measured: in its set-up turn off USB legacy support, console redirection and the "
     "watchdog, unplug USB keyboards, and test again"},
    {"noise.nmi", REASON_NOISE_NMI, NULL,
     "something sends NMIs or machine checks: turn off the watchdogs of firmware and BMC, look into the BMC's log, "
     "and test again"},
    {"noise.stray", REASON_NOISE_STRAY, NULL,
     "a device interrupts, the lines # stray name it by vector and place: leave out device-interrupts=keep, turn the "
     "device off in the firmware's set-up or take it out, update the firmware, and test again"},
    {"noise.machine-check", REASON_NOISE_MACHINE_CHECK, NULL,
     "the hardware reports an error of its own: look up the lines # machine-check by bank and status, and the BMC's "
     "log; repair it before the PMU is judged"},
    {"pmi.stray", REASON_PMI_STRAY, NULL,
     "a PMI came too late, or masked: soak=60 run=pmi.* shows how often; please send the log"},
    {"noise.foreign-write", REASON_NOISE_FOREIGN_WRITE, NULL,
     "firmware or a BMC's agent uses the PMU: run=handoff.*,share.* shows what it holds; turn off its power or "
     "telemetry options, or tell its maker"},
    {"noise.heat", REASON_NOISE_HEAT, NULL, "let the machine cool down, look at its fans, and test again"},
    /* Options of this program. */
    {"option.fw-cfg", REASON_OPTION_FW_CFG, NULL,
     "options by -fw_cfg were not read, since no ACPI table says that this is QEMU: start it with ACPI, or start "
     "pmucheck.elf by -kernel with the options in -append"},
    {"option.pebs", REASON_OPTION_PEBS, NULL,
     "if the machine may hang: dangerous=pebs sets up sampling as the manual forbids"},
    {"option.errata", REASON_OPTION_ERRATA, NULL,
     "errata=probe provokes published errata that a run does not show otherwise"},
    {"option.memory", REASON_OPTION_MEMORY, NULL, "give more memory, or fewer CPUs by cpus="},
    /* Not known yet. */
    {"harness.first-contact", REASON_HARNESS_FIRST_CONTACT, NULL,
     "never confirmed on this generation of CPUs: please send the log"},
    {"review.repeat", REASON_REVIEW_REPEAT, NULL,
     "soak=60 and run= with this test show how often it fails; please send the log"},
    {"review.surroundings", REASON_REVIEW_SURROUNDINGS, NULL,
     "the log's lines of kind around say what it needs: please send the log"},
    {"error.lost", REASON_ERROR_LOST, NULL,
     "switch the machine off and on before the next test: one of its CPUs hangs"},
};
const unsigned advice_count = ARRAY_SIZE(advice_rows);
_Static_assert(ARRAY_SIZE(advice_rows) <= ADVICE_MAX, "the book has room for all");

const struct advice *advice_for(enum reason code, const char *hypervisor)
{
    for_each_row (advice_rows, row)
        if (row->code == code && (!row->hypervisor || glob_match(row->hypervisor, hypervisor)))
            return row;
    return NULL;
}

const char *advice_text(const struct advice *advice)
{
    static const struct {
        const char *label, *text;
    } without_reference[] = {
        {"guest.tcg", "QEMU's own CPUs have no PMU: take an image with the reference PMU to see the tests at work"},
        {"cpu.vendor", "only Intel's PMU is known here: take an image with the reference PMU to see the tests at work"},
    };
    for_each_row (without_reference, row)
        if (build_left_out[0] && !strcmp(row->label, advice->label))
            return row->text;
    return advice->text;
}

void advice_note(struct advice_book *book, enum reason code, const char *hypervisor)
{
    const struct advice *row = advice_for(code, hypervisor), *first = advice_rows;
    if (!row)
        return;
    while (strcmp(first->label, row->label))
        first++;
    book->times[first - advice_rows]++;
}
