/* SPDX-License-Identifier: BSD-2-Clause */
#include "reference/step/trap/sites.h"
#include "boot/cpu.h"
#include "kernel/register/instructions.h"

#define INT3 0xcc

extern const u8 image_start[], rodata_start[];
/* Addresses of accesses to the local APIC's page; the ends are named by the linker. */
extern const u64 __start_page_sites[], __stop_page_sites[];

/* At most. The first bytes of all: first the list's, then the page's. */
#define SITES 1024u
#define PAGE_SITES 16u
static u8 first[SITES], page_first[PAGE_SITES];
static bool patched;

bool image_text(u64 rip)
{
    return rip >= (u64)image_start && rip < (u64)rodata_start;
}

bool sites_patched(void)
{
    return patched;
}

static unsigned page_sites(void)
{
    return (unsigned)(__stop_page_sites - __start_page_sites);
}

bool sites_fit(void)
{
    return site_count <= SITES && page_sites() <= PAGE_SITES;
}

static u8 byte_at(u64 rip)
{
    return *(const volatile u8 *)rip;
}

/* Text is read-only: write protection is lifted for one store. */
static void store(u64 rip, u8 value)
{
    u64 cr0 = read_cr0();
    write_cr0(cr0 & ~CR0_WP);
    __atomic_store_n((u8 *)rip, value, __ATOMIC_SEQ_CST);
    write_cr0(cr0);
}

void sites_patch(void)
{
    if (patched)
        return;
    for (unsigned n = 0; n < site_count; n++)
        first[n] = byte_at((u64)image_start + sites[n]);
    for (unsigned n = 0; n < page_sites(); n++)
        page_first[n] = byte_at(__start_page_sites[n]);
    __atomic_store_n(&patched, true, __ATOMIC_SEQ_CST); /* first: what they were is known from here on */
    for (unsigned n = 0; n < site_count; n++)
        store((u64)image_start + sites[n], INT3);
    for (unsigned n = 0; n < page_sites(); n++)
        store(__start_page_sites[n], INT3);
}

void sites_restore(void)
{
    if (!patched)
        return;
    for (unsigned n = 0; n < site_count; n++)
        store((u64)image_start + sites[n], first[n]);
    for (unsigned n = 0; n < page_sites(); n++)
        store(__start_page_sites[n], page_first[n]);
    __atomic_store_n(&patched, false, __ATOMIC_SEQ_CST);
}

static u8 in_list(u32 offset)
{
    unsigned from = 0, to = site_count;
    while (from < to) {
        unsigned middle = (from + to) / 2;
        if (sites[middle] == offset)
            return first[middle];
        if (sites[middle] < offset)
            from = middle + 1;
        else
            to = middle;
    }
    return 0;
}

static u8 first_of(u64 rip)
{
    for (unsigned n = 0; n < page_sites(); n++)
        if (__start_page_sites[n] == rip)
            return page_first[n];
    return in_list((u32)(rip - (u64)image_start));
}

bool site_patched(u64 rip)
{
    return patched && byte_at(rip) == INT3;
}

u8 site_at(u64 rip)
{
    return image_text(rip) && site_patched(rip) ? first_of(rip) : 0;
}

bool site_gone(u64 rip)
{
    return image_text(rip) && byte_at(rip) != INT3 && first_of(rip);
}
