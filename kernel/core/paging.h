/* Page tables: 4 KiB and 2 MiB pages, identity-mapped, write xor execute. SDM 3A, "Paging". */
#pragma once

#include "boot/bits.h"

/* What is mapped below 512 GiB is so once more this far above, where addresses are those of kernels: for code that asks
 * what a CPU makes of them. */
#define PAGING_HIGH MASK(63, 47)

/* Rights and kind of a mapping. Absent PAGE_EXECUTE means no-execute where the CPU has it. */
enum page_rights {
    PAGE_READ = 0,
    PAGE_WRITE = 1,
    PAGE_EXECUTE = 2,
    PAGE_USER = 4,
    PAGE_UNCACHED = 8,
    PAGE_COMBINING = 16, /* write-combining through the PAT entry that paging_cpu_init() sets */
};

/* Builds empty tables; pages for them come from `allocate`, which returns zeroed, already mapped memory. */
void paging_init(void *(*allocate)(u64 count));
/* Maps [base, base + length) at its own address, widened to pages; replaces what was there. */
void paging_map(u64 base, u64 length, unsigned rights);
/* Are the boot tables still in use, which map the first 4 GiB as memory? */
bool paging_early(void);
/*
 * paging_map() for these: once, for a framebuffer, writable and write-combining, widened to large pages. False: it is
 * too large, or in the first of them. Such a mapping ends with the boot tables.
 */
bool paging_map_early(u64 base, u64 length);
/* Removes the mapping of one 4 KiB page: a guard. */
void paging_unmap(u64 page);
/* Do the tables say no-execute? Then each CPU must know of that bit before it uses them. */
bool paging_no_execute(void);
/* Physical address of the top table: CR3. */
u64 paging_root(void);
/* Can this address be read now? */
bool paging_mapped(u64 address);
/* Is it mapped as registers are, with PAGE_UNCACHED? */
bool paging_uncached(u64 address);
