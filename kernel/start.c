/* SPDX-License-Identifier: BSD-2-Clause */
/* From the loader to main(): each step is logged before it begins, so that a hanging machine shows where it hangs. */
#include "boot/boot_info.h"
#include "kernel/core/image.h"
#include "kernel/core/memory.h"
#include "kernel/core/option.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpu_start.h"
#include "kernel/cpu/cpus.h"
#include "kernel/cpu/previous.h"
#include "kernel/firmware/acpi.h"
#include "kernel/firmware/clock.h"
#include "kernel/firmware/pci.h"
#include "kernel/firmware/power.h"
#include "kernel/firmware/save.h"
#include "kernel/firmware/watchdog.h"
#include "kernel/interrupt/apic.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/log/log.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/instructions.h"
#include "kernel/register/msr.h"
#include "kernel/screen/screen.h"
#include "kernel/serial/serial.h"
#include "kernel/text/text.h"

static const char *const firmwares[] = {"bios", "uefi", NULL};
OPTION(firmware, .kind = OPTION_CHOICE, .argument = "bios|uefi", .choices = firmwares,
       .help = "which firmware this is, if the loader does not say (kexec)");

OPTION(watchdog, .kind = OPTION_NUMBER, .argument = "SECONDS", .minimum = 30, .maximum = 600,
       .help = "let the chipset reset the machine if a run makes no progress for so long; the next start reports what "
               "hung, and leaves it out");

extern u8 boot_stack_guard[], boot_low[2 * PAGE_SIZE];
void start(u32 loader, u64 information); /* called by boot/entry.asm */

static struct cpu_state boot_cpu;
static char option_error[OPTION_ERROR_SIZE];
static char firmware_options[OPTIONS_SIZE + 2]; /* options that do not fit are refused, not cut */

/* Enough to take and dump a fault before memory is set up: these stacks serve until then. */
static void early_faults(void)
{
    static u8 stack[IST_COUNT][4096] __attribute__((aligned(16)));
    for (unsigned i = 0; i < IST_COUNT; i++)
        boot_cpu.tss.ist[i] = (u64)stack[i] + sizeof(stack[i]);
    boot_cpu.tss.io_map = sizeof(boot_cpu.tss);
    tables_load(&boot_cpu);
    machine_check_init();
    write_cr4(read_cr4() | CR4_MCE);
}

static const char *parse_options(const char *line, const char *so_far)
{
    if (!options_parse(line, option_error) && !so_far)
        return option_error;
    return so_far;
}

/* Reads QEMU's options as soon as QEMU is established, so that even an early error obeys them. */
static const char *parse_firmware_options(const char *so_far)
{
    static bool done;
    if (done || !qemu_established())
        return so_far;
    done = true;
    qemu_options(firmware_options, sizeof(firmware_options));
    return parse_options(firmware_options, so_far);
}

/* QEMU's options may include save= as well. */
static void take_firmware_options(const char **error, const char **save_error)
{
    *error = parse_firmware_options(*error);
    if (!*save_error)
        *save_error = save_plan(boot_info());
}

/* An error is reported with the first test. Until then the watchdog supervises the steps of the start. */
static void start_watchdog(void)
{
    u32 bound;
    if (option_watchdog.given && !watchdog_start((u32)option_watchdog.number, &bound))
        previous_watched();
}

/* Begins a step, which counts as progress. */
static bool step(const char *name)
{
    watchdog_progress();
    return start_step(name);
}

/* Gives the boot CPU stacks with guard pages, like those of the other CPUs. */
static void replace_boot_cpu(void)
{
    struct cpu_state *self = cpu_state_create(0, 0);
    if (!self)
        fatal("not enough memory: %lu KiB free, each CPU needs about 100 KiB", memory_free() >> 10);
    tables_load(self);
    paging_unmap((u64)boot_stack_guard);
}

static void start_memory(void)
{
    step("memory");
    if (!memory_has_image(boot_info()))
        log_line("# error the loader put the image where the firmware's map has no free memory: it may be overwritten");
    if (boot_info()->regions_dropped)
        log_line(
            "# memory regions=%u left-out=%u reason=\"the firmware's map is too long: memory-kib is too small, and "
            "save=ramoops: cannot use what is left out; please send the log\"",
            boot_info()->regions, boot_info()->regions_dropped);
    bool enough = memory_init(boot_info());
    if (memory_missing())
        log_line("# error memory at 0x%lx does not exist, though the firmware's map has it: ignored, with everything "
                 "above it",
                 (unsigned long)memory_missing());
    if (!enough)
        fatal("not enough memory: %lu KiB free, pmucheck needs %lu KiB", memory_free() >> 10, MEMORY_NEEDED >> 10);
    screen_map();
    paging_cpu_init();
    replace_boot_cpu();
    save_start();
}

