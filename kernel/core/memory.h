/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Physical pages from the memory map's available regions, identity-mapped. All allocations of the image come from here,
 * above the image (below it if it moved); nothing is ever freed. RAM is write-back, MMIO uncached, the framebuffer
 * write-combining.
 */
#pragma once

#include "boot/bits.h"
#include "boot/boot_info.h"

/* What the image needs to start one CPU; with less the run ends with an error line. */
#define MEMORY_NEEDED (4ul << 20)
/* Chooses the place of memory_kept(). Call before memory_init(), while the boot tables are in use. */
void memory_keep(const struct boot_info *boot);
/* Takes the memory map and builds the page tables for paging_cpu_init(). False: less than MEMORY_NEEDED is free. */
bool memory_init(const struct boot_info *boot);

#define PAGE_SIZE 4096ul

/* `count` contiguous zeroed pages, writable, not executable; NULL if too few are left. */
void *pages_alloc(u64 count);
/* `count` contiguous zeroed pages, executable; writable only while CR0.WP is off. NULL as in pages_alloc(). */
void *code_alloc(u64 count);
/* Like pages_alloc(), with an unmapped guard page below: for stacks. Returns the lowest usable address. */
void *stack_alloc(u64 count);
/* A stack that CPL 3 may use, with a guard page below. */
void *user_stack_alloc(u64 count);
/*
 * Maps a physical range that is not RAM (firmware tables, MMIO) at its own address; NULL if it exceeds the CPU's
 * physical addresses. Also NULL, whatever a firmware table or an option says, for tables in the area of registers below
 * 4 GiB, and for registers in page 0 or where other memory is mapped.
 */
enum memory_kind { MEMORY_FIRMWARE, MEMORY_MMIO, MEMORY_FRAMEBUFFER };
void *memory_map(u64 physical, u64 length, enum memory_kind kind);
/* Is all of the image in memory that the loader's map calls available? If not, the image runs nevertheless. */
bool memory_has_image(const struct boot_info *boot);
/* An address that the memory map calls available but that has no memory; 0 if none was found. Its region is unused. */
u64 memory_missing(void);
/* MEMORY_KEPT bytes that are never allocated nor cleared; NULL if there is no room. */
#define MEMORY_KEPT (320ul << 10)
void *memory_kept(void);
/*
 * Excludes [base, base + size) from allocation, so that its content stays. Call once, before memory_init(). The caller
 * has checked that nobody else uses that memory. False: it overlaps memory_kept().
 */
bool memory_set_aside(u64 base, u64 size);
/* That memory, writable once memory_init() has run; NULL if it does not work as memory, or none was set aside. */
void *memory_aside(void);
u64 memory_total(void); /* bytes of available RAM */
u64 memory_free(void);  /* bytes not yet allocated */
/* Where the image and all its allocations begin and end: the memory between is not free for anybody else. */
u64 memory_used_start(void);
u64 memory_used_end(void);
/* A free page below 1 MiB for the trampoline of the application processors; 0 if there is none. */
u32 memory_low_page(void);

/* ---- Page tables: 4 KiB and 2 MiB pages, identity-mapped, write xor execute. SDM 3A, "Paging". */

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
