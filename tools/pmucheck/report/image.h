/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the kernels in an image and the sums that the build put into them, to check that a log comes from this image.
 * Pure: works on bytes in memory.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define IMAGE_KERNELS 4
#define IMAGE_SUMS (IMAGE_KERNELS * 10 + 1)

struct image {
    const char *path;
    unsigned kernels;
    struct image_kernel {
        uint32_t sum, now; /* the build's sum in the kernel; the sum of its bytes */
    } kernel[IMAGE_KERNELS];
};

/*
 * Finds the kernels in an ISO, in a stick's image, or in a kernel file: ELF headers at the start of a sector, with a
 * section .sum, or such a file packed by gzip. kernel/core/image.h defines what the sums cover. `path` is kept. Without
 * a kernel image->kernels is 0.
 */
void image_find(struct image *image, const char *path, const void *bytes, size_t size);
/* Is this sum, in a log's spelling, the sum of one of its kernels? */
bool image_has(const struct image *image, const char *sum);
/* The sums of its kernels: "1234abcd 0123abcd". `text` has IMAGE_SUMS bytes. */
const char *image_sums(const struct image *image, char *text);
/* The first kernel whose bytes differ from the build's; NULL if there is none. */
const struct image_kernel *image_damaged(const struct image *image);
