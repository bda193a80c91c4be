/* SPDX-License-Identifier: BSD-2-Clause */
/* How the machine is left. If a method does not work within its time, the next one is tried; the last is HLT. */
#include "kernel/firmware/power.h"
#include "kernel/core/memory.h"
#include "kernel/core/option.h"
#include "kernel/core/time.h"
#include "kernel/firmware/acpi.h"
#include "kernel/firmware/clock.h"
#include "kernel/firmware/pci.h"
#include "kernel/firmware/watchdog.h"
#include "kernel/log/log.h"
#include "kernel/register/instructions.h"
#include "kernel/text/text.h"

static const char *const endings[] = {"halt", "reboot", "poweroff", "exit", NULL};

OPTION(after, .kind = OPTION_CHOICE, .argument = "halt|reboot|poweroff|exit", .choices = endings,
       .help = "what to do after the END line (default: halt); exit leaves QEMU through isa-debug-exit");

#define RESET_US 100000 /* how long a reset may take to happen */
#define POWEROFF_US 2000000

/* ACPI, "PM1 Control Registers". */
#define PM1_SLEEP_TYPE(type) FIELD(12, 10, type)
#define PM1_SLEEP_TYPE_MASK MASK(12, 10)
#define PM1_SLEEP_ENABLE BIT(13)
/* ACPI, "PM1 Status Registers": events that wake a machine, cleared by writing a one. Timer and bus do not wake it. */
#define PM1_WAKES 0xc700 /* WAK, PCIEXP_WAKE, RTC, SLPBTN, PWRBTN */

#define PM1_ACPI_MODE BIT(0)
#define PM1_RTC 0x400 /* RTC_EN */

/* ACPI, "Firmware ACPI Control Structure (FACS)". */
#define FACS_SIZE 64
#define FACS_LENGTH 4
#define FACS_WAKING_VECTOR 12
#define FACS_WAKING_VECTOR_64 24

#define KEYBOARD_STATUS 0x64
#define KEYBOARD_INPUT_FULL 0x02
#define KEYBOARD_COMMAND 0x64
#define KEYBOARD_PULSE_RESET 0xfe

/* Chipsets' data sheets, "Reset Control Register": a hard reset once RST_CPU goes from 0 to 1. */
#define RESET_CONTROL 0xcf9
#define RESET_SYSTEM 0x02
#define RESET_CPU 0x04
#define RESET_FULL 0x08 /* would also cut the power */
#define RESET_SETTLE_US 50

#define PCI_ADDRESS 0xcf8
#define PCI_DATA 0xcfc

void power_halt(void)
{
    for (;;) {
        cli();
        hlt();
    }
}

/* ACPI, "Reset Register". For PCI the address holds device, function and offset on bus 0. */
static void reset_pci(u64 address, u8 value)
{
    u32 device = FIELD_GET(address, 36, 32), function = FIELD_GET(address, 18, 16), offset = FIELD_GET(address, 7, 0);
    outl(PCI_ADDRESS, 0x80000000u | device << 11 | function << 8 | (offset & 0xfc));
    outb((u16)(PCI_DATA + (offset & 3)), value);
}

static bool reset_by_fadt(void)
{
    const struct acpi_info *info = acpi();
    if (!info->reset_supported)
        return false;
    if (info->reset_space == 1 && info->reset_address <= 0xffff)
        outb((u16)info->reset_address, info->reset_value);
    else if (info->reset_space == 0 && memory_map(info->reset_address, 1, MEMORY_MMIO))
        *(volatile u8 *)info->reset_address = info->reset_value;
    else if (info->reset_space == 2)
        reset_pci(info->reset_address, info->reset_value);
    time_delay_us(RESET_US);
    return true;
}

static bool reset_by_keyboard_controller(void)
{
    struct deadline deadline = deadline_us(RESET_US);
    while (inb(KEYBOARD_STATUS) & KEYBOARD_INPUT_FULL)
        if (deadline_passed(&deadline))
            break;
    outb(KEYBOARD_COMMAND, KEYBOARD_PULSE_RESET);
    time_delay_us(RESET_US);
    return true;
}

/*
 * A byte write here is no access to PCI's address register, which takes 32-bit accesses only. If PCI does not answer,
 * this port may belong to another device, so nothing is written.
 */
