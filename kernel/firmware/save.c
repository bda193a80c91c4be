/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/firmware/save.h"
#include "kernel/core/memory.h"
#include "kernel/core/option.h"
#include "kernel/firmware/save_pure.h"
#include "kernel/log/log.h"
#include "kernel/log/ramoops.h"
#include "kernel/register/instructions.h"

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
