/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes in the place of the loader's information. */
#include "boot/boot_info.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct boot_info info;
    boot_info_walk(data, size, &info);
    if (strlen(info.command_line) >= sizeof(info.command_line) || info.regions > BOOT_REGIONS ||
        info.rsdp_size > sizeof(info.rsdp) || info.information_size > size)
        abort();
    return 0;
}
