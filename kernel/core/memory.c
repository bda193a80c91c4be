/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/core/memory.h"
#include "boot/boot_info.h"
#include "kernel/core/image.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/instructions.h"
#include "kernel/text/text.h"

/* Page tables, stacks and data all lie below 4 GiB: the first tables reach that far, and 32-bit code can address them.
 * Above this limit are I/O APICs, HPET, local APICs and ROM, whatever the firmware's map and tables say. */
#define LIMIT 0xfec00000ull
#define REGISTERS_END (4ull << 30)
/* The kept block is placed only in regions at least this large. */
#define KEPT_PAGES (MEMORY_KEPT + PAGE_SIZE) /* the last page shows whether there is memory */
#define KEPT_REGION (16ul << 20)
#define FIRST_MIB (1ul << 20)

extern u8 image_start[], image_end[], user_text_start[], user_text_end[], rodata_start[], data_start[];
extern u8 user_data_start[], user_data_end[];

struct range {
    u64 at, end;
};
#define CUTS 16 /* image, modules and so on cut some regions in two */
static struct range free_ranges[BOOT_REGIONS + CUTS];
static unsigned free_count;
static u64 total, used_start, used_end, missing;
static bool downward; /* an image that moved to the top allocates downwards from its own start */
static u32 low_page;
static struct range kept_block, aside;
static bool locked;

