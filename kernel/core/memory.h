/*
 * Physical pages from the memory map's available regions, identity-mapped. Everything that the image allocates comes
 * from here, and lies above the image, or below one that moved; nothing is ever freed. RAM is write-back, MMIO
 * uncached, the framebuffer write-combining.
 */
#pragma once

#include "boot/boot_info.h"

/* What the image needs to start one CPU; less ends the run with a line that says so. */
#define MEMORY_NEEDED (4ul << 20)
/* Chooses where memory_kept() is: before memory_init(), and under the boot tables. */
void memory_keep(const struct boot_info *boot);
/* Takes the memory map, builds the page tables, which paging_cpu_init() switches to. False: less than MEMORY_NEEDED is
 * free. */
bool memory_init(const struct boot_info *boot);

#define PAGE_SIZE 4096ul

/* `count` contiguous zeroed pages, writable, not executable; NULL if there are not that many left. */
void *pages_alloc(u64 count);
/* `count` contiguous zeroed pages, executable, and writable only with write protection off; NULL as pages_alloc(). */
void *code_alloc(u64 count);
/* As pages_alloc(), with an unmapped guard page below: for stacks. Returns the lowest usable address. */
void *stack_alloc(u64 count);
/* A stack that CPL 3 may use, with a guard page below. */
void *user_stack_alloc(u64 count);
/*
 * Maps a physical range that is not RAM (firmware tables, MMIO) so that it can be accessed at its own address; NULL if
 * the CPU has no such addresses. Tables are not among the registers below 4 GiB; registers are never in page 0, nor
 * where something else is mapped, whatever a table or an option says: NULL then too.
 */
enum memory_kind { MEMORY_FIRMWARE, MEMORY_MMIO, MEMORY_FRAMEBUFFER };
void *memory_map(u64 physical, u64 length, enum memory_kind kind);
/* Does the loader's map call all memory that the image lies in available? It is used all the same. */
bool memory_has_image(const struct boot_info *boot);
/* An address that the memory map calls available and that keeps nothing; 0: none was met. Its region is left out. */
u64 memory_missing(void);
/* MEMORY_KEPT bytes that are never given out nor cleared. NULL: there is no room. */
#define MEMORY_KEPT (320ul << 10)
void *memory_kept(void);
/*
 * Keeps [base, base + size) out of what is given out, so that its content stays. Before memory_init(); once. The caller
 * has seen that it is memory that nobody else has. False: it is where memory_kept() is already.
 */
bool memory_set_aside(u64 base, u64 size);
/* That memory, writable from memory_init() on; NULL: it keeps nothing, or none was set aside. */
void *memory_aside(void);
u64 memory_total(void); /* bytes of available RAM */
u64 memory_free(void);  /* bytes not yet given out */
/* Where the image and all that it has taken begin and end: what is between is not free for anybody else. */
u64 memory_used_start(void);
u64 memory_used_end(void);
/* A free page below 1 MiB for the trampoline of the application processors; 0 if there is none. */
u32 memory_low_page(void);
