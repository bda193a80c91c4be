/*
 * The kernels in an image, by the sums that their builds put into them, so that a log can be held against the image
 * that it should come from. Pure: it works on bytes in memory.
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
        uint32_t sum, now; /* what the build wrote into it; of the bytes that are there */
    } kernel[IMAGE_KERNELS];
};

/*
 * Finds the kernels in an ISO, in a stick's image, or in a file that is one: ELF headers at the start of a sector, with
 * a section .sum. Their sums cover what kernel/core/image.h says. `path` is kept. None: image->kernels is 0.
 */
void image_find(struct image *image, const char *path, const void *bytes, size_t size);
/* Is this sum, as a log spells it, that of one of its kernels? */
bool image_has(const struct image *image, const char *sum);
/* The sums of its kernels: "1234abcd 0123abcd". `text` has IMAGE_SUMS bytes. */
const char *image_sums(const struct image *image, char *text);
/* The first kernel whose bytes are not what was built; NULL if there is none. */
const struct image_kernel *image_damaged(const struct image *image);
