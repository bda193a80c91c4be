/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Adds to GRUB's image for a BIOS what its own loader needs to repair it: a Reed-Solomon code, in the form in which
 * GRUB's startup code reads it. grub-install adds it, grub-mkimage does not. Pure.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#define REDUNDANCY_SECTOR 512
/* Sectors of one code: those with data and those of the code together. One code can repair half as many sectors as it
 * has of its own, wherever they are. */
#define REDUNDANCY_BLOCK 200

/*
 * Adds the code behind the image's `size` bytes, where there is room for a fifth more and a sector, and tells GRUB's
 * startup code about it. `head`: the bytes before that code, a sector on a disk, five on a CD. Returns the new size, in
 * whole sectors; 0: the image is not one of GRUB's, or has a code already.
 */
size_t redundancy_add(uint8_t *image, size_t size, size_t head);
