/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Physical pages from the memory map's available regions, identity-mapped. All allocations of the image come from here,
 * above the image (below it if it moved); nothing is ever freed. RAM is write-back, MMIO uncached, the framebuffer
 * write-combining.
 */
#pragma once

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
