/* SPDX-License-Identifier: BSD-2-Clause */
/* Segments of an image that is to be hosted: whatever its format, each lies within the file and below 4 GiB. */
#include "hosting/image/image.h"

#define LIMIT (4ull << 30) /* addresses of 32-bit code */

const char *guest_segment_add(struct guest_image *image, u64 file_size, const struct guest_segment *segment)
{
    if (segment->offset > file_size || segment->file_size > file_size - segment->offset)
        return "a segment lies outside the file";
    if (segment->file_size > segment->memory_size)
        return "a segment is larger in the file than in memory";
    if (segment->address >= LIMIT || segment->memory_size > LIMIT - segment->address)
        return "a segment lies above 4 GiB";
    if (image->segments == GUEST_SEGMENTS)
        return "too many segments";
    if (segment->memory_size)
        image->segment[image->segments++] = *segment;
    return NULL;
}
