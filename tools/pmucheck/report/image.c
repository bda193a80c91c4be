/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/report/image.h"
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define SECTOR 512          /* files of FAT and ISO 9660 begin at a sector */
#define UNPACKED (8u << 20) /* bytes of a kernel, at most */
#define GZIP 16             /* inflateInit2(): with gzip's header */

/* The bytes from a kernel's header up to the end of the image. */
struct kernel {
    const unsigned char *bytes;
    size_t size;
    Elf64_Ehdr header;
};

/*
 * Adds up a group of sections in order of their addresses; gaps within a group are zeros in memory. Each group needs at
 * least one section.
 */
static const char *const groups[][2] = {{".text", ".user.text"}, {".note.Xen", ".rodata"}, {".data", NULL}};

static bool read_section(const struct kernel *kernel, unsigned number, Elf64_Shdr *section)
{
    uint64_t at = kernel->header.e_shoff + (uint64_t)number * sizeof(*section);
    if (kernel->header.e_shoff > kernel->size || at + sizeof(*section) > kernel->size)
        return false;
    memcpy(section, kernel->bytes + at, sizeof(*section));
    return section->sh_type == SHT_NOBITS ||
           (section->sh_offset <= kernel->size && section->sh_size <= kernel->size - section->sh_offset);
}

static bool is_named(const struct kernel *kernel, const Elf64_Shdr *names, const Elf64_Shdr *section, const char *name)
{
    size_t length = strlen(name) + 1;
    return section->sh_name <= names->sh_size && length <= names->sh_size - section->sh_name &&
           memcmp(kernel->bytes + names->sh_offset + section->sh_name, name, length) == 0;
}

/* Returns false if there is no such section, or it has no bytes. */
static bool find_section(const struct kernel *kernel, const char *name, Elf64_Shdr *section)
{
    Elf64_Shdr names;
    if (!read_section(kernel, kernel->header.e_shstrndx, &names) || names.sh_type != SHT_STRTAB)
        return false;
    for (unsigned i = 0; i < kernel->header.e_shnum; i++)
        if (read_section(kernel, i, section) && (section->sh_type == SHT_PROGBITS || section->sh_type == SHT_NOTE) &&
            is_named(kernel, &names, section, name))
            return true;
    return false;
}

static uint32_t add(const struct kernel *kernel, uint32_t sum, const Elf64_Shdr *section)
{
    return (uint32_t)crc32_z(sum, kernel->bytes + section->sh_offset, section->sh_size);
}

static uint32_t add_zeros(uint32_t sum, uint64_t count)
{
    static const unsigned char zero[4096];
    /* Sections are aligned to a page: with larger gaps the file is none of this program's kernels. */
    return count < sizeof(zero) ? (uint32_t)crc32_z(sum, zero, count) : 0;
}

static uint32_t sum_of(const struct kernel *kernel)
{
    uint32_t sum = 0;
    for (size_t g = 0; g < sizeof(groups) / sizeof(groups[0]); g++) {
        Elf64_Shdr first, second;
        bool begins = find_section(kernel, groups[g][0], &first);
        bool goes_on = groups[g][1] && find_section(kernel, groups[g][1], &second);
        if (!begins && !goes_on)
            return 0;
        if (begins)
            sum = add(kernel, sum, &first);
        if (begins && goes_on)
            sum = add_zeros(sum, second.sh_addr - first.sh_addr - first.sh_size);
        if (goes_on)
            sum = add(kernel, sum, &second);
    }
    return sum;
}

static bool is_header(const Elf64_Ehdr *header)
{
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == ELFCLASS64 &&
           header->e_type == ET_EXEC && header->e_machine == EM_X86_64 && header->e_shentsize == sizeof(Elf64_Shdr);
}

static void add_kernel(struct image *image, const struct kernel *kernel)
{
    Elf64_Shdr section;
    struct image_kernel *found = &image->kernel[image->kernels];
    if (!find_section(kernel, ".sum", &section) || section.sh_size != sizeof(found->sum))
        return;
    memcpy(&found->sum, kernel->bytes + section.sh_offset, sizeof(found->sum));
    found->now = sum_of(kernel);
    image->kernels++;
}

static void look_at(struct image *image, const unsigned char *bytes, size_t size)
{
    struct kernel kernel = {.bytes = bytes, .size = size};
    if (size < sizeof(kernel.header))
        return;
    memcpy(&kernel.header, bytes, sizeof(kernel.header));
    if (is_header(&kernel.header))
        add_kernel(image, &kernel);
}

/* The kernel for guests is packed on a disk. Of a damaged file what can be unpacked is looked at. */
static void look_into(struct image *image, const unsigned char *bytes, size_t size)
{
    static const unsigned char magic[] = {0x1f, 0x8b, Z_DEFLATED};
    bool packed = size > sizeof(magic) && memcmp(bytes, magic, sizeof(magic)) == 0;
    unsigned char *to = packed ? malloc(UNPACKED) : NULL;
    z_stream z = {.next_in = (unsigned char *)(uintptr_t)bytes,
                  .avail_in = size < UNPACKED ? (unsigned)size : UNPACKED,
                  .next_out = to,
                  .avail_out = UNPACKED};
    if (to && inflateInit2(&z, GZIP + MAX_WBITS) == Z_OK) {
        inflate(&z, Z_FINISH);
        look_at(image, to, z.total_out);
        inflateEnd(&z);
    }
    free(to);
}

void image_find(struct image *image, const char *path, const void *bytes, size_t size)
{
    *image = (struct image){.path = path};
    for (size_t at = 0; at < size && image->kernels < IMAGE_KERNELS; at += SECTOR) {
        look_at(image, (const unsigned char *)bytes + at, size - at);
        look_into(image, (const unsigned char *)bytes + at, size - at);
    }
}

bool image_has(const struct image *image, const char *sum)
{
    char text[16];
    for (unsigned i = 0; i < image->kernels; i++) {
        snprintf(text, sizeof(text), "%08x", image->kernel[i].sum);
        if (strcmp(text, sum) == 0)
            return true;
    }
    return false;
}

const char *image_sums(const struct image *image, char *text)
{
    size_t used = 0;
    text[0] = 0;
    for (unsigned i = 0; i < image->kernels; i++)
        used += (size_t)snprintf(text + used, IMAGE_SUMS - used, "%s%08x", i ? " " : "", image->kernel[i].sum);
    return text;
}

const struct image_kernel *image_damaged(const struct image *image)
{
    for (unsigned i = 0; i < image->kernels; i++)
        if (image->kernel[i].sum != image->kernel[i].now)
            return &image->kernel[i];
    return NULL;
}
