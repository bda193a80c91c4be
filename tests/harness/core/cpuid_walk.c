/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/cpuid_walk.h"

#define SUBLEAVES_MOST 64
#define BASIC_MOST 0x40
#define HYPERVISOR_FIRST 0x40000000u
#define EXTENDED_FIRST 0x80000000u

/* How the number of a leaf's sub-leaves is enumerated. */
enum subleaves {
    NO_SUBLEAVES,
    UNTIL_TYPE,  /* EAX[4:0] is 0 after the last: cache parameters */
    UNTIL_LEVEL, /* ECX[15:8] is 0 after the last: topology */
    MAXIMUM,     /* EAX of sub-leaf 0 */
    NAMED,       /* sub-leaves whose bit is set in EAX of sub-leaf 0: the PMU */
    BITMAP,      /* sub-leaves from 2 on exist if EDX:EAX of sub-leaf 0 or 1 has their bit: state components */
    FOUR,
};

static const struct {
    u32 leaf;
    enum subleaves subleaves;
} leaves[] = {
    {0x04, UNTIL_TYPE}, {0x07, MAXIMUM}, {0x0b, UNTIL_LEVEL}, {0x0d, BITMAP},
    {0x0f, FOUR},       {0x10, FOUR},    {0x12, FOUR},        {0x14, MAXIMUM},
    {0x17, MAXIMUM},    {0x18, MAXIMUM}, {0x1d, MAXIMUM},     {0x1f, UNTIL_LEVEL},
    {0x20, MAXIMUM},    {0x23, NAMED},   {0x24, MAXIMUM},     {0x8000001d, UNTIL_TYPE},
};

struct walk {
    cpuid_function ask;
    struct cpuid_entry *entries;
    unsigned count, most;
};

static const u32 *add(struct walk *walk, u32 leaf, u32 subleaf)
{
    static const u32 none[4];
    if (walk->count == walk->most)
        return none;
    struct cpuid_entry *entry = &walk->entries[walk->count++];
    entry->leaf = leaf;
    entry->subleaf = subleaf;
    walk->ask(leaf, subleaf, entry->value);
    return entry->value;
}

static enum subleaves subleaves_of(u32 leaf)
{
    for_each_row (leaves, row)
        if (row->leaf == leaf)
            return row->subleaves;
    return NO_SUBLEAVES;
}

static bool another(enum subleaves how, u32 subleaf, const u32 first[4], const u32 last[4])
{
    switch (how) {
    case UNTIL_TYPE:
        return last[0] & 0x1f;
    case UNTIL_LEVEL:
        return last[2] & 0xff00;
    case MAXIMUM:
        return subleaf <= first[0];
    case FOUR:
        return subleaf < 4;
    default:
        return false;
    }
}

static void add_components(struct walk *walk, u32 leaf, const u32 user[4])
{
    const u32 *supervisor = add(walk, leaf, 1);
    u64 present = (u64)(user[3] | supervisor[3]) << 32 | user[0] | supervisor[2];
    for (u32 i = 2; i < 63; i++)
        if (present >> i & 1)
            add(walk, leaf, i);
}

static void add_named(struct walk *walk, u32 leaf, const u32 first[4])
{
    for (u32 subleaf = 1; subleaf < 32; subleaf++)
        if (first[0] >> subleaf & 1)
            add(walk, leaf, subleaf);
}

static void add_leaf(struct walk *walk, u32 leaf)
{
    enum subleaves how = subleaves_of(leaf);
    const u32 *first = add(walk, leaf, 0), *last = first;
    if (how == BITMAP) {
        add_components(walk, leaf, first);
        return;
    }
    if (how == NAMED)
        add_named(walk, leaf, first);
    for (u32 subleaf = 1; subleaf < SUBLEAVES_MOST && another(how, subleaf, first, last); subleaf++)
        last = add(walk, leaf, subleaf);
}

static void add_range(struct walk *walk, u32 first, u32 most)
{
    u32 value[4];
    walk->ask(first, 0, value);
    u32 last = value[0];
    if (last < first || last - first >= most)
        last = first + (last < first ? 0 : most - 1);
    for (u32 leaf = first; leaf <= last; leaf++)
        add_leaf(walk, leaf);
}

unsigned cpuid_walk(cpuid_function ask, struct cpuid_entry *entries, unsigned most)
{
    struct walk walk = {.ask = ask, .entries = entries, .most = most};
    u32 value[4];
    add_range(&walk, 0, BASIC_MOST);
    ask(1, 0, value);
    if (value[2] >> 31)
        add_range(&walk, HYPERVISOR_FIRST, 16);
    ask(EXTENDED_FIRST, 0, value);
    if (value[0] >= EXTENDED_FIRST)
        add_range(&walk, EXTENDED_FIRST, BASIC_MOST);
    return walk.count;
}