static u64 page_up(u64 address)
{
    return (address + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
}

static bool overlaps(u64 base, u64 end, u64 other, u64 other_end)
{
    return base < other_end && other < end;
}

/* Where the obstacle in [base, end) ends: image, loader's information, module or kept memory; 0 if there is none. */
static u64 obstacle(const struct boot_info *boot, u64 base, u64 end)
{
    if (overlaps(base, end, (u64)image_start, (u64)image_end))
        return (u64)image_end;
    if (overlaps(base, end, boot->information, boot->information + boot->information_size))
        return page_up(boot->information + boot->information_size);
    if (kept_block.end && overlaps(base, end, kept_block.at, kept_block.end))
        return kept_block.end;
    if (aside.end && overlaps(base, end, aside.at, aside.end))
        return page_up(aside.end);
    for (unsigned i = 0; i < boot->modules; i++)
        if (overlaps(base, end, boot->module[i].start, boot->module[i].end))
            return page_up(boot->module[i].end);
    return 0;
}

static void add_range(u64 base, u64 end)
{
    if (base < end && free_count < ARRAY_SIZE(free_ranges))
        free_ranges[free_count++] = (struct range){base, end};
}

/* Adds the free parts of [base, end): checks each page and leaves out the obstacles. */
static void add_free(const struct boot_info *boot, u64 base, u64 end)
{
    u64 start = base;
    for (u64 page = base; page + PAGE_SIZE <= end;) {
        u64 behind = obstacle(boot, page, page + PAGE_SIZE);
        if (!behind) {
            page += PAGE_SIZE;
            continue;
        }
        add_range(start, page);
        page = start = behind;
    }
    add_range(start, end);
}

static void add_region(const struct boot_info *boot, const struct boot_region *region)
{
    u64 base = page_up(region->base), end = (region->base + region->length) & ~(PAGE_SIZE - 1);
    if (region->type != BOOT_REGION_AVAILABLE || region->base + region->length < region->base)
        return;
    total += region->length;
    if (end > LIMIT)
        end = LIMIT;
    if (downward && end > (u64)image_start) {
        if (base < (u64)image_end && end - (u64)image_end < MOVE_ALIGNMENT)
            used_end = end; /* too little to be of use to anybody else */
        end = (u64)image_start;
    }
    u64 lowest = downward ? FIRST_MIB : (u64)image_start;
    if (base < lowest) {
        /* Below the image, that is below 1 MiB, only the trampoline's page is used: firmware is careless there. */
        u64 page = (end > 0x9f000 ? 0x9f000 : end) - PAGE_SIZE;
        if (!low_page && base <= page && page >= 0x1000 && page < 0xa0000)
            low_page = (u32)page;
        base = lowest;
    }
    if (base < end)
        add_free(boot, base, end);
}

/* Is there memory? A written value that does not come back once its cache line is flushed shows that there is none. */
static bool keeps(volatile u64 *word)
{
    static const u64 patterns[] = {0x5aa5c33c0ff09669, ~0x5aa5c33c0ff09669ul};
    bool kept = true;
    for_each_row (patterns, pattern) {
        *word = *pattern;
        flush_line((void *)word);
        kept &= *word == *pattern;
    }
    return kept;
}

static bool are_there(u64 pages, u64 count)
{
    for (u64 page = pages; page < pages + count * PAGE_SIZE; page += PAGE_SIZE)
        if (!keeps((u64 *)page)) {
            missing = page;
            return false;
        }
    return true;
}

#define BOOT_MAP_END 0x100000000ul /* what boot/entry.asm maps */

/* The page tables come first and must have real memory: checks the pages that they will use. */
static void look_at_first_pages(void)
{
    for (unsigned i = 0; i < free_count; i++) {
        struct range *range = &free_ranges[i];
        u64 bytes = range->end - range->at, looked = bytes < MEMORY_NEEDED ? bytes : MEMORY_NEEDED;
        u64 first = downward ? range->end - looked : range->at;
        if (range->at + looked <= BOOT_MAP_END && !are_there(first, looked / PAGE_SIZE))
            range->end = downward ? range->at : missing; /* nothing beyond the missing page is trusted */
    }
}

/* The first range with that much room; when allocating downwards, the highest. */
static struct range *choose_range(u64 size)
{
    struct range *chosen = NULL;
    for (unsigned i = 0; i < free_count; i++) {
        struct range *range = &free_ranges[i];
        if (range->end - range->at >= size && (!chosen || (downward && range->end > chosen->end)))
            chosen = range;
    }
    return chosen;
}

static u64 take_from(struct range *range, u64 size)
{
    u64 at = downward ? range->end - size : range->at;
    if (downward)
        range->end = at;
    else
        range->at = at + size;
    used_start = used_start && used_start < at ? used_start : at;
    used_end = used_end > at + size ? used_end : at + size;
    return at;
}

static void *take_pages(u64 count)
{
    u64 size = count * PAGE_SIZE;
    struct range *range;
    while ((range = choose_range(size))) {
        if (are_there(downward ? range->end - size : range->at, count))
            return memset((void *)take_from(range, size), 0, size);
        range->end = range->at; /* nothing beyond the missing page is trusted */
    }
    return NULL;
}

/* CPUs allocate at the same time when the reference PMU is set up. */
static void lock(void)
{
    while (__atomic_test_and_set(&locked, __ATOMIC_ACQUIRE))
        cpu_pause();
}

static void unlock(void)
{
    __atomic_clear(&locked, __ATOMIC_RELEASE);
}

void *pages_alloc(u64 count)
{
    lock();
    void *pages = take_pages(count);
    unlock();
    return pages;
}

void *code_alloc(u64 count)
{
    lock();
    void *pages = take_pages(count);
    if (pages)
        paging_map((u64)pages, count * PAGE_SIZE, PAGE_EXECUTE);
    unlock();
    return pages;
}

static void map_image(void)
{
    paging_map((u64)image_start, (u64)user_text_start - (u64)image_start, PAGE_EXECUTE);
    paging_map((u64)user_text_start, (u64)user_text_end - (u64)user_text_start, PAGE_EXECUTE | PAGE_USER);
    paging_map((u64)rodata_start, (u64)data_start - (u64)rodata_start, PAGE_READ);
    paging_map((u64)data_start, (u64)user_data_start - (u64)data_start, PAGE_WRITE);
    paging_map((u64)user_data_start, (u64)user_data_end - (u64)user_data_start, PAGE_WRITE | PAGE_USER);
}

/*
 * In the middle of the largest region: loaders and firmware take memory from either end, and with the same map the next
 * start chooses the same place. If the image moved there, right below it: others leave that place alone too.
 */
static void choose_kept(const struct boot_info *boot)
{
    u64 most = KEPT_REGION;
    for (const struct boot_region *region = boot->region; region < boot->region + boot->regions; region++) {
        u64 at = downward ? (u64)image_start - KEPT_PAGES : page_up(region->base + region->length / 2);
        if (region->type != BOOT_REGION_AVAILABLE || region->length < most || region->base + region->length > LIMIT)
            continue;
        if (at < region->base || at + KEPT_PAGES > region->base + region->length || obstacle(boot, at, at + KEPT_PAGES))
            continue;
        most = region->length;
        kept_block = (struct range){at, at + KEPT_PAGES};
    }
}

void memory_keep(const struct boot_info *boot)
{
    downward = image_moved();
    choose_kept(boot);
}

bool memory_init(const struct boot_info *boot)
{
    for (unsigned i = 0; i < boot->regions; i++)
        add_region(boot, &boot->region[i]);
    static struct range taken[ARRAY_SIZE(free_ranges)];
    unsigned ranges = free_count;
    memcpy(taken, free_ranges, sizeof(taken));
    look_at_first_pages();
    if (memory_free() < MEMORY_NEEDED)
        return false;
    paging_init(take_pages);
    for (unsigned i = 0; i < ranges; i++)
        paging_map(taken[i].at, taken[i].end - taken[i].at, PAGE_WRITE);
    paging_map(boot->information, boot->information_size, PAGE_READ);
    for (unsigned i = 0; i < boot->modules; i++)
        paging_map(boot->module[i].start, boot->module[i].end - boot->module[i].start, PAGE_WRITE);
    if (kept_block.end)
        paging_map(kept_block.at, KEPT_PAGES, PAGE_WRITE);
    if (aside.end)
        paging_map(aside.at, aside.end - aside.at, PAGE_WRITE);
    map_image();
    return true;
}

bool memory_has_image(const struct boot_info *boot)
{
    u64 at = (u64)image_start, before;
    do {
        before = at;
        for (const struct boot_region *region = boot->region; region < boot->region + boot->regions; region++)
            if (region->type == BOOT_REGION_AVAILABLE && region->base <= at && at < region->base + region->length)
                at = region->base + region->length;
    } while (at != before && at < (u64)image_end);
    return at >= (u64)image_end;
}

u64 memory_used_start(void)
{
    u64 start = (u64)image_start;
    if (downward && kept_block.end)
        start = kept_block.at;
    return used_start && used_start < start ? used_start : start;
}

u64 memory_used_end(void)
{
    return used_end > (u64)image_end ? used_end : (u64)image_end;
}

void *stack_alloc(u64 count)
{
    u8 *pages = take_pages(count + 1);
    if (!pages)
        return NULL;
    paging_unmap((u64)pages);
    return pages + PAGE_SIZE;
}

void *user_stack_alloc(u64 count)
{
    u8 *stack = stack_alloc(count);
    if (stack)
        paging_map((u64)stack, count * PAGE_SIZE, PAGE_WRITE | PAGE_USER);
    return stack;
}

/* Using a page-table entry whose address has more bits than the CPU's physical addresses causes a fault. */
static u64 physical_limit(void)
{
    u32 bits = cpuid_has_leaf(0x80000008) ? cpuid(0x80000008, 0).eax & 0xff : 36;
    return BIT(bits < 47 ? bits : 47);
}

void *memory_map(u64 physical, u64 length, enum memory_kind kind)
{
    static const unsigned rights[] = {
        [MEMORY_FIRMWARE] = PAGE_READ,
        [MEMORY_MMIO] = PAGE_WRITE | PAGE_UNCACHED,
        [MEMORY_FRAMEBUFFER] = PAGE_WRITE | PAGE_COMBINING,
    };
    u64 limit = physical_limit();
    if (paging_early() && kind == MEMORY_FRAMEBUFFER)
        return physical < limit && paging_map_early(physical, length) ? (void *)physical : NULL;
    if (kind == MEMORY_FIRMWARE && physical < REGISTERS_END && physical + length > LIMIT)
        return NULL;
    if (!length || physical >= limit || length > limit - physical || (kind == MEMORY_MMIO && physical < PAGE_SIZE))
        return NULL;
    for (u64 page = physical & ~(PAGE_SIZE - 1); page < physical + length; page += PAGE_SIZE)
        if (!paging_mapped(page))
            paging_map(page, PAGE_SIZE, rights[kind]);
        else if (kind == MEMORY_MMIO && !paging_early() && !paging_uncached(page))
            return NULL;
    return (void *)physical;
}

void *memory_kept(void)
{
    return kept_block.end && keeps((u64 *)(kept_block.end - PAGE_SIZE)) ? (void *)kept_block.at : NULL;
}

bool memory_set_aside(u64 base, u64 size)
{
    if (kept_block.end && overlaps(base, base + size, kept_block.at, kept_block.end))
        return false;
    aside = (struct range){base, base + size};
    return true;
}

void *memory_aside(void)
{
    return aside.end && keeps((u64 *)aside.at) && keeps((u64 *)(aside.end - sizeof(u64))) ? (void *)aside.at : NULL;
}

u64 memory_missing(void)
{
    return missing;
}

u64 memory_total(void)
{
    return total;
}

u64 memory_free(void)
{
    u64 sum = 0;
    for (unsigned i = 0; i < free_count; i++)
        sum += free_ranges[i].end - free_ranges[i].at;
    return sum;
}

u32 memory_low_page(void)
{
    if (low_page)
        paging_map(low_page, PAGE_SIZE, PAGE_WRITE | PAGE_EXECUTE);
    return low_page;
}
