/* SPDX-License-Identifier: BSD-2-Clause */
/* Bit matrices: the effect of a write on each bit of a register. A family's line becomes a row for each register. */
#include "tools/pmucheck/compare/sheet.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const behaviours[] = {"kept", "dropped", "fault", "untried", "unstable"};
#define BEHAVIOURS (sizeof(behaviours) / sizeof(behaviours[0]))

static bool is_behaviour(const char *name)
{
    for (size_t i = 0; i < BEHAVIOURS; i++)
        if (strcmp(name, behaviours[i]) == 0)
            return true;
    return false;
}

static void fill_register(struct sheet *sheet, const char *name, const struct log_record *r)
{
    for (size_t i = 0; i < BEHAVIOURS; i++) {
        uint64_t mask;
        char text[FACTS_BITS];
        if (log_number(r, behaviours[i], &mask) && mask)
            sheet_put(sheet, SHEET_BITS, name, behaviours[i], facts_bits(mask, text));
    }
}

/* The number at the end of a name; *length is the length of the rest. */
static bool trailing_number(const char *name, size_t whole, size_t *length, unsigned *number)
{
    *length = whole;
    while (*length > 0 && isdigit((unsigned char)name[*length - 1]))
        --*length;
    *number = (unsigned)strtoul(name + *length, NULL, 10);
    return *length < whole;
}

void sheet_fill_bits(struct sheet *sheet, const struct sheet_source *from, const struct log_record *r)
{
    const char *reg = log_value(r, "reg"), *dots = reg ? strstr(reg, "..") : NULL;
    size_t length, other;
    unsigned first, last;
    if (!reg)
        return;
    if (dots && trailing_number(reg, (size_t)(dots - reg), &length, &first) &&
        trailing_number(dots + 2, strlen(dots + 2), &other, &last) && last >= first && last - first < 64) {
        for (unsigned n = first; n <= last; n++)
            fill_register(sheet, arena_print(from->arena, "%.*s%u", (int)length, reg, n), r);
        return;
    }
    fill_register(sheet, reg, r);
}

/* ---- Single bits */

static bool has_bit(const char *text, unsigned bit)
{
    while (text && *text) {
        char *end;
        unsigned high = (unsigned)strtoul(text, &end, 10), low = high;
        if (*end == ':')
            low = (unsigned)strtoul(end + 1, &end, 10);
        if (bit <= high && bit >= low)
            return true;
        text = end + (*end != 0);
        if (end == text)
            return false;
    }
    return false;
}

/* The behaviours of a register's bit in the variants of its group. */
struct manners {
    struct sheet_group *group;
    const struct sheet_row *row[BEHAVIOURS]; /* NULL: no column has such a bit */
    bool all;                                /* all columns have this register */
    const char **said;                       /* the bit's behaviour in each variant; NULL: none */
    const char **said_below;                 /* the same for the next lower bit */
};

static const char *behaviour_of(const struct sheet *sheet, const struct manners *manners, unsigned variant,
                                unsigned bit)
{
    for (size_t i = 0; i < BEHAVIOURS; i++) {
        const struct sheet_row *row = manners->row[i];
        if (row && has_bit(sheet_text_of(sheet, sheet_variant_text(row, variant)), bit))
            return behaviours[i];
    }
    return NULL;
}

/* Reads a bit's behaviour in each variant; returns false if all columns have the same. */
static bool read_bit(const struct sheet *sheet, const struct manners *manners, unsigned bit, const char **said)
{
    bool differs = false;
    unsigned first = manners->all ? 1 : 0;
    for (unsigned i = 0; i < manners->group->variants.keys.count; i++) {
        said[i] = behaviour_of(sheet, manners, i, bit);
        differs |= i > first && said[i] != said[first];
    }
    return differs;
}

static void add_bits(struct sheet *sheet, const struct manners *manners, unsigned high, unsigned low)
{
    char name[32];
    if (high == low)
        snprintf(name, sizeof(name), "bit %u", high);
    else
        snprintf(name, sizeof(name), "bits %u:%u", high, low);
    for (unsigned i = 0; i < manners->group->variants.keys.count; i++)
        manners->said[i] = manners->said[i] ? manners->said[i] : SHEET_UNTOLD;
    sheet_add_row(sheet, manners->group, name, manners->said);
}

