/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The walk over the loader's tags: Multiboot2 Specification, "Boot information format". The loader may make mistakes: a
 * field is used only after a check that it lies within its tag, and a tag only after a check that it lies within the
 * information.
 */
#include "boot/boot_info.h"
#include "boot/bytes.h"

enum tag_type {
    TAG_END = 0,
    TAG_COMMAND_LINE = 1,
    TAG_LOADER = 2,
    TAG_MODULE = 3,
    TAG_MEMORY_MAP = 6,
    TAG_FRAMEBUFFER = 8,
    TAG_EFI32 = 11,
    TAG_EFI64 = 12,
    TAG_SMBIOS = 13,
    TAG_RSDP_OLD = 14,
    TAG_RSDP_NEW = 15,
    TAG_EFI_MAP = 17,
};

#define INFORMATION_HEADER 8
#define TAG_HEADER 8
#define TAG_ALIGNMENT 8

/* One tag: its bytes include the header. */
struct tag {
    const u8 *data;
    u32 type, size;
};

static void copy_bytes(u8 *to, u32 *copied, u32 room, const struct tag *tag, u32 offset)
{
    u32 length = tag->size - offset;
    *copied = length < room ? length : room;
    for (u32 i = 0; i < *copied; i++)
        to[i] = tag->data[offset + i];
}

/* Copies the string that begins at `offset` of the tag. Returns true if it had to be cut. */
static bool copy_string(char *to, u32 room, const struct tag *tag, u32 offset)
{
    u32 length = 0;
    while (offset < tag->size && tag->data[offset] && length + 1 < room)
        to[length++] = (char)tag->data[offset++];
    to[length] = 0;
    return offset < tag->size && tag->data[offset];
}

static void read_command_line(const struct tag *tag, struct boot_info *info)
{
    info->command_line_cut = copy_string(info->command_line, sizeof(info->command_line), tag, TAG_HEADER);
}

static void read_loader(const struct tag *tag, struct boot_info *info)
{
    copy_string(info->loader, sizeof(info->loader), tag, TAG_HEADER);
}

static void read_module(const struct tag *tag, struct boot_info *info)
{
    u64 start = bytes_get32(tag->data + 8), end = bytes_get32(tag->data + 12);
    char *command_line = boot_info_add_module(start, end, info);
    if (!command_line)
        return;
    copy_string(command_line, BOOT_MODULE_LINE, tag, 16);
    boot_info_name_module(info);
}

static void read_memory_map(const struct tag *tag, struct boot_info *info)
{
    u32 entry_size = bytes_get32(tag->data + 8);
    if (entry_size < 24) {
        boot_info_complain(info, "the memory map's entries are too small");
        return;
    }
    for (u32 at = 16; entry_size <= tag->size - at; at += entry_size) {
        const u8 *entry = tag->data + at;
        struct boot_region region = {bytes_get64(entry), bytes_get64(entry + 8), bytes_get32(entry + 16)};
        boot_info_add_region(&region, info);
    }
}

static void read_framebuffer(const struct tag *tag, struct boot_info *info)
{
    struct boot_framebuffer *f = &info->framebuffer;
    const u8 *colour = tag->data + 32;
    f->address = bytes_get64(tag->data + 8);
    f->pitch = bytes_get32(tag->data + 16);
    f->width = bytes_get32(tag->data + 20);
    f->height = bytes_get32(tag->data + 24);
    f->depth = tag->data[28];
    f->type = tag->data[29];
    if (f->type == 1 && tag->size < 38) {
        boot_info_complain(info, "the framebuffer's colours are missing");
        return;
    }
    if (f->type == 1) {
        f->red_position = colour[0];
        f->red_size = colour[1];
        f->green_position = colour[2];
        f->green_size = colour[3];
        f->blue_position = colour[4];
        f->blue_size = colour[5];
    }
    f->present = true;
}

static void read_efi(const struct tag *tag, struct boot_info *info)
{
    info->efi = true;
    info->efi_pointer = tag->type == TAG_EFI64 ? 8 : 4;
    info->efi_system_table = bytes_get(tag->data + 8, info->efi_pointer);
}

/* The copy of the entry point follows the major and minor version and six reserved bytes. */
static void read_smbios(const struct tag *tag, struct boot_info *info)
{
    copy_bytes(info->smbios, &info->smbios_size, sizeof(info->smbios), tag, 16);
}

