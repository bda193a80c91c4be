/* SPDX-License-Identifier: BSD-2-Clause */
/* Page tables: 4 KiB and 2 MiB pages, identity-mapped, write xor execute. */
#include "boot/cpu.h"
#include "kernel/core/memory.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/instructions.h"

#define ENTRY_PRESENT BIT(0)
#define ENTRY_WRITE BIT(1)
#define ENTRY_USER BIT(2)
#define ENTRY_PWT BIT(3)
#define ENTRY_PCD BIT(4)
#define ENTRY_LARGE BIT(7)
#define ENTRY_NX BIT(63)
#define ENTRY_ADDRESS MASK(51, 12)
#define LARGE (2ul << 20)
#define SMALL 4096ul

/* Until the real tables exist, those of boot/entry.asm are in use: large pages for 4 GiB, small ones for the first 2
 * MiB. A range that is added to them spans at most two tables of each of the next levels. */
#define EARLY_TABLES 4
#define EARLY_MOST (1ul << 30)

extern u64 boot_pml4[]; /* boot/entry.asm */

static void *early_table(u64 count)
{
    static u64 tables[EARLY_TABLES][512] __attribute__((aligned(SMALL)));
    static unsigned used;
    (void)count; /* callers ask for one page at a time */
    return used < EARLY_TABLES ? tables[used++] : NULL;
}

#define ROOT_HIGH (PAGING_HIGH >> 39 & 511)

static u64 *root = boot_pml4;
static void *(*allocate_pages)(u64 count) = early_table;
static bool no_execute;

bool paging_no_execute(void)
{
    return no_execute;
}

u64 paging_root(void)
{
    return (u64)root;
}

bool paging_early(void)
{
    return root == boot_pml4;
}

static u64 entry_flags(unsigned rights)
{
    u64 flags = ENTRY_PRESENT;
    if (rights & PAGE_WRITE)
        flags |= ENTRY_WRITE;
    if (rights & PAGE_USER)
        flags |= ENTRY_USER;
    if (rights & PAGE_UNCACHED)
        flags |= ENTRY_PCD | ENTRY_PWT;
    if (rights & PAGE_COMBINING)
        flags |= ENTRY_PWT;
    if (!(rights & PAGE_EXECUTE) && no_execute)
        flags |= ENTRY_NX;
    return flags;
}

/* Replaces a 2 MiB page by 512 small ones with the same rights, so that one of them can differ. */
static void split(u64 *entry)
{
    u64 *table = allocate_pages(1);
    u64 flags = *entry & ~(ENTRY_ADDRESS | ENTRY_LARGE);
    u64 base = *entry & ENTRY_ADDRESS;
    for (unsigned i = 0; i < 512; i++)
        table[i] = (base + i * SMALL) | flags;
    *entry = (u64)table | ENTRY_PRESENT | ENTRY_WRITE | ENTRY_USER;
}

static u64 *step_down(u64 *entry)
{
    if (!(*entry & ENTRY_PRESENT))
        *entry = (u64)allocate_pages(1) | ENTRY_PRESENT | ENTRY_WRITE | ENTRY_USER;
    else if (*entry & ENTRY_LARGE)
        split(entry);
    return (u64 *)(*entry & ENTRY_ADDRESS);
}

void paging_init(void *(*allocate)(u64 count))
{
    allocate_pages = allocate;
    no_execute = cpuid_has(CPUID_NX);
    root = allocate(1);
    step_down(&root[0]);
    root[ROOT_HIGH] = root[0];
}

/* The entry for `address`: level 1 for a small page, 2 for a large one. Missing upper levels are created. */
static u64 *entry_of(u64 address, int level)
{
    u64 *table = root;
    for (int at = 4; at > level; at--)
        table = step_down(&table[address >> (12 + 9 * (at - 1)) & 511]);
    return &table[address >> (12 + 9 * (level - 1)) & 511];
}

void paging_map(u64 base, u64 length, unsigned rights)
{
    u64 at = base & ~(SMALL - 1), end = (base + length + SMALL - 1) & ~(SMALL - 1);
    u64 flags = entry_flags(rights);
    while (at < end) {
        bool large = !(at & (LARGE - 1)) && end - at >= LARGE;
        u64 *entry = entry_of(at, large ? 2 : 1);
        if (large && (*entry & ENTRY_PRESENT) && !(*entry & ENTRY_LARGE))
            large = false; /* small pages are already there: keep their table */
        if (!large)
            entry = entry_of(at, 1);
        *entry = at | flags | (large ? ENTRY_LARGE : 0);
        invalidate_page(at);
        at += large ? LARGE : SMALL;
    }
}

void paging_unmap(u64 page)
{
    *entry_of(page, 1) = 0;
    invalidate_page(page);
}

/* The entry that maps `address`, with a small or a large page; 0 if it is not mapped. */
static u64 mapping_of(u64 address)
{
    const u64 *table = root;
    for (int at = 4; at >= 1; at--) {
        u64 entry = table[address >> (12 + 9 * (at - 1)) & 511];
        if (!(entry & ENTRY_PRESENT))
            return 0;
        if (at == 1 || entry & ENTRY_LARGE)
            return entry;
        table = (const u64 *)(entry & ENTRY_ADDRESS);
    }
    return 0;
}

bool paging_map_early(u64 base, u64 length)
{
    u64 first = base & ~(LARGE - 1), end = (base + length + LARGE - 1) & ~(LARGE - 1);
    if (base < LARGE || length > EARLY_MOST - LARGE) /* in the small pages: no framebuffer; or too many tables */
        return false;
    no_execute = cpuid_has(CPUID_NX);
    paging_map(first, end - first, PAGE_WRITE | PAGE_COMBINING);
    return true;
}

bool paging_mapped(u64 address)
{
    return mapping_of(address);
}

bool paging_uncached(u64 address)
{
    return mapping_of(address) & ENTRY_PCD;
}
