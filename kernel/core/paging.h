/* SPDX-License-Identifier: BSD-2-Clause */
/* Page tables: 4 KiB and 2 MiB pages, identity-mapped, write xor execute. SDM 3A, "Paging". */
#pragma once

#include "boot/bits.h"

/* All mappings below 512 GiB are repeated at this offset, among the addresses that kernels use: for code that tests how
 * a CPU treats such addresses. */
#define PAGING_HIGH MASK(63, 47)

/* Rights and kind of a mapping. Without PAGE_EXECUTE it is no-execute, if the CPU has that. */
enum page_rights {
    PAGE_READ = 0,
    PAGE_WRITE = 1,
    PAGE_EXECUTE = 2,
    PAGE_USER = 4,
    PAGE_UNCACHED = 8,
    PAGE_COMBINING = 16, /* write-combining, by the PAT entry that paging_cpu_init() sets */
};

/* Builds empty tables; pages for them come from `allocate`, which returns zeroed, already mapped memory. */
void paging_init(void *(*allocate)(u64 count));
/* Maps [base, base + length), widened to whole pages, at its own address; replaces the previous mapping. */
void paging_map(u64 base, u64 length, unsigned rights);
/* Are the boot tables still in use, which map the first 4 GiB as memory? */
bool paging_early(void);
/*
 * Like paging_map() for the boot tables: once, for a framebuffer, writable and write-combining, widened to large pages.
 * False: it is too large, or lies in the first large page. Such a mapping is gone once the boot tables are.
 */
bool paging_map_early(u64 base, u64 length);
/* Removes the mapping of one 4 KiB page: a guard. */
void paging_unmap(u64 page);
/* Do the tables use the no-execute bit? Then each CPU must enable it before it uses them. */
bool paging_no_execute(void);
/* Physical address of the top table: CR3. */
u64 paging_root(void);
/* Can this address be read now? */
bool paging_mapped(u64 address);
/* Is it mapped as registers are, with PAGE_UNCACHED? */
bool paging_uncached(u64 address);
