/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The `# options`, `# date`, `# machine`, `# cpu`, `# tsc`, `# topology`, `# place` and `# cpuid` lines, what this
 * machine is, and what a run adds to them.
 */
#include "boot/boot_info.h"
#include "harness/core/place.h"
#include "harness/report/fold.h"
#include "harness/report/report.h"
#include "harness/report/report_text.h"
#include "kernel/core/image.h"
#include "kernel/core/memory.h"
#include "kernel/core/option.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/firmware/acpi.h"
#include "kernel/firmware/clock.h"
#include "kernel/firmware/power.h"
#include "kernel/interrupt/apic.h"
#include "kernel/log/log.h"
#include "kernel/register/instructions.h"
#include "kernel/register/msr.h"
#include "kernel/screen/screen.h"
#include "kernel/text/text.h"
#include "pmu/cpu/caps.h"
#include "pmu/registers.h"

#define WHO_SIZE 128
#define NAME_MOST 150 /* characters of the machine's name in the log */

static char who[WHO_SIZE];

static void print_machine(const char *name)
{
    char v[VENDOR_SIZE], h[VENDOR_SIZE], b[BRAND_SIZE], quoted[128], cut[NAME_MOST + 1], named[2 * NAME_MOST + 3];
    identity_vendor(v);
    identity_brand(b);
    identity_hypervisor(h);
    u64 smi_count = 0;
    bool counts_smis = pmu_caps()->smi_count && rdmsr_try(MSR_SMI_COUNT, &smi_count) == NO_FAULT;
    char smis[24] = "unknown";
    if (counts_smis)
        format_text(smis, sizeof(smis), "%lu", smi_count);
    format_text(cut, sizeof(cut), "%s", name);
    char board[2 * SMBIOS_TEXT], bios[2 * SMBIOS_TEXT];
    log_line("# machine vendor=%s brand=%s signature=%08x hypervisor=%s firmware=%s board=%s bios=%s cpus=%u "
             "memory-kib=%lu apic=%s tsc-khz=%lu tsc-source=%s smi-count=%s name=%s",
             v, format_quoted(quoted, sizeof(quoted), b), cpuid(1, 0).eax, h, boot_info()->efi ? "uefi" : "bios",
             format_quoted(board, sizeof(board), smbios()->board), format_quoted(bios, sizeof(bios), smbios()->bios),
             cpu_count(), memory_total() >> 10,
             !apic_present() ? "none"
             : apic_x2()     ? "x2apic"
                             : "xapic",
             time_tsc_khz(), time_source(), smis, format_quoted(named, sizeof(named), cut));
    if (strlen(name) > NAME_MOST)
        log_line(
            "# name characters=%u kept=%u reason=\"the name in machine= is too long for a log: give a shorter one\"",
            (unsigned)strlen(name), NAME_MOST);
    screen_set(SCREEN_MACHINE, "%s  signature %08x, microcode %08x, %u CPU%s", b[0] ? b : v, cpuid(1, 0).eax,
               pmu_caps()->microcode, cpu_count(), cpu_count() == 1 ? "" : "s");
}

/* ---- `# cpu` */

static bool same_cpu(const struct pmu_caps *a, const struct pmu_caps *b)
{
    return caps_same_kind(a, b) && a->microcode == b->microcode && a->threads_per_core == b->threads_per_core &&
           a->misc_enable == b->misc_enable;
}

static bool already_logged(u32 cpu)
{
    for (u32 other = 0; other < cpu; other++)
        if (same_cpu(pmu_caps_of(other), pmu_caps_of(cpu)))
            return true;
    return false;
}

void machine_print_cpus(void)
{
    struct cpu_set running = cpus_all();
    for (u32 first = 0; first < cpu_count(); first++) {
        const struct pmu_caps *c = pmu_caps_of(first);
        struct cpu_set cpus = {0};
        char text[CPU_SET_TEXT];
        if (!cpu_set_has(&running, first) || already_logged(first))
            continue;
        for (u32 cpu = first; cpu < cpu_count(); cpu++)
            if (cpu_set_has(&running, cpu) && same_cpu(pmu_caps_of(cpu), c))
                cpu_set_add(&cpus, cpu);
        log_line("# cpu cpus=%s signature=%08x microcode=%08x core-type=%u threads-per-core=%u misc-enable=%lx",
                 cpu_set_text(&cpus, text, sizeof(text)), c->signature, c->microcode, c->core_type, c->threads_per_core,
                 c->misc_enable);
    }
}

/* Whose word the date is stands beside it: nobody sets the clocks of a lab. */
static void print_date(const char *name)
{
    char date[RTC_DATE];
    const char *wrong = rtc_read(date);
    if (wrong)
        log_line("# date rtc=none reason=\"%s\"", wrong);
    else
        log_line("# date rtc=%s", date);
    /* To the minute: a row of 80 characters has the program and the page, too. */
    format_text(who, sizeof(who), "%s%s%.10s %.5s", name, name[0] ? "  " : "", wrong ? "no date" : date,
                wrong ? "" : date + 11);
    screen_set(SCREEN_TITLE, "pmucheck %s  %s", build_version, who);
}

const char *machine_who(void)
{
    return who;
}

static void print_line(const char *text)
{
    log_line("%s", text);
}

static void print_places(void)
{
    struct cpu_set running = cpus_all();
    places_lines(topology_bits(), &running, cpu_count(), topology_place, print_line);
}

/* What was asked for decides what a log can tell. */
static void print_options(void)
{
    char text[512], boot[600], qemu[600];
    qemu_options(text, sizeof(text));
    log_line("# options boot=%.400s qemu=%.400s", format_quoted(boot, sizeof(boot), boot_options(boot_info())),
             format_quoted(qemu, sizeof(qemu), text));
    if (settings_wrong())
        log_line("# options file=" BOOT_SETTINGS " understood=no reason=%s",
                 format_quoted(boot, sizeof(boot), settings_wrong()));
}

void machine_print(const char *name)
{
    print_options();
    print_date(name);
    print_machine(name);
    machine_print_cpus();
    machine_print_clocks();
    print_places();
    machine_print_leaves();
}
