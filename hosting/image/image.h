/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A kernel file that is to be hosted: its kind, its segments and its entry. Takes any bytes, and trusts no field before
 * it is known to lie within the file. Pure.
 */
#pragma once

#include "hosting/image/map.h"

enum guest_kind { GUEST_MULTIBOOT1, GUEST_MULTIBOOT2, GUEST_LINUX };

/* `file_size` bytes at `offset` of the file go to physical `address`; zeros follow up to `memory_size`. */
struct guest_segment {
    u64 offset, file_size, address, memory_size;
};

#define GUEST_SEGMENTS 32
struct guest_image {
    enum guest_kind kind;
    u32 entry; /* physical; entered in 32-bit protected mode without paging */
    struct guest_segment segment[GUEST_SEGMENTS];
    unsigned segments;
    u64 module_limit; /* modules must end at or below it */
    u64 setup_size;   /* GUEST_LINUX: its set-up header's bytes, from offset 1F1H of the file */
    u32 command_line; /* GUEST_LINUX: longest command line */
};

/* Returns NULL, or what is wrong; then *image must not be used. Segments may overlap. */
const char *guest_image_parse(const u8 *file, u64 size, struct guest_image *image);
/* Lowest address that the segments take, and their end. */
u64 guest_image_start(const struct guest_image *image);
u64 guest_image_end(const struct guest_image *image);
/*
 * Takes the memory from the first to the last segment, or, if that is not all free, of each segment by itself: a kernel
 * may lie on both sides of the memory of adapters below 1 MiB. Returns the segment that cannot be taken; NULL: none.
 */
const struct guest_segment *guest_image_take(const struct guest_image *image, struct guest_map *map);

/* ---- The parts of guest_image_parse(). Each returns NULL or what is wrong. */

/* Adds a segment if it lies within the file and below 4 GiB. */
const char *guest_segment_add(struct guest_image *image, u64 file_size, const struct guest_segment *segment);
/* ELF, 32 or 64 bits, little-endian, x86: PT_LOAD segments at their physical addresses, and the entry's. */
const char *guest_elf_parse(const u8 *file, u64 size, struct guest_image *image);
/* Is there such a header? If so, *wrong is NULL and the image is filled, or *wrong tells what is wrong with it. */
bool guest_multiboot1_parse(const u8 *file, u64 size, struct guest_image *image, const char **wrong);
bool guest_multiboot2_parse(const u8 *file, u64 size, struct guest_image *image, const char **wrong);
bool guest_linux_parse(const u8 *file, u64 size, struct guest_image *image, const char **wrong);
