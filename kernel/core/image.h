/* SPDX-License-Identifier: BSD-2-Clause */
/* The image itself: its sum, what the build stamps into it, its functions' names, how it moves, and files beside it. */
#pragma once

#include "boot/bits.h"
#include "boot/boot_info.h"

/*
 * Is the image what was built? A bit that flips on its way from the medium, or a stray write while it runs, could
 * change a verdict and leave a log that looks whole. tools/build/sum.sh writes the CRC-32 of text, constants and first
 * data into the file once it is linked.
 */

/* The sum made when the image was built. */
u32 image_sum(void);
/* The sum of the loaded image. Call it first of all, before anything has written to the data. */
u32 image_sum_loaded(void);
/* Are text and constants what they were at image_sum_loaded()? Takes a few milliseconds. */
bool image_unchanged(void);

/* ---- What the build stamps into the image. */

extern const char build_version[]; /* "0.2.0", or "0.2.0+38.g1a2b3c4" 38 commits later: tools/version.sh */
extern const char build_commit[];  /* "1a2b3c4d5e6f", with "-dirty" if files were changed; "unknown" without git */
extern const char build_date[];    /* the commit's, "2026-11-29" */
extern const unsigned build_tests; /* how many test files the build found: the harness must register as many */
/* The checksum of the headers that lay out struct profile. Programs that share it may exchange binary profiles. */
extern const unsigned build_layout;
/* The options of what this image was built without, the reference PMU, as a list; "": it has everything. */
extern const char build_left_out[];

/*
 * The names of the image's functions, for fault dumps. The build links twice: the table is made from the first link and
 * goes into a section of its own, `.symbols`, which the linker script puts last so that no address moves. Pure.
 */

#define SYMBOL_NONE 0xffffffffu
struct symbol {
    u32 at;   /* bytes from image_start: the image may move */
    u32 name; /* its offset in symbol_names, or SYMBOL_NONE */
};

#define SYMBOLS_SECTION __attribute__((section(".symbols"), used))

/* symbol_count rows, sorted by address; the last one has no name and marks the end of the code. */
extern const char symbol_names[];
extern const struct symbol symbols[];
extern const unsigned symbol_count;

/*
 * Returns the function that holds `address` and in *offset the distance from its start; NULL (and no meaning in
 * *offset) if the address is not in the image's code.
 */
const char *symbol_name(u64 address, u64 *offset);

/*
 * An image that moves itself away from where the loader put it: pmucheck-host.elf, so that the kernel it hosts finds
 * the memory below in one piece, as on any machine. Code refers to its data by relative addresses; absolute addresses
 * in constants and data, and in 32-bit code, are listed in a table that the build makes from the linker's relocations.
 * An image whose table is empty stays where it is.
 */

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

/*
 * Files that the loader puts beside the kernel, such as the kernel that is hosted on the reference PMU. They are not
 * part of the image, so its sum does not cover them; the option `sums=` gives the sum of each.
 */

#define MODULES_ERROR 160

/*
 * Compares the CRC-32 of each of `count` modules with the list in `told`: eight hexadecimal digits per module,
 * separated by commas; "" means no list was given. True if all match; else `error`, of MODULES_ERROR bytes, says what
 * is wrong.
 */
bool modules_whole(const u32 *sum, unsigned count, const char *told, char *error);

/* Logs each module with its sum and compares the sums with the option. Returns NULL, or what is wrong. */
const char *modules_check(void);

/*
 * Marks symbols that a program on the build machine may lack; the image always has them. In the image a weak name would
 * need a table of addresses, which an image that moves itself does not have (kernel/core/image.h).
 */

#if __STDC_HOSTED__
#define OUTSIDE_WEAK __attribute__((weak))
#else
#define OUTSIDE_WEAK
#endif
