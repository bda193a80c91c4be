#include "harness/report/advice.h"
#include "kernel/text/glob.h"
#include "kernel/text/string.h"

#define QUIETER                                                                                                     \
    "firmware interrupts what is measured: in its set-up turn off USB legacy support, console redirection and the " \
    "watchdog, unplug USB keyboards, and test again"
#define GUEST_PMU "give the guest a PMU: "
#define TCG_HAS_NONE "QEMU's own CPUs have no PMU: add the option reference=skylake to see the tests at work"
#define HOW_OFTEN "soak=60 and run= with this test show how often it fails; please send the log"
#define NO_PMU "CPUID.0AH:EAX=*: no architectural PMU"

/* The first that matches is taken: what is said of one hypervisor stands before what is said of any. */
const struct advice advice_rows[] = {
    /* QEMU's own CPUs. */
    {"guest.tcg", NO_PMU, "TCG*", TCG_HAS_NONE},
    {"guest.tcg", "vendor *", "TCG*", TCG_HAS_NONE},
    /* A hypervisor that keeps the PMU to itself. */
    {"guest.kvm", NO_PMU, "KVM*", GUEST_PMU "QEMU's -cpu host,pmu=on, or <pmu state='on'/> in libvirt's <features>"},
    {"guest.vmware", NO_PMU, "VMware*", GUEST_PMU "\"Virtualize CPU performance counters\" (vpmc.enable = \"TRUE\")"},
    {"guest.hyper-v", NO_PMU, "Microsoft*", GUEST_PMU "Set-VMProcessor NAME -Perfmon @(\"pmu\")"},
    {"guest.xen", NO_PMU, "Xen*", GUEST_PMU "vpmu=1 on Xen's own command line"},
    {"guest.sampling", "IA32_MISC_ENABLE[12]=1*", "?????*",
     "the hypervisor keeps PEBS to itself: test the machine without it"},
    /* The firmware's set-up. */
    {"enum.cpuid-limit", "IA32_MISC_ENABLE[22]=1*", NULL,
     "turn off the firmware's option that limits the CPUID maximum: it is for systems of the last century"},
    {"firmware.no-apic", "no local APIC*", NULL, "turn on the local APIC (APIC mode) in the firmware's set-up"},
    {"firmware.microcode", "microcode *: PEBS is broken below *", NULL,
     "update the firmware: newer microcode has it right"},
    {"firmware.cpus", "* CPU, * are needed", NULL,
     "test more CPUs: leave out cpus=, turn on all cores and hyper-threading in the firmware's set-up"},
    {"noise.smi", "no clean repeat in *: SMIs", NULL, QUIETER},
    {"noise.smi", "* SMIs came during checks *", NULL, QUIETER},
    {"noise.smi", "*no walk without an SMI *", NULL, QUIETER},
    {"noise.nmi", "no clean repeat in *: foreign NMIs*", NULL,
     "something sends NMIs or machine checks: turn off the watchdogs of firmware and BMC, look into the BMC's log, "
     "and test again"},
    {"noise.nmi", "*foreign NMIs came", NULL,
     "something sends NMIs or machine checks: turn off the watchdogs of firmware and BMC, look into the BMC's log, "
     "and test again"},
    {"noise.machine-check", "*machine check* came", NULL,
     "the hardware reports an error of its own: look up the lines # machine-check by bank and status, and the BMC's "
     "log; "
     "repair it before the PMU is judged"},
    {"pmi.stray", "*PMI* on vector * came while none was awaited", NULL,
     "a PMI came too late, or masked: soak=60 run=pmi.* shows how often; please send the log"},
    {"pmi.stray", "a storm of PMIs on vector *", NULL,
     "a PMI came too late, or masked: soak=60 run=pmi.* shows how often; please send the log"},
    {"noise.foreign-write", "foreign write to *", NULL,
     "firmware or a BMC's agent uses the PMU: run=handoff.*,share.* shows what it holds; turn off its power or "
     "telemetry options, or tell its maker"},
    {"noise.heat", "*the thermal monitor slowed the clock*", NULL,
     "let the machine cool down, look at its fans, and test again"},
    /* Options of this program. */
    {"option.pebs", "dangerous=pebs is not given*", NULL,
     "if the machine may hang: dangerous=pebs sets up sampling as the manual forbids"},
    {"option.memory", "no memory for *", NULL, "give more memory, or fewer CPUs by cpus="},
    /* Nobody knows yet. */
    {"harness.first-contact", "*: never seen passing on this class", NULL,
     "never confirmed on this generation of CPUs: please send the log"},
    {"review.repeat", "*: not when made again", NULL, HOW_OFTEN},
    {"review.repeat", "*: * of * repeats differ", NULL, HOW_OFTEN},
    {"error.lost", "did not come back*", NULL,
     "switch the machine off and on before the next test: one of its CPUs hangs"},
};
const unsigned advice_count = ARRAY_SIZE(advice_rows);
_Static_assert(ARRAY_SIZE(advice_rows) <= ADVICE_MAX, "the book has room for all");

const struct advice *advice_for(const char *reason, const char *hypervisor)
{
    for_each_row (advice_rows, row)
        if (glob_match(row->reason, reason) && (!row->hypervisor || glob_match(row->hypervisor, hypervisor)))
            return row;
    return NULL;
}

void advice_note(struct advice_book *book, const char *reason, const char *hypervisor)
{
    const struct advice *row = advice_for(reason, hypervisor), *first = advice_rows;
    if (!row)
        return;
    while (strcmp(first->label, row->label))
        first++;
    book->times[first - advice_rows]++;
}