static struct calibration clock = {.source = "none", .second = "none"};

/* If leaf 15H is the only clock, the local APIC's timer shows whether the TSC has the stated ratio to the crystal. */
static void check_clock(void)
{
    u32 crystal_hz = cpuid_has_leaf(0x15) ? cpuid(0x15, 0).ecx : 0;
    u64 khz = !clock.khz || strcmp(clock.second, "none") ? 0 : tsc_cpu_by_apic(crystal_hz);
    if (khz)
        log_line("# clock-check by=apic-timer tsc-khz=%lu disagreement-ppm=%u", (unsigned long)khz,
                 tsc_rate_apart_ppm(khz, time_tsc_khz()));
}

static void start_cpus(void)
{
    pci_interrupts_off();
    step("apic");
    const char *error = apic_init();
    if (error)
        log_line("# error %s: one CPU, no PMI tests", error);
    legacy_interrupts_mask();
    apic_cpu_init();
    check_clock();
    apic_timer_measure();
    cpus_start();
    tsc_apart_measure();
}

/* From here on a hang is visible: on the screen, and at the next start. */
static void start_telling(void)
{
    memory_keep(boot_info());
    previous_init(memory_kept(), MEMORY_KEPT);
    paging_cpu_types();
    if (step("screen"))
        screen_init(boot_info());
    screen_set(SCREEN_TITLE, "pmucheck %s", build_version);
}

static void start_clock(void)
{
    if (step("clock")) {
        clock = calibrate_tsc(tsc_cpu_platform_info);
        if (clock.khz)
            time_calibrated(clock.khz, clock.source);
        log_line("# clock tsc-khz=%lu source=%s second=%s disagreement-ppm=%u", (unsigned long)time_tsc_khz(),
                 time_source(), clock.second, clock.disagreement_ppm);
    }
    if (time_assumed())
        log_set_timeless();
}

#define COM1 0x3f8
#define COM1_LINE_STATUS (COM1 + 5)
#define HOLDING_EMPTY (1u << 5)

/* Writes to the first serial port directly, with code of its own: any other code may be what is damaged. */
static void say_damaged(void)
{
    for (const char *c = "pmucheck: this image is damaged; write or copy it anew\r\n"; *c; c++) {
        for (unsigned wait = 0; wait < 10000 && !(inb(COM1_LINE_STATUS) & HOLDING_EMPTY); wait++)
            ;
        outb(COM1, (u8)*c);
    }
}

/* Memory that the first page tables map: nothing above 4 GiB, and page 0 only as boot/entry.asm's copy of it. */
static const void *first_memory(const void *context, u64 address, u64 length)
{
    u64 end = address + length;
    (void)context;
    if (address < PAGE_SIZE)
        return end <= sizeof(boot_low) ? boot_low + address : NULL;
    return end <= 1ul << 32 ? (const void *)address : NULL;
}

static const char *first_of(const char *const *errors, unsigned count)
{
    unsigned n = 0;
    while (n < count && !errors[n])
        n++;
    return errors[n];
}

void start(u32 loader, u64 information)
{
    static const struct boot_reader reader = {first_memory, NULL};
    tables_load_first();
    u32 sum = image_sum_loaded();
    if (sum != image_sum())
        say_damaged();
    if (sum == image_sum())
        image_move(loader, &reader, information, mtrr_caches);
    early_faults();
    log_set_clock(time_uptime_ms);
    boot_info_take(loader, &reader, information);
    const char *error = parse_options(boot_options(boot_info()), NULL);
    if (boot_info()->command_line_cut && !error)
        error = "the command line is too long";
    const char *settings_error = settings_check();
    if (!strcmp(option_firmware.text, "uefi"))
        boot_info_tell_efi();
    serial_init();
    log_line("# pmucheck version=%s commit=%s sum=%08x", build_version, build_commit, image_sum());
    const char *save_error = save_plan(boot_info());
    start_telling();
    log_line("# entry cr0=%08x cr4=%08x efer=%08x", boot_found.cr0, boot_found.cr4, boot_found.efer);
    if (sum != image_sum())
        fatal("the image is damaged: its sum is %08x, not %08x; write or copy it anew", sum, image_sum());
    if (boot_info()->error)
        log_line("# error boot information: %s", boot_info()->error);
    take_firmware_options(&error, &save_error);
    step("hand-off");
    cpu_started();
    start_memory();
    start_watchdog();
    if (step("acpi"))
        acpi_init();
    step("uarts");
    take_firmware_options(&error, &save_error);
    const char *module_error = modules_check();
    const char *serial_error = serial_late_init();
    error = first_of((const char *const[]){error, settings_error, module_error, serial_error, save_error, NULL}, 5);
    start_clock();
    start_cpus();
    step(START_STEP_TESTS);
    main(error);
    power_end(0x13);
}
