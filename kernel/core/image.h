/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Is the image what was built? A bit that flips on its way from the medium, or a stray write while it runs, could
 * change a verdict and leave a log that looks whole. tools/build/sum.sh writes the CRC-32 of text, constants and first
 * data into the file once it is linked.
 */
#pragma once

#include "boot/bits.h"

/* The sum made when the image was built. */
u32 image_sum(void);
/* The sum of the loaded image. Call it first of all, before anything has written to the data. */
u32 image_sum_loaded(void);
/* Are text and constants what they were at image_sum_loaded()? Takes a few milliseconds. */
bool image_unchanged(void);
