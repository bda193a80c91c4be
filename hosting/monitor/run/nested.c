/* SPDX-License-Identifier: BSD-2-Clause */
/* AMD64 Architecture Programmer's Manual 2, "Nested Paging": four levels, as in the guest's own tables. */
#include "hosting/monitor/run/nested.h"
#include "kernel/core/memory.h"
#include "kernel/text/text.h"

#define ENTRY_LARGE BIT(7)
#define ADDRESS MASK(51, 12)
#define LARGE (1ull << NESTED_LARGE_SHIFT)
#define GIB 30
#define LOW_GIBS 4
#define LIMIT ((u64)LOW_GIBS << GIB)
#define ENTRIES 512u
#define SMALL_TABLES 6 /* two for each hidden piece, of which there are few */

/* Tables of the first set: of level 4, of level 3, of level 2 for each GiB, and of level 1 around the APIC's page. */
enum { LEVEL4, LEVEL3, LEVEL2, LEVEL1 = LEVEL2 + LOW_GIBS, TABLES };
/* The hiding set: small pages where a piece begins or ends, a table that maps the page of ones, and that page. */
enum { SMALL = LEVEL2 + LOW_GIBS, ONES_TABLE = SMALL + SMALL_TABLES, ONES, HIDING_TABLES };

static u64 *table(u64 *tables, unsigned number)
{
    return tables + ENTRIES * number;
}

/* The upper levels, which are alike in both sets. */
static void fill_upper(u64 *tables)
{
    u64 *level3 = table(tables, LEVEL3);
    tables[0] = (u64)level3 | NESTED_ALL;
    for (u64 gib = 0; gib < ENTRIES; gib++)
        level3[gib] = gib < LOW_GIBS ? (u64)table(tables, LEVEL2 + (unsigned)gib) | NESTED_ALL
                                     : gib << GIB | NESTED_ALL | ENTRY_LARGE;
}

/* Maps a large page's region by small pages. */
static void fill_small(u64 *level1, u64 region)
{
    for (u64 i = 0; i < ENTRIES; i++)
        level1[i] = ((region << NESTED_LARGE_SHIFT) + i * PAGE_SIZE) | NESTED_ALL;
}

u64 *nested_create(struct vcpu *v, u64 apic)
{
    u64 *tables = pages_alloc(TABLES), region = apic >> NESTED_LARGE_SHIFT;
    if (!tables)
        return NULL;
    fill_upper(tables);
    u64 *level1 = table(tables, LEVEL1), *level2 = table(tables, LEVEL2);
    for (u64 i = 0; i < ENTRIES * LOW_GIBS; i++)
        level2[i] = i << NESTED_LARGE_SHIFT | NESTED_ALL | ENTRY_LARGE;
    level2[region] = (u64)level1 | NESTED_ALL;
    fill_small(level1, region);
    v->nested.tables = tables;
    v->vmcb->nested_paging = 1;
    nested_choose(v, false);
    return &level1[apic / PAGE_SIZE % ENTRIES];
}

bool nested_create_hiding(struct vcpu *v)
{
    if (!v->nested.tables)
        return true; /* no local APIC, and no nested paging */
    u64 *hiding = pages_alloc(HIDING_TABLES);
    if (!hiding)
        return false;
    fill_upper(hiding);
    memcpy(table(hiding, LEVEL2), table(v->nested.tables, LEVEL2), LOW_GIBS * PAGE_SIZE);
    memset(table(hiding, ONES), 0xff, PAGE_SIZE);
    for (unsigned i = 0; i < ENTRIES; i++)
        table(hiding, ONES_TABLE)[i] = (u64)table(hiding, ONES) | NESTED_READ;
    v->nested.hiding = hiding;
    return true;
}

/* Replaces a large page by small ones; NULL: no table is left. */
static u64 *split(struct vcpu *v, u64 region)
{
    u64 *entry = &table(v->nested.hiding, LEVEL2)[region];
    if (!(*entry & ENTRY_LARGE))
        return (u64 *)(*entry & ADDRESS);
    if (v->nested.small == SMALL_TABLES)
        return NULL;
    u64 *level1 = table(v->nested.hiding, SMALL + v->nested.small++);
    fill_small(level1, region);
    *entry = (u64)level1 | NESTED_ALL;
    return level1;
}

static void hide_small(struct vcpu *v, u64 base, u64 end)
{
    u64 *level1 = split(v, base >> NESTED_LARGE_SHIFT);
    for (u64 at = base; level1 && at < end; at += PAGE_SIZE)
        level1[at / PAGE_SIZE % ENTRIES] = 0;
}

void nested_hide(struct vcpu *v, u64 base, u64 end)
{
    if (!v->nested.hiding)
        return;
    for (u64 at = base, next; at < end && at < LIMIT; at = next) {
        u64 behind = (at & ~(LARGE - 1)) + LARGE;
        next = behind < end ? behind : end;
        if (next - at == LARGE)
            table(v->nested.hiding, LEVEL2)[at >> NESTED_LARGE_SHIFT] = 0;
        else
            hide_small(v, at, next);
    }
}

void nested_show_ones(struct vcpu *v, u64 physical)
{
    u64 *hiding = v->nested.hiding, *entry = &table(hiding, LEVEL2)[physical >> NESTED_LARGE_SHIFT];
    if (!*entry) {
        *entry = (u64)table(hiding, ONES_TABLE) | NESTED_ALL;
        return;
    }
    u64 *level1 = (u64 *)(*entry & ADDRESS);
    for (unsigned i = 0; i < ENTRIES; i++)
        level1[i] = level1[i] ? level1[i] : (u64)table(hiding, ONES) | NESTED_READ;
}

void nested_choose(struct vcpu *v, bool hiding)
{
    v->vmcb->nested_cr3 = (u64)(hiding && v->nested.hiding ? v->nested.hiding : v->nested.tables);
}