static void find_rows(struct sheet *sheet, struct manners *manners)
{
    for (size_t i = 0; i < BEHAVIOURS; i++)
        manners->row[i] = sheet_find(sheet, SHEET_BITS, manners->group->name, behaviours[i]);
}

/* Neighbouring bits with the same behaviours are one row. */
static void split_register(struct sheet *sheet, struct manners *manners)
{
    unsigned first = manners->all ? 1 : 0;
    size_t size = (manners->group->variants.keys.count - first) * sizeof(char *);
    for (int high = 63, low; high >= 0; high = low - 1) {
        low = high;
        find_rows(sheet, manners); /* adding a row may move them */
        if (!read_bit(sheet, manners, (unsigned)high, manners->said))
            continue;
        while (low > 0 && read_bit(sheet, manners, (unsigned)low - 1, manners->said_below) &&
               memcmp(manners->said + first, manners->said_below + first, size) == 0)
            low--;
        add_bits(sheet, manners, (unsigned)high, (unsigned)low);
    }
}

bool sheet_is_range(const struct sheet_row *row)
{
    return row->section == SHEET_BITS && is_behaviour(row->name);
}

static bool all_tell(const struct sheet *sheet, const struct sheet_group *group)
{
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        const unsigned *block = c / SHEET_BLOCK < group->blocks.count ? group->blocks.item[c / SHEET_BLOCK] : NULL;
        if (!block || !block[c % SHEET_BLOCK])
            return false;
    }
    return true;
}

void sheet_split_bits(struct sheet *sheet)
{
    unsigned count = sheet->groups.count;
    for (unsigned i = 0; i < count; i++) {
        struct sheet_group *group = sheet->groups.item[i];
        struct arena arena = {0};
        struct manners manners = {.group = group, .all = all_tell(sheet, group)};
        manners.said = arena_alloc(&arena, group->variants.keys.count * sizeof(char *));
        manners.said_below = arena_alloc(&arena, group->variants.keys.count * sizeof(char *));
        if (group->section == SHEET_BITS)
            split_register(sheet, &manners);
        arena_free(&arena);
    }
}

/* ---- Families */

/* The number of rows of the group that begins here. */
static unsigned group_size(const struct sheet *sheet, unsigned first)
{
    unsigned count = 0;
    while (first + count < sheet->rows.count && sheet->rows.item[first + count].section == SHEET_BITS &&
           strcmp(sheet->rows.item[first + count].group, sheet->rows.item[first].group) == 0)
        count++;
    return count;
}

static bool same_rows(const struct sheet *sheet, const struct sheet_row *a, const struct sheet_row *b)
{
    if (strcmp(a->name, b->name) != 0)
        return false;
    for (unsigned c = 0; c < sheet->columns.count; c++)
        if (sheet_number(a, c) != sheet_number(b, c))
            return false;
    return true;
}

/* Is the second group the next register, with the same values? `last`: the last register of the first group. */
static bool continues(const struct sheet *sheet, unsigned first, unsigned second, unsigned rows, const char *last)
{
    const char *name = sheet->rows.item[second].group;
    size_t stem, other;
    unsigned n, m;
    if (group_size(sheet, second) != rows || !trailing_number(last, strlen(last), &stem, &n) ||
        !trailing_number(name, strlen(name), &other, &m) || stem != other || m != n + 1 ||
        strncmp(last, name, stem) != 0)
        return false;
    for (unsigned i = 0; i < rows; i++)
        if (!same_rows(sheet, &sheet->rows.item[first + i], &sheet->rows.item[second + i]))
            return false;
    return true;
}

void sheet_fold_families(struct sheet *sheet)
{
    unsigned kept = 0;
    for (unsigned at = 0, rows; at < sheet->rows.count; at += rows) {
        rows = group_size(sheet, at);
        if (rows == 0) {
            sheet->rows.item[kept++] = sheet->rows.item[at];
            rows = 1;
            continue;
        }
        const char *first = sheet->rows.item[at].group, *last = first;
        unsigned begin = at, next = at + rows;
        for (; next < sheet->rows.count && continues(sheet, begin, next, rows, last); next += rows)
            last = sheet->rows.item[next].group;
        for (unsigned i = 0; i < rows; i++) {
            sheet->rows.item[kept] = sheet->rows.item[begin + i];
            if (last != first)
                sheet->rows.item[kept].group = arena_print(&sheet->arena, "%s..%s", first, last);
            kept++;
        }
        rows = next - at;
    }
    sheet->rows.count = kept;
}
