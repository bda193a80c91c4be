/* SPDX-License-Identifier: BSD-2-Clause */
/* Multiboot Specification, "Boot information format", and Multiboot2 Specification, the chapter of the same name. */
#include "hosting/image/information.h"
#include "boot/bytes.h"
#include "kernel/text/text.h"

static const char loader_name[] = "pmucheck";

/* A position in the boot information. Once something does not fit, nothing more is written. */
struct writer {
    u8 *to;
    u64 at;
    bool full;
};

static void put_bytes(struct writer *w, const void *bytes, u64 size)
{
    w->full |= size > GUEST_INFORMATION_SIZE - w->at;
    if (w->full)
        return;
    memcpy(w->to + w->at, bytes, size);
    w->at += size;
}

static void put(struct writer *w, u64 value, unsigned count)
{
    u8 bytes[8];
    bytes_put(bytes, value, count);
    put_bytes(w, bytes, count);
}

static void align(struct writer *w, u64 to)
{
    while (w->at % to && !w->full)
        put(w, 0, 1);
}

/* Returns the offset of the text. */
static u64 put_text(struct writer *w, const char *text)
{
    u64 at = w->at;
    put_bytes(w, text, strlen(text) + 1);
    return at;
}

/* ---- Multiboot */

#define INFORMATION1_SIZE 120
#define HAS_MEMORY BIT(0)
#define HAS_COMMAND_LINE BIT(2)
#define HAS_MODULES BIT(3)
#define HAS_MAP BIT(6)
#define HAS_LOADER BIT(9)

static u64 put_modules1(struct writer *w, u64 address, const struct guest_offer *offer)
{
    u64 text[GUEST_TAKEN] = {0};
    for (unsigned i = 0; i < offer->modules; i++)
        text[i] = put_text(w, offer->module[i].command_line);
    align(w, 4);
    u64 at = w->at;
    for (unsigned i = 0; i < offer->modules; i++) {
        put(w, offer->module[i].start, 4);
        put(w, offer->module[i].end, 4);
        put(w, address + text[i], 4);
        put(w, 0, 4);
    }
    return at;
}

static u64 put_map1(struct writer *w, const struct guest_map *map)
{
    u64 at = w->at;
    for (unsigned i = 0; i < map->regions; i++) {
        put(w, 20, 4); /* size of the rest of the entry */
        put(w, map->region[i].base, 8);
        put(w, map->region[i].length, 8);
        put(w, map->region[i].type, 4);
    }
    return at;
}

u64 guest_information1(u8 *to, u64 address, const struct guest_offer *offer)
{
    struct writer w = {.to = to, .at = INFORMATION1_SIZE};
    u64 command_line = put_text(&w, offer->command_line), loader = put_text(&w, loader_name);
    u64 modules = put_modules1(&w, address, offer), map = put_map1(&w, offer->map);
    bytes_put(to, HAS_MEMORY | HAS_COMMAND_LINE | HAS_MODULES | HAS_MAP | HAS_LOADER, 4);
    bytes_put(to + 4, guest_map_lower(offer->map), 4);
    bytes_put(to + 8, guest_map_upper(offer->map), 4);
    bytes_put(to + 16, address + command_line, 4);
    bytes_put(to + 20, offer->modules, 4);
    bytes_put(to + 24, address + modules, 4);
    bytes_put(to + 44, w.at - map, 4);
    bytes_put(to + 48, address + map, 4);
    bytes_put(to + 64, address + loader, 4);
    return w.full ? 0 : w.at;
}

/* ---- Multiboot2 */

enum tag {
    TAG_END,
    TAG_COMMAND_LINE,
    TAG_LOADER,
    TAG_MODULE,
    TAG_MEMORY,
    TAG_MAP = 6,
    TAG_RSDP_OLD = 14,
    TAG_RSDP_NEW
};
#define RSDP_OLD_SIZE 20

static void put_tag(struct writer *w, enum tag tag, u64 content)
{
    align(w, 8);
    put(w, tag, 4);
    put(w, 8 + content, 4);
}

static void put_text_tag(struct writer *w, enum tag tag, const char *text)
{
    put_tag(w, tag, strlen(text) + 1);
    put_text(w, text);
}

static void put_modules2(struct writer *w, const struct guest_offer *offer)
{
    for (unsigned i = 0; i < offer->modules; i++) {
        put_tag(w, TAG_MODULE, 8 + strlen(offer->module[i].command_line) + 1);
        put(w, offer->module[i].start, 4);
        put(w, offer->module[i].end, 4);
        put_text(w, offer->module[i].command_line);
    }
}

static void put_map2(struct writer *w, const struct guest_map *map)
{
    put_tag(w, TAG_MAP, 8 + 24 * map->regions);
    put(w, 24, 4); /* size of an entry, then its version */
    put(w, 0, 4);
    for (unsigned i = 0; i < map->regions; i++) {
        put(w, map->region[i].base, 8);
        put(w, map->region[i].length, 8);
        put(w, map->region[i].type, 8);
    }
}

u64 guest_information2(u8 *to, u64 address, const struct guest_offer *offer)
{
    struct writer w = {.to = to, .at = 8};
    (void)address; /* it contains no addresses */
    put_text_tag(&w, TAG_COMMAND_LINE, offer->command_line);
    put_text_tag(&w, TAG_LOADER, loader_name);
    put_modules2(&w, offer);
    put_tag(&w, TAG_MEMORY, 8);
    put(&w, guest_map_lower(offer->map), 4);
    put(&w, guest_map_upper(offer->map), 4);
    put_map2(&w, offer->map);
    if (offer->rsdp_size) {
        put_tag(&w, offer->rsdp_size > RSDP_OLD_SIZE ? TAG_RSDP_NEW : TAG_RSDP_OLD, offer->rsdp_size);
        put_bytes(&w, offer->rsdp, offer->rsdp_size);
    }
    put_tag(&w, TAG_END, 0);
    bytes_put(to, w.at, 4);
    return w.full ? 0 : w.at;
}
