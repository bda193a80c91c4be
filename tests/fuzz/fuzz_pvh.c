/* SPDX-License-Identifier: BSD-2-Clause */
/* Any memory with the PVH start's information and the data that it points to. */
#include "boot/boot_info.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* From here on the input is physical memory. */
#define BASE 4096

struct input {
    const uint8_t *data;
    size_t size;
};

static const void *at(const void *context, u64 address, u64 length)
{
    const struct input *input = context;
    return address >= BASE && address - BASE <= input->size && length <= input->size - (address - BASE)
               ? input->data + (address - BASE)
               : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct boot_info info;
    struct input input = {data, size};
    struct boot_reader reader = {at, &input};
    pvh_walk(&reader, BASE, &info);
    if (strlen(info.command_line) >= sizeof(info.command_line) || info.regions > BOOT_REGIONS ||
        info.rsdp_size > sizeof(info.rsdp) || info.modules > ARRAY_SIZE(info.module))
        abort();
    for (unsigned i = 0; i < info.modules; i++)
        if (strlen(info.module[i].command_line) >= BOOT_MODULE_LINE || info.module[i].end < info.module[i].start)
            abort();
    return 0;
}
