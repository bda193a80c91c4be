/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A small kernel that asks the BIOS for the size of memory, as boot loaders and kernels do that return to real-address
 * mode: INT 15H with E820H, E801H and 88H. Each answer has to agree with the loader's map, in which the monitor is
 * reserved. All of it is repeated while a counter counts; and another BIOS function must still reach the BIOS. It
 * prints one line for each check, at last PASS or FAIL; then it leaves QEMU through isa-debug-exit.
 */
#include "hosting/test/foreign/machine.h"

#define PLACE 0x8000u
#define BUFFER 0x6000u
#define SMAP 0x534d4150u
#define CARRY 1u
#define MIB (1ull << 20)
#define AVAILABLE 1
#define REGIONS 64

enum { EDI, ESI, EBP, ESP, EBX, EDX, ECX, EAX }; /* as PUSHA stores them */

extern const uint8_t narrow_code[], narrow_code_end[], bios_registers[], bios_flags[];
void bios_call(void);

struct __attribute__((packed)) region {
    uint64_t base, length;
    uint32_t type;
};
static const struct region *map[REGIONS]; /* from the loader */
static unsigned regions;

void kernel_interrupt(unsigned long vector, uintptr_t *at)
{
    unexpected(vector, *at);
}

static volatile uint32_t *in_copy(const uint8_t *word)
{
    return (volatile uint32_t *)(PLACE + (uintptr_t)(word - narrow_code));
}

/* False: the BIOS has set CF. */
static bool call(uint32_t eax, uint32_t ebx, uint32_t ecx, uint32_t edx)
{
    volatile uint32_t *r = in_copy(bios_registers);
    r[EAX] = eax;
    r[EBX] = ebx;
    r[ECX] = ecx;
    r[EDX] = edx;
    r[EDI] = BUFFER;
    *in_copy(bios_flags) = 0;
    bios_call();
    return !(*in_copy(bios_flags) & CARRY);
}

static uint32_t returned(unsigned number)
{
    return in_copy(bios_registers)[number];
}

static void read_map(const uint32_t *tag)
{
    if (!tag)
        return;
    for (uint32_t at = 16; at < tag[1] && regions < REGIONS; at += tag[2])
        map[regions++] = (const struct region *)(const void *)((const uint8_t *)tag + at);
}

static uint64_t available_from_1_mib(void)
{
    for (unsigned i = 0; i < regions; i++)
        if (map[i]->type == AVAILABLE && map[i]->base == MIB)
            return map[i]->length;
    return 0;
}

/* ---- The answers */

static bool same(const struct region *a, const struct region *b)
{
    return a->base == b->base && a->length == b->length && a->type == b->type;
}

static void check_map(const char *what)
{
    struct region *entry = (struct region *)BUFFER;
    uint32_t next = 0;
    unsigned alike = 0, told = 0;
    do {
        *entry = (struct region){0, 0, 0};
        if (!call(0xe820, next, sizeof(*entry), SMAP) || returned(EAX) != SMAP || returned(ECX) != sizeof(*entry))
            break;
        alike += told < regions && same(entry, map[told]);
        told++;
        next = returned(EBX);
    } while (next && told < REGIONS);
    check(what, alike, regions);
    check("  and no others", told, regions);
}

static void check_refusals(void)
{
    check("E820 without its signature", call(0xe820, 0, sizeof(struct region), 0), false);
    check("E820 with too little room", call(0xe820, 0, sizeof(struct region) - 1, SMAP), false);
    check("E820 behind its end", call(0xe820, regions, sizeof(struct region), SMAP), false);
}

static void check_sizes(void)
{
    uint64_t kib = available_from_1_mib() >> 10;
    check("E801", call(0xe801, 0, 0, 0), true);
    check("  KiB up to 16 MiB", returned(EAX), 15 << 10);
    check("  and once more", returned(ECX), 15 << 10);
    check("  blocks from there on", returned(EBX), (kib - (15 << 10)) / 64);
    check("  and once more", returned(EDX), (kib - (15 << 10)) / 64);
    check("88", call(0x12348800, 0, 0, 0), true);
    check("  KiB from 1 MiB on", returned(EAX), 0x12340000 | (kib < 63 << 10 ? (uint32_t)kib : 63 << 10));
}

/* The address of the BIOS's table of the machine's configuration; and a function that no BIOS has. */
static void check_others(void)
{
    check("C0", call(0xc000, 0, 0, 0), true);
    check("  AH", returned(EAX) >> 8, 0);
    check("unknown", call(0x7700, 0, 0, 0), false);
}

static void count_on(bool on)
{
    write_msr(MSR_PERFEVTSEL(0), on ? EVTSEL_EVENT(EVENT_INSTRUCTIONS) | EVTSEL_OS | EVTSEL_EN : 0);
    write_msr(MSR_PERF_GLOBAL_CTRL, on);
}

void kernel_main(uint32_t magic, uintptr_t information)
{
    read_map(magic == LOADER2 ? find_tag(information, LOADER2_MAP) : NULL);
    load_interrupt_table();
    print("foreign kernel: calls of the BIOS");
    say("regions", regions);
    print("\r\n");
    for (const uint8_t *from = narrow_code; from < narrow_code_end; from++)
        ((volatile uint8_t *)PLACE)[from - narrow_code] = *from;
    check("a map", regions > 1 && available_from_1_mib() > 16 * MIB, true);
    check_map("E820");
    check_refusals();
    check_sizes();
    check_others();
    count_on(true);
    check_map("E820, counted");
    count_on(false);
    end();
}
