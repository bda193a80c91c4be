/* SPDX-License-Identifier: BSD-2-Clause */
#include "hosting/image/image.h"

#define LIMIT (4ull << 30)

u64 guest_image_start(const struct guest_image *image)
{
    u64 start = LIMIT;
    for (unsigned i = 0; i < image->segments; i++)
        if (image->segment[i].address < start)
            start = image->segment[i].address;
    return start;
}

u64 guest_image_end(const struct guest_image *image)
{
    u64 end = 0;
    for (unsigned i = 0; i < image->segments; i++)
        if (image->segment[i].address + image->segment[i].memory_size > end)
            end = image->segment[i].address + image->segment[i].memory_size;
    return end;
}

const struct guest_segment *guest_image_take(const struct guest_image *image, struct guest_map *map)
{
    if (guest_map_take(map, (struct guest_range){guest_image_start(image), guest_image_end(image)}))
        return NULL;
    for (const struct guest_segment *s = image->segment; s < image->segment + image->segments; s++)
        if (!guest_map_take(map, (struct guest_range){s->address, s->address + s->memory_size}))
            return s;
    return NULL;
}

static bool entry_loaded(const struct guest_image *image)
{
    for (unsigned i = 0; i < image->segments; i++)
        if (image->entry - image->segment[i].address < image->segment[i].memory_size)
            return true;
    return false;
}

const char *guest_image_parse(const u8 *file, u64 size, struct guest_image *image)
{
    const char *wrong = NULL;
    *image = (struct guest_image){.module_limit = LIMIT};
    if (!guest_linux_parse(file, size, image, &wrong) && !guest_multiboot2_parse(file, size, image, &wrong) &&
        !guest_multiboot1_parse(file, size, image, &wrong))
        return "no multiboot or multiboot2 header, and no Linux kernel (bzImage)";
    if (!wrong && !entry_loaded(image))
        wrong = "the entry lies outside what is loaded";
    return wrong;
}
