/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PVH's start information, which QEMU's -kernel, microvm, Xen and small machine monitors pass: Xen, "x86/HVM direct
 * boot ABI", and the layout of struct hvm_start_info. It is spread over memory: each pointer is checked before it is
 * followed, and 0 means absent.
 */
#include "boot/boot_info.h"
#include "boot/bytes.h"

/* Offsets in the structure. Version 0 ends before the memory map. */
enum start_info {
    START_MAGIC = 0,
    START_VERSION = 4,
    START_MODULE_COUNT = 12,
    START_MODULES = 16,
    START_COMMAND_LINE = 24,
    START_RSDP = 32,
    START_SIZE_0 = 40,
    START_MAP = 40,
    START_MAP_COUNT = 48,
    START_SIZE_1 = 56,
};

/* Offsets in an entry of the module list and of the memory map. */
enum module_entry { MODULE_ADDRESS = 0, MODULE_SIZE = 8, MODULE_COMMAND_LINE = 16, MODULE_ENTRY = 32 };
enum map_entry { MAP_ADDRESS = 0, MAP_SIZE = 8, MAP_TYPE = 16, MAP_ENTRY = 24 };

#define ENTRIES_MOST 1024 /* of either table: a larger count is taken as wrong */

#define RSDP_REVISION 15
#define RSDP_SIZE_1 20
#define RSDP_SIZE_2 36

static const u8 *bytes_at(const struct boot_reader *reader, u64 address, u64 length)
{
    return address && address + length > address ? reader->at(reader->context, address, length) : NULL;
}

/* Copies a string. Returns true if it had to be cut, or if memory ends before the string does. */
static bool copy_text(const struct boot_reader *reader, u64 address, char *to, u32 room)
{
    u32 length = 0;
    const u8 *byte = bytes_at(reader, address, 1);
    while (byte && *byte && length + 1 < room) {
        to[length++] = (char)*byte;
        byte = bytes_at(reader, address + length, 1);
    }
    to[length] = 0;
    return !byte || *byte;
}

static void read_command_line(const struct boot_reader *reader, u64 address, struct boot_info *info)
{
    if (!address)
        return;
    if (!bytes_at(reader, address, 1))
        boot_info_complain(info, "the command line is where no memory is");
    else
        info->command_line_cut = copy_text(reader, address, info->command_line, sizeof(info->command_line));
}

static void read_rsdp(const struct boot_reader *reader, u64 address, struct boot_info *info)
{
    const u8 *rsdp = bytes_at(reader, address, RSDP_SIZE_1);
    if (rsdp && rsdp[RSDP_REVISION] >= 2)
        rsdp = bytes_at(reader, address, RSDP_SIZE_2);
    if (!rsdp) {
        if (address)
            boot_info_complain(info, "the RSDP is where no memory is");
        return;
    }
    info->rsdp_size = rsdp[RSDP_REVISION] >= 2 ? RSDP_SIZE_2 : RSDP_SIZE_1;
    for (u32 i = 0; i < info->rsdp_size; i++)
        info->rsdp[i] = rsdp[i];
}

static void read_module(const struct boot_reader *reader, const u8 *entry, struct boot_info *info)
{
    u64 start = bytes_get64(entry + MODULE_ADDRESS), line = bytes_get64(entry + MODULE_COMMAND_LINE);
    char *command_line = boot_info_add_module(start, start + bytes_get64(entry + MODULE_SIZE), info);
    if (command_line && line)
        copy_text(reader, line, command_line, BOOT_MODULE_LINE);
}

static void read_region(const struct boot_reader *reader, const u8 *entry, struct boot_info *info)
{
    struct boot_region region = {bytes_get64(entry + MAP_ADDRESS), bytes_get64(entry + MAP_SIZE),
                                 bytes_get32(entry + MAP_TYPE)};
    (void)reader;
    boot_info_add_region(&region, info);
}

/* A table, and `read`, which reads one of its entries. */
struct table {
    u64 address;
    u32 count, entry;
    void (*read)(const struct boot_reader *reader, const u8 *entry, struct boot_info *info);
    const char *too_many, *nowhere;
};

static void read_table(const struct boot_reader *reader, const struct table *table, struct boot_info *info)
{
    if (!table->count)
        return;
    if (table->count > ENTRIES_MOST) {
        boot_info_complain(info, table->too_many);
        return;
    }
    const u8 *entries = bytes_at(reader, table->address, (u64)table->count * table->entry);
    if (!entries)
        boot_info_complain(info, table->nowhere);
    for (u32 i = 0; entries && i < table->count; i++)
        table->read(reader, entries + (u64)i * table->entry, info);
}

static void read_modules(const struct boot_reader *reader, const u8 *start, struct boot_info *info)
{
    struct table table = {bytes_get64(start + START_MODULES),
                          bytes_get32(start + START_MODULE_COUNT),
                          MODULE_ENTRY,
                          read_module,
                          "it has more modules than can be believed",
                          "the list of modules is where no memory is"};
    read_table(reader, &table, info);
}

static void read_map(const struct boot_reader *reader, const u8 *start, struct boot_info *info)
{
    struct table table = {bytes_get64(start + START_MAP),
                          bytes_get32(start + START_MAP_COUNT),
                          MAP_ENTRY,
                          read_region,
                          "the memory map is larger than can be believed",
                          "the memory map is where no memory is"};
    read_table(reader, &table, info);
    if (!info->regions)
        boot_info_complain(info, "the memory map is empty");
}

void pvh_walk(const struct boot_reader *reader, u64 at, struct boot_info *info)
{
    static const char name[] = "PVH";
    const u8 *start = bytes_at(reader, at, START_SIZE_0);
    *info = (struct boot_info){.information = at};
    for (unsigned i = 0; i < sizeof(name); i++)
        info->loader[i] = name[i];
    if (!start || bytes_get32(start + START_MAGIC) != BOOT_PVH) {
        boot_info_complain(info, start ? "the PVH start information has another magic number"
                                       : "the PVH start information is where no memory is");
        return;
    }
    info->information_size = START_SIZE_0;
    read_command_line(reader, bytes_get64(start + START_COMMAND_LINE), info);
    read_rsdp(reader, bytes_get64(start + START_RSDP), info);
    read_modules(reader, start, info);
    if (bytes_get32(start + START_VERSION) >= 1)
        start = bytes_at(reader, at, START_SIZE_1);
    else
        start = NULL;
    if (!start) {
        boot_info_complain(info, "the PVH start information is of a version that has no memory map");
        return;
    }
    info->information_size = START_SIZE_1;
    read_map(reader, start, info);
}
