/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small kernel that uses the first large region below 4 GiB as one piece, as many do: all of it except the monitor's
 * memory at its end. It checks the map that it was given, uses memory from one end of that region to the other, and
 * counts instructions with a counter, which the monitor has to do from its place at the end. Its command line is a
 * number, the minimum of MiB in that region; with a letter behind it the kernel accesses the monitor's memory
 * nevertheless:
 *
 *   l   loads from its first page and its last one
 *   s   a store into it, at its end; S: while a counter counts
 *   L   a load while a counter counts
 *   j   a jump into it
 *   t   a page table in it (64 bits)
 *
 * It prints one line for each check, at last PASS or FAIL; then it leaves QEMU through isa-debug-exit.
 */
#include "hosting/test/foreign/machine.h"

#define MIB (1ull << 20)
#define LIMIT (4096 * MIB)
#define AVAILABLE 1
#define RESERVED 2
#define MONITOR_MOST (16 * MIB)
#define ELSEWHERE_MOST (32 * MIB) /* UEFI firmware keeps pieces above and below it */
#define PIECE (2 * MIB)           /* distance between the words that are tried */
#define TURNS 100000ul
#define REGIONS 64

extern uint8_t image_end[];

struct __attribute__((packed)) region {
    uint64_t base, length;
    uint32_t type;
};

static struct region map[REGIONS]; /* a copy: the loader's memory gets used */
static unsigned regions;
static uint64_t least; /* MiB */

void kernel_interrupt(unsigned long vector, uintptr_t *at)
{
    unexpected(vector, *at);
}

/* ---- The map. */

static void add(const void *entry)
{
    if (regions < REGIONS)
        map[regions++] = *(const struct region *)entry;
}

static void read_number(const char *text)
{
    for (; *text >= '0' && *text <= '9'; text++)
        least = least * 10 + (uint64_t)(*text - '0');
}

static void read_multiboot(const uint32_t *word)
{
    const uint8_t *entry = (const uint8_t *)(uintptr_t)word[12], *last = entry + word[11];
    for (; entry < last; entry += *(const uint32_t *)entry + sizeof(uint32_t))
        add(entry + sizeof(uint32_t));
}

static void read_multiboot2(const uint32_t *tag)
{
    for (uint32_t at = 16; tag && at < tag[1]; at += tag[2])
        add((const uint8_t *)tag + at);
}

/* ---- The region */

static const struct region *largest(void)
{
    const struct region *found = map;
    for (unsigned i = 0; i < regions; i++)
        if (map[i].type == AVAILABLE && map[i].base < LIMIT && map[i].length > found->length)
            found = &map[i];
    return found;
}

static uint64_t available_elsewhere(const struct region *region)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < regions; i++)
        if (map[i].type == AVAILABLE && &map[i] != region && map[i].base >= MIB && map[i].base < LIMIT)
            sum += map[i].length;
    return sum;
}

static const struct region *reserved_at(uint64_t base)
{
    static const struct region none;
    for (unsigned i = 0; i < regions; i++)
        if (map[i].type == RESERVED && map[i].base == base)
            return &map[i];
    return &none;
}

static void check_map(const struct region *region)
{
    const struct region *monitor = reserved_at(region->base + region->length);
    print("region");
    say("from", region->base);
    say("to", region->base + region->length);
    say("monitor", monitor->length);
    say("elsewhere", available_elsewhere(region));
    print("\r\n");
    check("one piece, large enough", region->length >= least * MIB, true);
    check("nearly all that there is", available_elsewhere(region) <= ELSEWHERE_MOST, true);
    check("the monitor begins where it ends", monitor->length > 0 && monitor->length <= MONITOR_MOST, true);
}

/* One word of every piece, and the last one: each stores its own address, so no two are the same memory. */
static void check_use(const struct region *region)
{
    uint64_t first = ((uint64_t)(uintptr_t)image_end + PIECE - 1) & ~(PIECE - 1), end = region->base + region->length;
    uint64_t kept = 0, pieces = 0;
    if (first < region->base)
        first = (region->base + PIECE - 1) & ~(PIECE - 1);
    volatile uint32_t *last = (volatile uint32_t *)(uintptr_t)(end - sizeof(uint32_t));
    for (uint64_t at = first; at + PIECE <= end; at += PIECE)
        *(volatile uint32_t *)(uintptr_t)at = (uint32_t)~at;
    *last = 0x12345678;
    for (uint64_t at = first; at + PIECE <= end; at += PIECE, pieces++)
        kept += *(volatile uint32_t *)(uintptr_t)at == (uint32_t)~at;
    check("pieces that keep what was written", kept, pieces);
    check("its last word", *last, 0x12345678);
}

/* ---- Counting */

static void count_on(bool on)
{
    write_msr(MSR_PERF_GLOBAL_CTRL, 0); /* after a reset it has the GP counters' bits set */
    write_msr(MSR_PMC(0), 0);
    write_msr(MSR_PERFEVTSEL(0), EVTSEL_EVENT(EVENT_INSTRUCTIONS) | EVTSEL_OS | EVTSEL_EN);
    write_msr(MSR_PERF_GLOBAL_CTRL, on);
}

static __attribute__((noinline)) uint64_t count(unsigned long k)
{
    count_on(true);
    counted_loop(k);
    write_msr(MSR_PERF_GLOBAL_CTRL, 0);
    return read_msr(MSR_PMC(0));
}

/* ---- Memory of the monitor */

static void stray(const struct region *monitor, const char *line)
{
    uintptr_t first = (uintptr_t)monitor->base, last = (uintptr_t)(monitor->base + monitor->length - sizeof(uint32_t));
    if (has_word(line, "S") || has_word(line, "L"))
        count_on(true);
    if (has_word(line, "s") || has_word(line, "S"))
        *(volatile uint32_t *)last = 0x12345678;
    if (has_word(line, "j"))
        __asm__ volatile("jmp *%0" : : "r"(first));
#ifdef __x86_64__
    if (has_word(line, "t"))
        __asm__ volatile("mov %0, %%cr3" : : "r"(first) : "memory");
#endif
    uint32_t loaded = *(volatile uint32_t *)first & *(volatile uint32_t *)last;
    write_msr(MSR_PERF_GLOBAL_CTRL, 0);
    if (sizeof(long) == 4 || !has_word(line, "L")) /* inside, a stepped load finds the memory */
        check("ones where the monitor is", loaded, 0xffffffff);
}

void kernel_main(uint32_t magic, uintptr_t information)
{
    if (magic == LOADER1)
        read_multiboot((const uint32_t *)information);
    else
        read_multiboot2(find_tag(information, LOADER2_MAP));
    read_number(command_line(magic, information));
    load_interrupt_table();
    print("foreign kernel:");
    say("bits", 8 * sizeof(long));
    say("regions", regions);
    print("\r\n");
    check_map(largest());
    check_use(largest());
    check("counts", count(TURNS) - count(1), 3 * (TURNS - 1));
    const struct region *region = largest();
    if (has_word(command_line(magic, information), " "))
        stray(reserved_at(region->base + region->length), command_line(magic, information));
    end();
}
