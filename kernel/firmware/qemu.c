/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fw_cfg lies at ports 510H and 511H, where real chipsets have power management: a write there can throttle the CPU
 * until the next reset. So two signs of QEMU are needed: the hypervisor bit, and the ids of its ACPI tables.
 */
#include "boot/boot_info.h"
#include "kernel/firmware/acpi.h"
#include "kernel/firmware/power.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/instructions.h"
#include "kernel/text/text.h"

/* QEMU, "Firmware Configuration (fw_cfg) Device". Numbers in its directory are big-endian. */
#define FW_CFG_SELECTOR 0x510
#define FW_CFG_DATA 0x511
#define FW_CFG_SIGNATURE 0x00
#define FW_CFG_DIRECTORY 0x19
#define FW_CFG_NAME_SIZE 56
#define FW_CFG_FILES_MAX 512

#define DEBUG_EXIT 0xf4

#define HYPERVISOR_LEAF 0x40000000u

#define RSDP_SIGNATURE "RSD PTR "
#define RSDP_OEM_ID 9 /* its offset in the RSDP, six characters */

static bool names_qemu(const char *oem_id)
{
    return !strncmp(oem_id, "BOCHS", 5) || !strncmp(oem_id, "QEMU", 4);
}

/* Looks in the loader's copy of the RSDP, long before there is memory to map ACPI's tables. */
static bool rsdp_names_qemu(void)
{
    const struct boot_info *boot = boot_info();
    return boot->rsdp_size > RSDP_OEM_ID + 6 && !memcmp(boot->rsdp, RSDP_SIGNATURE, 8) &&
           names_qemu((const char *)boot->rsdp + RSDP_OEM_ID);
}

bool qemu_established(void)
{
    static bool known; /* the first answer stays: a reference PMU hides the hypervisor bit later on */
    if (!known && cpuid_has(CPUID_HYPERVISOR))
        known = rsdp_names_qemu() || names_qemu(acpi()->oem_id);
    return known;
}

/* Is this QEMU, without our SVM monitor under it? The monitor's CPUID shows another name. */
bool qemu_unasked(void)
{
    static const char names[][13] = {"TCGTCGTCGTCG", "KVMKVMKVM"};
    char name[13] = "";
    if (!cpuid_has(CPUID_HYPERVISOR) || qemu_established())
        return false;
    struct cpuid_regs leaf = cpuid(HYPERVISOR_LEAF, 0);
    memcpy(name, &leaf.ebx, 4);
    memcpy(name + 4, &leaf.ecx, 4);
    memcpy(name + 8, &leaf.edx, 4);
    return !strcmp(name, names[0]) || !strcmp(name, names[1]);
}

static void read_data(void *to, u32 size)
{
    for (u8 *byte = to; size--;)
        *byte++ = inb(FW_CFG_DATA);
}

static u32 read_number(unsigned bytes)
{
    u32 value = 0;
    while (bytes--)
        value = value << 8 | inb(FW_CFG_DATA);
    return value;
}

static bool fw_cfg_present(void)
{
    char signature[4];
    outw(FW_CFG_SELECTOR, FW_CFG_SIGNATURE);
    read_data(signature, sizeof(signature));
    return !memcmp(signature, "QEMU", sizeof(signature));
}

/* Selects a file; false if there is none of that name. */
static bool select_file(const char *name, u32 *size)
{
    outw(FW_CFG_SELECTOR, FW_CFG_DIRECTORY);
    for (u32 left = read_number(4); left && left <= FW_CFG_FILES_MAX; left--) {
        char entry_name[FW_CFG_NAME_SIZE];
        u32 entry_size = read_number(4), key = read_number(4) >> 16;
        read_data(entry_name, sizeof(entry_name));
        if (strncmp(entry_name, name, sizeof(entry_name)))
            continue;
        *size = entry_size;
        outw(FW_CFG_SELECTOR, (u16)key);
        return true;
    }
    return false;
}

u32 qemu_file(const char *name, void *to, u32 size)
{
    u32 length = 0;
    if (!qemu_established() || !fw_cfg_present() || !select_file(name, &length))
        return 0;
    read_data(to, length < size ? length : size);
    return length;
}

void qemu_options(char *text, u32 size)
{
    if (!size)
        return;
    u32 length = qemu_file("opt/org.pmucheck/options", text, size - 1);
    text[length < size ? length : size - 1] = 0;
}

void qemu_exit(u8 code)
{
    if (qemu_established())
        outb(DEBUG_EXIT, code);
}
