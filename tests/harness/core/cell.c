/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/cell.h"
#include "kernel/text/text.h"

static u32 values(unsigned axes, enum cell_axis axis, u32 n)
{
    return axes & axis ? n : 1;
}

u32 cell_count(unsigned axes, u32 n)
{
    return values(axes, CELL_COUNTERS, n) * values(axes, CELL_RINGS, 2) * values(axes, CELL_DELIVERIES, 2) *
           values(axes, CELL_NEIGHBOURS, 2);
}

static u32 take(u32 *turn, u32 n)
{
    u32 value = *turn % n;
    *turn /= n;
    return value;
}

struct cell cell_of(unsigned axes, const struct counter *list, u32 n, u32 turn)
{
    struct cell cell = {0};
    u32 counter = take(&turn, values(axes, CELL_COUNTERS, n));
    if (axes & CELL_COUNTERS && n)
        cell.counter = list[counter];
    cell.user = take(&turn, values(axes, CELL_RINGS, 2));
    cell.nmi = take(&turn, values(axes, CELL_DELIVERIES, 2));
    cell.alone = take(&turn, values(axes, CELL_NEIGHBOURS, 2));
    return cell;
}

__attribute__((format(printf, 3, 4))) static void add(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    va_list args;
    va_start(args, format);
    format_args(text + length, size - length, format, args);
    va_end(args);
}

static void add_either(char *text, size_t size, const char *axis, const char *const names[2], u8 failed, u8 held)
{
    if (held & ~failed)
        add(text, size, "%s%s:%s", text[0] ? "," : "", axis, names[failed == 2]);
}

static void add_counters(char *text, size_t size, u32 failed)
{
    const char *between = text[0] ? ",counter:" : "counter:";
    for (unsigned bit = 0; bit < 32; bit++) {
        if (!(failed >> bit & 1))
            continue;
        bool fixed = bit >= CELL_FIXED;
        add(text, size, "%s%s%u", between, fixed ? "fixed" : "", fixed ? bit - CELL_FIXED : bit);
        between = "+";
    }
}

const char *cell_text(char *text, size_t size, const struct cell_set *failed, const struct cell_set *held)
{
    static const char *const rings[] = {"0", "3"}, *const deliveries[] = {"fixed", "nmi"},
                             *const others[] = {"on", "off"};
    text[0] = 0;
    if (failed->axes & CELL_RINGS)
        add_either(text, size, "ring", rings, failed->rings, held->rings);
    if (failed->axes & CELL_DELIVERIES)
        add_either(text, size, "delivery", deliveries, failed->deliveries, held->deliveries);
    if (failed->axes & CELL_COUNTERS && held->counters & ~failed->counters)
        add_counters(text, size, failed->counters);
    if (failed->axes & CELL_NEIGHBOURS)
        add_either(text, size, "others", others, failed->neighbours, held->neighbours);
    return text;
}
