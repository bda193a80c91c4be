/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which device sends which vector, as far as that can be read, so that a stray interrupt is reported with its source.
 */
#include "kernel/firmware/pci.h"
#include "kernel/text/text.h"

#define SOURCES_MOST 256

static struct {
    u32 count;
    struct source {
        u8 vector;
        enum interrupt_source_kind kind;
        u16 who;
    } row[SOURCES_MOST];
} sources;

void interrupt_source_add(enum interrupt_source_kind kind, u16 who, u8 vector)
{
    for (unsigned i = 0; i < sources.count; i++)
        if (sources.row[i].vector == vector && sources.row[i].kind == kind && sources.row[i].who == who)
            return;
    if (sources.count < SOURCES_MOST)
        sources.row[sources.count++] = (struct source){vector, kind, who};
}

/* Address: 0FEEH in 31:20, remapping in 4. Data: delivery mode in 10:8, vector in 7:0. */
enum interrupt_message interrupt_message(u32 address, u32 data, u8 *vector)
{
    enum { FIXED, LOWEST_PRIORITY, SMI };
    u32 mode = data >> 8 & 7;
    if (address >> 20 != 0xfee || address >> 4 & 1)
        return MESSAGE_OTHER;
    *vector = (u8)data;
    return mode == SMI ? MESSAGE_SMI : mode == FIXED || mode == LOWEST_PRIORITY ? MESSAGE_VECTOR : MESSAGE_OTHER;
}

static void name(const struct source *source, char *text)
{
    char place[PCI_PLACE];
    switch (source->kind) {
    case SOURCE_PCI:
        format_text(text, INTERRUPT_SOURCE_TEXT, "pci=%s", pci_place_text(source->who, place));
        return;
    case SOURCE_HPET:
        format_text(text, INTERRUPT_SOURCE_TEXT, "hpet=%u", source->who);
        return;
    case SOURCE_8259:
        format_text(text, INTERRUPT_SOURCE_TEXT, "8259=%u", source->who);
        return;
    case SOURCE_APIC:
        format_text(text, INTERRUPT_SOURCE_TEXT, "apic=spurious");
        return;
    }
}

const char *interrupt_source_text(u8 vector, char *text)
{
    u32 found = 0;
    format_text(text, INTERRUPT_SOURCE_TEXT, "source=unknown");
    for (u32 i = 0; i < sources.count; i++)
        if (sources.row[i].vector == vector && !found++)
            name(&sources.row[i], text);
    size_t length = strlen(text);
    if (found > 1)
        format_text(text + length, INTERRUPT_SOURCE_TEXT - length, " others=%u", found - 1);
    return text;
}
