/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/firmware/save_pure.h"
#include "kernel/log/ramoops.h"
#include "kernel/text/format.h"
#include "kernel/text/number.h"
#include "kernel/text/string.h"

#define FIRST_MIB 0x100000u
#define PAGE 4096u

static const char *skip(const char *text, const char *word)
{
    size_t length = strlen(word);
    return strncmp(text, word, length) ? NULL : text + length;
}

/* Parses "ADDRESS,SIZE"; NULL if it is malformed, or if ramoops cannot use such an area. */
static const char *parse_area(const char *text, struct save_plan *plan)
{
    u64 size;
    text = number_parse(text, &plan->address);
    if (!text || *text != ',' || !(text = number_parse(text + 1, &size)))
        return NULL;
    if (plan->address % PAGE || size % PAGE || !size || size > RAMOOPS_MOST)
        return NULL;
    plan->size = (u32)size;
    return text;
}

bool save_parse(const char *text, struct save_plan *plan, char *error)
{
    *plan = (struct save_plan){0};
    for (const char *at = text, *end;; at = end + 1) {
        const char *area = skip(at, "ramoops:");
        end = area ? parse_area(area, plan) : skip(at, "efi");
        if (!end || (*end && *end != '+')) {
            format_text(error, SAVE_ERROR_SIZE,
                        "save=%.40s: it is efi, or ramoops:ADDRESS,SIZE in whole pages of 4096 bytes, 1 to %u, or both "
                        "with a +",
                        text, RAMOOPS_MOST / PAGE);
            return false;
        }
        plan->efi |= !area;
        if (!*end)
            return true;
    }
}

static bool overlaps(u64 base, u64 end, u64 other, u64 other_end)
{
    return base < other_end && other < end;
}

const char *save_area_refusal(const struct boot_info *boot, u64 address, u64 size, u64 image_start, u64 image_end)
{
    u64 end = address + size;
    bool within = false;
    if (address < FIRST_MIB || end < address)
        return "firmware and loaders use the first MiB";
    for (unsigned i = 0; i < boot->regions; i++) {
        const struct boot_region *region = &boot->region[i];
        if (region->type == BOOT_REGION_AVAILABLE)
            within |= address >= region->base && end <= region->base + region->length;
        else if (overlaps(address, end, region->base, region->base + region->length))
            return "the memory map says that it is reserved";
    }
    if (!within)
        return "the memory map does not say that it is free memory in one piece";
    if (overlaps(address, end, image_start, image_end))
        return "the image itself lies there";
    if (overlaps(address, end, boot->information, boot->information + boot->information_size))
        return "the loader's information lies there";
    for (unsigned i = 0; i < boot->modules; i++)
        if (overlaps(address, end, boot->module[i].start, boot->module[i].end))
            return "a module lies there";
    return NULL;
}
