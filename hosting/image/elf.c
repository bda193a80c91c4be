/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernels that are ELF files: which segments go where. System V Application Binary Interface, "Object Files" and
 * "Program Loading".
 */
#include "boot/bytes.h"
#include "hosting/image/image.h"
#include "kernel/text/text.h"

#define CLASS_AT 4
#define ENCODING_AT 5
#define MACHINE_AT 18
#define CLASS_32 1
#define CLASS_64 2
#define LITTLE_ENDIAN 1
#define MACHINE_386 3
#define MACHINE_X86_64 62
#define TYPE_LOAD 1

/* Offsets of the fields in each class. */
struct layout {
    unsigned word; /* bytes of an address */
    unsigned header_size, entry, table, entry_size, entries;
    unsigned program_size, offset, virtual, physical, file_size, memory_size;
};
static const struct layout layout32 = {4, 52, 24, 28, 42, 44, 32, 4, 8, 12, 16, 20};
static const struct layout layout64 = {8, 64, 24, 32, 54, 56, 56, 8, 16, 24, 32, 40};

static const struct layout *layout_of(const u8 *file, u64 size)
{
    if (size < layout32.header_size || memcmp(file, "\177ELF", 4) || file[ENCODING_AT] != LITTLE_ENDIAN)
        return NULL;
    u64 machine = bytes_get(file + MACHINE_AT, 2);
    if (file[CLASS_AT] == CLASS_32 && machine == MACHINE_386)
        return &layout32;
    if (file[CLASS_AT] == CLASS_64 && machine == MACHINE_X86_64 && size >= layout64.header_size)
        return &layout64;
    return NULL;
}

static const char *add_segment(u64 size, const struct layout *l, const u8 *program, u64 entry,
                               struct guest_image *image)
{
    struct guest_segment segment = {
        .offset = bytes_get(program + l->offset, l->word),
        .file_size = bytes_get(program + l->file_size, l->word),
        .address = bytes_get(program + l->physical, l->word),
        .memory_size = bytes_get(program + l->memory_size, l->word),
    };
    u64 inside = entry - bytes_get(program + l->virtual, l->word);
    if (inside < segment.memory_size) /* the entry is a virtual address */
        image->entry = (u32)(segment.address + inside);
    return guest_segment_add(image, size, &segment);
}

const char *guest_elf_parse(const u8 *file, u64 size, struct guest_image *image)
{
    const struct layout *l = layout_of(file, size);
    if (!l)
        return "not an x86 ELF file, and its header has no load addresses";
    u64 table = bytes_get(file + l->table, l->word), entry = bytes_get(file + l->entry, l->word);
    u64 stride = bytes_get(file + l->entry_size, 2), count = bytes_get(file + l->entries, 2);
    if (stride < l->program_size || table > size || count * stride > size - table)
        return "the program headers lie outside the file";
    image->entry = (u32)entry;
    for (u64 i = 0; i < count; i++) {
        const u8 *program = file + table + i * stride;
        if (bytes_get32(program) != TYPE_LOAD)
            continue;
        const char *wrong = add_segment(size, l, program, entry, image);
        if (wrong)
            return wrong;
    }
    return image->segments ? NULL : "the ELF file has nothing to load";
}
