/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An image that moves itself away from where the loader put it: pmucheck-host.elf, so that the kernel it hosts finds
 * the memory below in one piece, as on any machine. Code refers to its data by relative addresses; absolute addresses
 * in constants and data, and in 32-bit code, are listed in a table that the build makes from the linker's relocations.
 * An image whose table is empty stays where it is.
 */
#pragma once

#include "boot/boot_info.h"

/* A row says where an absolute address is stored: an offset from image_start, or from data_start with MOVE_DATA. */
#define MOVE_DATA BIT(31)
#define MOVE_NARROW BIT(30) /* the address has 32 bits, otherwise 64 */
#define MOVE_OFFSET MASK(29, 0)
#define MOVE_SECTION __attribute__((section(".moves"), used))
#define MOVE_ALIGNMENT (2ul << 20) /* the size of a large page: code and data never share one */

extern const u32 move_linked; /* image_start, as linked */
extern const u32 move_rows[];
extern const unsigned move_count;

/*
 * The new place of an image that now lies at [start, end): as high as possible in the largest region below 4 GiB, at a
 * multiple of MOVE_ALIGNMENT, clear of its old place and of the loader's information and modules, and where `caches`
 * says that all of the place is cached, if there is such a place. 0: there is no place at all.
 */
typedef bool (*move_caches)(u64 at, u64 end);
u64 move_place(const struct boot_info *boot, u64 start, u64 end, move_caches caches);
/* Adds `by` to every address in the copy of the image at `image`, whose data begins at `data`. */
void move_addresses(u8 *image, u8 *data, u64 by);
/*
 * Copies the image, as it was loaded, to move_place() and starts the copy as a loader would; then it does not return.
 * Returns if the image stays. Call before anything of the image's data is written; the arguments are those of
 * boot_info_take().
 */
void image_move(u32 loader, const struct boot_reader *reader, u64 information, move_caches caches);
/* Is this image the copy that moved? */
bool image_moved(void);
