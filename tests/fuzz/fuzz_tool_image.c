/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes after the header of a 64-bit ELF file: no read outside them, and sums are printed as found. */
#include "tools/pmucheck/report/image.h"
#include <elf.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct image image;
    char sums[IMAGE_SUMS];
    Elf64_Ehdr header;
    if (size < sizeof(header))
        return 0;
    uint8_t *copy = malloc(size);
    memcpy(copy, data, size);
    memcpy(&header, copy, sizeof(header));
    memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_type = ET_EXEC;
    header.e_machine = EM_X86_64;
    header.e_shentsize = sizeof(Elf64_Shdr);
    memcpy(copy, &header, sizeof(header));
    image_find(&image, "fuzz", copy, size);
    image_damaged(&image);
    image_sums(&image, sums);
    if (image.kernels && !image_has(&image, strtok(sums, " ")))
        abort();
    free(copy);
    return 0;
}
