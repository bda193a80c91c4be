/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Multiboot Specification 0.6.96 and Multiboot2 Specification 2.0, "OS image format". If a header demands something
 * that is not offered here, the kernel is refused with that reason; no demand is ignored.
 */
#include "boot/bytes.h"
#include "hosting/image/image.h"

#define MAGIC1 0x1badb002
#define SEARCH1 8192
#define FLAG_ADDRESSES BIT(16)
#define FLAGS_MUST 0xffff    /* bits that a loader must understand */
#define FLAGS_UNDERSTOOD 0x3 /* bits of FLAGS_MUST that are understood: aligned modules, memory information */
#define MAGIC2 0xe85250d6
#define SEARCH2 32768
#define HEADER2 16
#define TAG_HEADER 8
#define TAG_OPTIONAL 1

enum header_tag {
    TAG_END,
    TAG_REQUEST,
    TAG_ADDRESS,
    TAG_ENTRY,
    TAG_CONSOLE,
    TAG_FRAMEBUFFER,
    TAG_MODULE_ALIGN,
    TAG_BOOT_SERVICES,
    TAG_EFI32_ENTRY,
    TAG_EFI64_ENTRY,
    TAG_RELOCATABLE,
};

/* Where a kernel that is not an ELF file is to be loaded. */
struct placing {
    u32 header, load, load_end, bss_end; /* load_end 0: the whole file; bss_end 0: no bss */
};

static const char *place(const struct placing *p, u64 at, u64 size, struct guest_image *image)
{
    u64 before = (u64)p->header - p->load; /* bytes loaded before the header */
    if (p->header < p->load || before > at)
        return "the header's addresses do not fit the file";
    struct guest_segment segment = {.offset = at - before, .address = p->load};
    segment.file_size = p->load_end ? (u64)p->load_end - p->load : size - segment.offset;
    segment.memory_size = p->bss_end ? (u64)p->bss_end - p->load : segment.file_size;
    if (p->load_end && p->load_end < p->load)
        return "the header's load addresses are out of order";
    if (p->bss_end && p->bss_end < p->load)
        return "the header's bss addresses are out of order";
    return guest_segment_add(image, size, &segment);
}

static const char *load1(const u8 *file, u64 size, u64 at, struct guest_image *image)
{
    const u8 *header = file + at;
    u32 flags = bytes_get32(header + 4);
    image->kind = GUEST_MULTIBOOT1;
    if (flags & FLAGS_MUST & ~(u32)FLAGS_UNDERSTOOD)
        return flags & BIT(2) ? "its multiboot header demands a video mode"
                              : "its multiboot header demands unknown features";
    if (!(flags & FLAG_ADDRESSES))
        return guest_elf_parse(file, size, image);
    if (size - at < 32)
        return "the multiboot header is cut short";
    struct placing p = {bytes_get32(header + 12), bytes_get32(header + 16), bytes_get32(header + 20),
                        bytes_get32(header + 24)};
    image->entry = bytes_get32(header + 28);
    return place(&p, at, size, image);
}

bool guest_multiboot1_parse(const u8 *file, u64 size, struct guest_image *image, const char **wrong)
{
    for (u64 at = 0; at + 12 <= size && at + 12 <= SEARCH1; at += 4) {
        const u8 *header = file + at;
        if (bytes_get32(header) != MAGIC1 ||
            (u32)(bytes_get32(header) + bytes_get32(header + 4) + bytes_get32(header + 8)))
            continue;
        *wrong = load1(file, size, at, image);
        return true;
    }
    return false;
}

/* ---- Multiboot2 */

struct wishes {
    bool placed, entered;
    struct placing placing;
    u32 entry;
};

/* Tags of the boot information that guest_information2() writes. */
static bool offered(u32 type)
{
    return (type >= 1 && type <= 4) || type == 6 || type == 14 || type == 15;
}

static const char *read_request(const u8 *tag, u32 size)
{
    for (u32 at = TAG_HEADER; at + 4 <= size; at += 4)
        if (!offered(bytes_get32(tag + at)))
            return "its multiboot2 header demands boot information that is not offered";
    return NULL;
}

static const char *read_tag(const u8 *tag, u32 size, struct wishes *w)
{
    bool optional = tag[2] & TAG_OPTIONAL;
    switch ((enum header_tag)bytes_get(tag, 2)) {
    case TAG_REQUEST:
        return optional ? NULL : read_request(tag, size);
    case TAG_ADDRESS:
        if (size < 24)
            return "a tag of the multiboot2 header is too small";
        w->placed = true;
        w->placing =
            (struct placing){bytes_get32(tag + 8), bytes_get32(tag + 12), bytes_get32(tag + 16), bytes_get32(tag + 20)};
        return NULL;
    case TAG_ENTRY:
        if (size < 12)
            return "a tag of the multiboot2 header is too small";
        w->entered = true;
        w->entry = bytes_get32(tag + 8);
        return NULL;
    case TAG_BOOT_SERVICES:
        return optional ? NULL : "its multiboot2 header demands EFI boot services";
    case TAG_END: /* read_tags() handles it */
    case TAG_CONSOLE:
    case TAG_FRAMEBUFFER: /* a wish, not a demand */
    case TAG_MODULE_ALIGN:
    case TAG_EFI32_ENTRY:
    case TAG_EFI64_ENTRY:
    case TAG_RELOCATABLE: /* it could be relocated, but is not */
        return NULL;
    }
    return optional ? NULL : "its multiboot2 header demands features that are not offered";
}

static const char *read_tags(const u8 *header, u32 length, struct wishes *w)
{
    for (u32 at = HEADER2; length - at >= TAG_HEADER;) {
        u32 size = bytes_get32(header + at + 4);
        if (bytes_get(header + at, 2) == TAG_END)
            return NULL;
        if (size < TAG_HEADER || size > length - at)
            return "a tag of the multiboot2 header has a wrong size";
        const char *wrong = read_tag(header + at, size, w);
        if (wrong)
            return wrong;
        u32 step = (size + 7) & ~7u;
        if (step > length - at)
            break;
        at += step;
    }
    return "the multiboot2 header has no end";
}

static const char *load2(const u8 *file, u64 size, u64 at, struct guest_image *image)
{
    const u8 *header = file + at;
    u32 length = bytes_get32(header + 8);
    struct wishes w = {0};
    image->kind = GUEST_MULTIBOOT2;
    if (bytes_get32(header + 4))
        return "its multiboot2 header is for another architecture";
    if (length < HEADER2 || length > size - at)
        return "the multiboot2 header is cut short";
    const char *wrong = read_tags(header, length, &w);
    if (wrong)
        return wrong;
    if (w.placed && !w.entered)
        return "its multiboot2 header names addresses but no entry";
    wrong = w.placed ? place(&w.placing, at, size, image) : guest_elf_parse(file, size, image);
    if (w.entered)
        image->entry = w.entry;
    return wrong;
}

bool guest_multiboot2_parse(const u8 *file, u64 size, struct guest_image *image, const char **wrong)
{
    for (u64 at = 0; at + HEADER2 <= size && at + HEADER2 <= SEARCH2; at += 8) {
        const u8 *header = file + at;
        u32 sum = bytes_get32(header) + bytes_get32(header + 4) + bytes_get32(header + 8) + bytes_get32(header + 12);
        if (bytes_get32(header) != MAGIC2 || sum)
            continue;
        *wrong = load2(file, size, at, image);
        return true;
    }
    return false;
}