/* A loader may give both RSDPs: the new one wins, whatever their order. */
static void read_rsdp(const struct tag *tag, struct boot_info *info)
{
    u32 wanted = tag->type == TAG_RSDP_NEW ? 36 : 20;
    if (info->rsdp_size < wanted)
        copy_bytes(info->rsdp, &info->rsdp_size, wanted, tag, TAG_HEADER);
}

#define EFI_DESCRIPTOR 40 /* bytes read of each descriptor; newer ones may be longer */
#define EFI_MEMORY_RUNTIME BIT(63)

static void add_efi_region(const u8 *descriptor, struct boot_info *info)
{
    struct boot_efi_region region = {.type = bytes_get32(descriptor),
                                     .base = bytes_get64(descriptor + 8),
                                     .pages = bytes_get64(descriptor + 24),
                                     .attributes = bytes_get64(descriptor + 32)};
    if (!(region.attributes & EFI_MEMORY_RUNTIME))
        return;
    if (info->efi_regions == BOOT_EFI_REGIONS)
        info->efi_regions_dropped++;
    else
        info->efi_region[info->efi_regions++] = region;
}

/* UEFI Specification, "GetMemoryMap()". */
static void read_efi_map(const struct tag *tag, struct boot_info *info)
{
    u32 size = bytes_get32(tag->data + 8);
    if (size < EFI_DESCRIPTOR) {
        boot_info_complain(info, "the entries of the EFI memory map are too small");
        return;
    }
    for (u32 at = 16; size <= tag->size - at; at += size)
        add_efi_region(tag->data + at, info);
}

struct reader {
    u32 type, minimum; /* minimum: the tag's smallest size, header included */
    void (*read)(const struct tag *tag, struct boot_info *info);
    const char *too_small;
};

static const struct reader readers[] = {
    {TAG_COMMAND_LINE, 8, read_command_line, NULL},
    {TAG_LOADER, 8, read_loader, NULL},
    {TAG_MODULE, 16, read_module, "a module tag is too small"},
    {TAG_MEMORY_MAP, 16, read_memory_map, "the memory map tag is too small"},
    {TAG_FRAMEBUFFER, 32, read_framebuffer, "the framebuffer tag is too small"},
    {TAG_EFI32, 12, read_efi, "the EFI tag is too small"},
    {TAG_EFI64, 16, read_efi, "the EFI tag is too small"},
    {TAG_SMBIOS, 16, read_smbios, "the SMBIOS tag is too small"},
    {TAG_RSDP_OLD, 28, read_rsdp, "the RSDP tag is too small"},
    {TAG_RSDP_NEW, 44, read_rsdp, "the RSDP tag is too small"},
    {TAG_EFI_MAP, 16, read_efi_map, "the EFI memory map tag is too small"},
};

static void read_tag(const struct tag *tag, struct boot_info *info)
{
    for_each_row (readers, reader)
        if (reader->type == tag->type) {
            if (tag->size < reader->minimum)
                boot_info_complain(info, reader->too_small);
            else
                reader->read(tag, info);
        }
}

void boot_info_walk(const void *data, u64 limit, struct boot_info *info)
{
    const u8 *bytes = data;
    *info = (struct boot_info){.information = (u64)(uintptr_t)data};
    if (!data || limit < INFORMATION_HEADER) {
        boot_info_complain(info, "not loaded by a multiboot2 loader, nor by a PVH start");
        return;
    }

    u64 size = bytes_get32(bytes);

    if (size > limit) {
        boot_info_complain(info, "larger than can be believed");
        size = limit;
    }
    info->information_size = size;
    for (u64 at = INFORMATION_HEADER; at + TAG_HEADER <= size;) {
        struct tag tag = {bytes + at, bytes_get32(bytes + at), bytes_get32(bytes + at + 4)};
        if (tag.size < TAG_HEADER || tag.size > size - at) {
            boot_info_complain(info, "a tag's size is wrong");
            return;
        }
        if (tag.type == TAG_END)
            return;
        read_tag(&tag, info);
        at += (tag.size + (u64)TAG_ALIGNMENT - 1) & ~(u64)(TAG_ALIGNMENT - 1);
    }
    boot_info_complain(info, "the end tag is missing");
}
