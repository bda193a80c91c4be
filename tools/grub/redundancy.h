/*
 * Adds to GRUB's image for a BIOS what its own loader needs to repair it: a Reed-Solomon code, in the form in which
 * GRUB's startup code reads it (grub-core/lib/reed_solomon.c in GRUB's sources names it). grub-mkimage leaves it out.
 * Pure.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REDUNDANCY_SECTOR 512
/* Sectors of one code: those with data and those of the code together. One code can repair half as many sectors as it
 * has of its own, wherever they are. */
#define REDUNDANCY_BLOCK 200

/* The size of an image of `size` bytes with a code for a tenth more, in whole sectors. */
size_t redundancy_size(size_t size);
/*
 * Adds the code behind the image's `size` bytes, up to redundancy_size(size), and tells GRUB's startup code about it.
 * `head`: the bytes before that code, a sector on a disk, five on a CD. False: the image is not one of GRUB's, or has a
 * code already.
 */
bool redundancy_add(uint8_t *image, size_t size, size_t head);