static bool reset_by_chipset(void)
{
    if (!pci_present(pci_read(0, PCI_ID)))
        return false;
    u8 found = inb(RESET_CONTROL) & (u8) ~(RESET_SYSTEM | RESET_CPU | RESET_FULL);
    outb(RESET_CONTROL, found | RESET_SYSTEM);
    time_delay_us(RESET_SETTLE_US);
    outb(RESET_CONTROL, found | RESET_SYSTEM | RESET_CPU);
    time_delay_us(RESET_US);
    return true;
}

/* Without an interrupt table the first exception is already the third: SDM 3A, "Double Fault Exception". */
static void reset_by_triple_fault(void)
{
    static const struct __attribute__((packed)) {
        u16 limit;
        u64 base;
    } empty;
    load_idt(&empty);
    __asm__ volatile("int3");
}

const char *const power_reset_name[] = {"acpi", "keyboard", "chipset"};

static bool (*const resets[])(void) = {
    [RESET_BY_ACPI] = reset_by_fadt,
    [RESET_BY_KEYBOARD] = reset_by_keyboard_controller,
    [RESET_BY_CHIPSET] = reset_by_chipset,
};

bool power_reset(enum reset_way way)
{
    log_drain();
    return resets[way]();
}

static void reboot(void)
{
    for (unsigned way = 0; way < RESET_WAY_COUNT; way++)
        resets[way]();
    reset_by_triple_fault();
}

/* An earlier event, such as the button press that started the machine, would wake it at once. */
static void forget_wakes(u16 port)
{
    if (port)
        outw(port, PM1_WAKES);
}

static void enter_sleep(u16 port, u8 type)
{
    u16 value;
    if (!port)
        return;
    value = (u16)((inw(port) & ~PM1_SLEEP_TYPE_MASK) | PM1_SLEEP_TYPE(type));
    outw(port, value);
    outw(port, value | (u16)PM1_SLEEP_ENABLE);
}

/* If ACPI mode is off it stays off: entering it takes a write to the firmware's SMI command port. */
static void poweroff(void)
{
    const struct acpi_info *info = acpi();
    if (!info->fadt || !info->s5.known)
        return;
    forget_wakes(info->pm1a_event);
    forget_wakes(info->pm1b_event);
    enter_sleep(info->pm1b_control, info->s5.b);
    enter_sleep(info->pm1a_control, info->s5.a);
    time_delay_us(POWEROFF_US);
}

const char *power_sleep_unavailable(void)
{
    const struct acpi_info *info = acpi();
    if (!info->fadt || !info->pm1a_control || !info->pm1a_event || info->pm1_event_length < 4)
        return "the FADT names no ports for it";
    if (!info->s3.known)
        return "the firmware's tables have no \\_S3";
    if (!info->facs_address || info->facs_address >= BIT(32))
        return "there is no FACS to say where to wake";
    return acpi()->rtc_missing ? "there is no real-time clock to wake it" : NULL;
}

/* ACPI, "Firmware ACPI Control Structure (FACS)": real mode at this address, unless the 64-bit one is set. */
static void wake_at(u32 page)
{
    u64 facs = acpi()->facs_address;
    paging_map(facs, FACS_SIZE, PAGE_WRITE);
    *(volatile u32 *)(facs + FACS_WAKING_VECTOR) = page;
    if (*(volatile u32 *)(facs + FACS_LENGTH) >= FACS_SIZE)
        *(volatile u64 *)(facs + FACS_WAKING_VECTOR_64) = 0;
}

void power_sleep(u32 page, u32 seconds)
{
    const struct acpi_info *info = acpi();
    u16 enables = (u16)(info->pm1a_event + info->pm1_event_length / 2);
    if (!(inw(info->pm1a_control) & PM1_ACPI_MODE) && info->smi_command)
        outb(info->smi_command, info->smi_enable);
    wake_at(page);
    rtc_alarm(seconds);
    forget_wakes(info->pm1a_event);
    forget_wakes(info->pm1b_event);
    outw(enables, inw(enables) | PM1_RTC);
    __asm__ volatile("wbinvd" : : : "memory");
    enter_sleep(info->pm1b_control, info->s3.b);
    enter_sleep(info->pm1a_control, info->s3.a);
    time_delay_us(POWEROFF_US);
}

bool power_stays(void)
{
    return !strcmp(option_after.text, "") || !strcmp(option_after.text, "halt");
}

void power_end(u8 code)
{
    watchdog_stop();
    cli();
    pci_interrupts_restore();
    log_drain();
    if (!strcmp(option_after.text, "reboot"))
        reboot();
    else if (!strcmp(option_after.text, "poweroff"))
        poweroff();
    else if (!strcmp(option_after.text, "exit"))
        qemu_exit(code);
    power_halt();
}
