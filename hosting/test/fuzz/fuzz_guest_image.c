/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes as a kernel to host: segments and entry of an accepted image lie within the file. */
#include "hosting/image/image.h"
#include "hosting/image/information.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_segment(const struct guest_segment *s, size_t size)
{
    if (s->offset > size || s->file_size > size - s->offset || s->file_size > s->memory_size || !s->memory_size ||
        s->address >= 1ull << 32 || s->memory_size > (1ull << 32) - s->address)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static u8 information[GUEST_INFORMATION_SIZE];
    static struct guest_map map;
    struct guest_image image;
    struct guest_offer offer = {.map = &map, .command_line = ""};
    if (guest_image_parse(data, size, &image))
        return 0;
    if (!image.segments || guest_image_start(&image) >= guest_image_end(&image))
        abort();
    for (unsigned i = 0; i < image.segments; i++)
        check_segment(&image.segment[i], size);
    if (image.kind == GUEST_LINUX)
        guest_information_linux(information, 0x10000, &offer, data, &image);
    return 0;
}
