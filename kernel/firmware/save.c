/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/firmware/save.h"
#include "kernel/core/memory.h"
#include "kernel/core/option.h"
#include "kernel/log/kept.h"
#include "kernel/log/log.h"
#include "kernel/register/instructions.h"
#include "kernel/text/text.h"

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

OPTION(save, .kind = OPTION_TEXT, .argument = "efi|ramoops:ADDRESS,SIZE",
       .help =
           "keep the results in a variable of UEFI, or the log in memory where Linux's ramoops finds it after a warm "
           "reset, or both with a +");

#define CACHE_LINE 64

extern u8 image_start[], image_end[];

static struct {
    struct save_plan plan;
    struct ramoops *zone; /* NULL: the log is not stored */
    const char *refusal;
    bool planned;
} save;

/* A reset discards the content of the caches. */
static void flush(const void *from, size_t length)
{
    for (u64 at = (u64)from & ~(CACHE_LINE - 1ul); at < (u64)from + length; at += CACHE_LINE)
        flush_line((void *)at);
}

static void keep(const char *text, size_t length)
{
    if (!save.zone)
        return;
    u32 changed = ramoops_add(save.zone, save.plan.size, text, length);
    flush(save.zone->text + changed, save.zone->size - changed);
    flush(save.zone, sizeof(*save.zone));
}

const char *save_plan(const struct boot_info *boot)
{
    static char error[SAVE_ERROR_SIZE];
    if (!option_save.given || save.planned)
        return NULL;
    save.planned = true;
    if (!save_parse(option_save.text, &save.plan, error))
        return error;
    if (!save.plan.size)
        return NULL;
    save.refusal = save_area_refusal(boot, save.plan.address, save.plan.size, (u64)image_start, (u64)image_end);
    if (memory_total())
        save.refusal = "the option came after memory had been allocated";
    if (!save.refusal && !memory_set_aside(save.plan.address, save.plan.size))
        save.refusal = "the log for the next start lies there already";
    return NULL;
}

bool save_wants_efi(void)
{
    return save.plan.efi;
}

void save_start(void)
{
    static struct sink sink = {.name = "save", .write = keep};
    if (!save.plan.size || save.refusal)
        return;
    save.zone = memory_aside();
    if (!save.zone) {
        save.refusal = "there is no working memory at that address";
        return;
    }
    ramoops_begin(save.zone);
    flush(save.zone, sizeof(*save.zone));
    log_add_sink(&sink);
}

void save_print(void)
{
    if (!save.plan.size)
        return;
    if (save.refusal) {
        log_line("# save to=ramoops address=0x%lx size=%u state=refused reason=\"%s\"",
                 (unsigned long)save.plan.address, save.plan.size, save.refusal);
        log_finding("save=ramoops refused: %s", save.refusal);
    } else {
        log_line("# save to=ramoops address=0x%lx size=%u state=kept", (unsigned long)save.plan.address,
                 save.plan.size);
    }
}

void save_stop(void)
{
    save.zone = NULL;
}
