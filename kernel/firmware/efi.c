/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The firmware's runtime services, as bytes, and whether results may be written by them: UEFI Specification, "EFI
 * Runtime Services Table", "Variable Services", "GetMemoryMap()".
 */
#include "boot/bytes.h"
#include "kernel/firmware/acpi.h"
#include "kernel/text/text.h"

#define PAGE 4096u
#define HEADER_REVISION 8
#define HEADER_LENGTH 12
#define HEADER_CRC 16
#define SYSTEM_RUNTIME_SERVICES 88
#define RUNTIME_SET_VARIABLE 88
#define RUNTIME_QUERY_VARIABLE_INFO 128
#define REVISION_2_0 (2u << 16) /* the first with QueryVariableInfo */
#define STATUS_ERROR BIT(63)

static u64 region_end(const struct boot_efi_region *region)
{
    return region->base + region->pages * PAGE;
}

static bool is_whole(const struct boot_efi_region *region)
{
    return region->base >= PAGE && region->base % PAGE == 0 && region->pages && region->pages < BIT(36) &&
           region_end(region) > region->base && region_end(region) <= BIT(46);
}

/* Does the loader's map say that this region is free memory? Then the two maps contradict each other. */
static bool is_free(const struct boot_info *boot, const struct boot_efi_region *region)
{
    for (unsigned i = 0; i < boot->regions; i++)
        if (boot->region[i].type == BOOT_REGION_AVAILABLE &&
            region->base < boot->region[i].base + boot->region[i].length && boot->region[i].base < region_end(region))
            return true;
    return false;
}

const char *efi_refusal(const struct boot_info *boot)
{
    if (!boot->efi)
        return "this firmware is not UEFI";
    if (!boot->efi_system_table)
        return "the loader does not say where the firmware's services are; after kexec they are Linux's: use "
               "save=ramoops";
    if (boot->efi_pointer != 8)
        return "this firmware is 32-bit UEFI, whose services no 64-bit program can call";
    if (!boot->efi_regions)
        return "the loader does not say which memory the firmware keeps";
    if (boot->efi_regions_dropped)
        return "the firmware keeps more pieces of memory than can be mapped";
    for (unsigned i = 0; i < boot->efi_regions; i++)
        if (!is_whole(&boot->efi_region[i]) || is_free(boot, &boot->efi_region[i]))
            return "the firmware's memory map contradicts itself";
    return NULL;
}

u64 efi_runtime_table(const u8 *system_table)
{
    return memcmp(system_table, "IBI SYST", 8) ? 0 : bytes_get64(system_table + SYSTEM_RUNTIME_SERVICES);
}

bool efi_is_runtime(const struct boot_info *boot, u64 address, u64 length)
{
    for (unsigned i = 0; i < boot->efi_regions; i++)
        if (address >= boot->efi_region[i].base && address < region_end(&boot->efi_region[i]) &&
            length <= region_end(&boot->efi_region[i]) - address)
            return true;
    return false;
}

static bool is_code(const struct boot_info *boot, u64 address)
{
    for (unsigned i = 0; i < boot->efi_regions; i++)
        if (boot->efi_region[i].type == EFI_RUNTIME_CODE && address >= boot->efi_region[i].base &&
            address < region_end(&boot->efi_region[i]))
            return true;
    return false;
}

/* The checksum covers the length in the header; its own field counts as zeros. */
static bool sum_holds(const u8 *table, u32 length)
{
    static const u8 zeroes[4];
    u32 crc = crc32_update(0, table, HEADER_CRC);
    crc = crc32_update(crc, zeroes, sizeof(zeroes));
    crc = crc32_update(crc, table + HEADER_CRC + 4, length - HEADER_CRC - 4);
    return crc == bytes_get32(table + HEADER_CRC);
}

const char *efi_read_services(const struct boot_info *boot, const u8 *table, struct efi_services *services)
{
    if (memcmp(table, "RUNTSERV", 8))
        return "there is no table of runtime services where the firmware says";
    if (bytes_get32(table + HEADER_REVISION) < REVISION_2_0)
        return "this firmware is older than UEFI 2.0 and does not say how full its store is";
    if (bytes_get32(table + HEADER_LENGTH) != EFI_RUNTIME_TABLE_SIZE || !sum_holds(table, EFI_RUNTIME_TABLE_SIZE))
        return "the firmware's table of runtime services is damaged";
    services->set_variable = bytes_get64(table + RUNTIME_SET_VARIABLE);
    services->query_variable_info = bytes_get64(table + RUNTIME_QUERY_VARIABLE_INFO);
    if (!is_code(boot, services->set_variable) || !is_code(boot, services->query_variable_info))
        return "the firmware's services lie outside its memory";
    return NULL;
}

const char *efi_room_refusal(u64 store, u64 remaining, u64 largest, u64 size)
{
    if (remaining > store || size > largest)
        return "the firmware's store takes no variable of this size";
    if (remaining < size || remaining - size < store / 2)
        return "the firmware's store of variables is more than half full, and a full store makes some machines "
               "unusable";
    return NULL;
}

const char *efi_status_text(u64 status)
{
    static const struct {
        u64 status;
        const char *text;
    } rows[] = {
        {2, "the firmware says: invalid parameter"},   {3, "the firmware does not set variables at runtime"},
        {7, "the firmware says: device error"},        {8, "the firmware says: write-protected"},
        {9, "the firmware has no room left"},          {15, "the firmware says: access denied"},
        {26, "the firmware says: security violation"},
    };
    for_each_row (rows, row)
        if (status == (row->status | STATUS_ERROR))
            return row->text;
    return "the firmware returned an error";
}
