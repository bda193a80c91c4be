/*
 * An image that leaves the place where a loader put it: pmucheck-host.elf, so that the kernel that it hosts finds the
 * memory below as one piece, as on any machine. Code names what it needs by its distance; the addresses that stand in
 * constants and data, and in 32-bit code, are in a table that the build makes of the linker's relocations. An image
 * without rows stays where it is.
 */
#pragma once

#include "boot/boot_info.h"

/* A row is where an address stands, in bytes from image_start or from data_start, and which of them it is. */
#define MOVE_DATA BIT(31)
#define MOVE_NARROW BIT(30) /* 32 bits of an address, or else 64 */
#define MOVE_OFFSET MASK(29, 0)
#define MOVE_SECTION __attribute__((section(".moves"), used))
#define MOVE_ALIGNMENT (2ul << 20) /* of large pages: code and data never share one */

extern const u32 move_linked; /* image_start, as linked */
extern const u32 move_rows[];
extern const unsigned move_count;

/*
 * Where an image that now lies at [start, end) goes: as high as possible in the largest region below 4 GiB, at a
 * multiple of MOVE_ALIGNMENT, clear of where it is, the loader's information and modules, and where `caches` says that
 * all of a place is cached, if it does so anywhere. 0: there is no such place.
 */
typedef bool (*move_caches)(u64 at, u64 end);
u64 move_place(const struct boot_info *boot, u64 start, u64 end, move_caches caches);
/* Adds `by` to every address in the copy of the image at `image`, whose data begins at `data`. */
void move_addresses(u8 *image, u8 *data, u64 by);
/*
 * Copies the image, as it was loaded, to where move_place() says, and starts the copy as a loader would: does not
 * return then. Returns if it stays. Before anything of the image's data was written; what the loader told is as for
 * boot_info_take().
 */
void image_move(u32 loader, const struct boot_reader *reader, u64 information, move_caches caches);
/* Is this the copy? */
bool image_moved(void);
