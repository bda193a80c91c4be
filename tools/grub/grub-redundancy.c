/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Adds a Reed-Solomon code to an image that grub-mkimage made for a BIOS, so that GRUB repairs itself while it starts.
 *
 * usage: grub-redundancy FILE HEAD
 *        HEAD: the bytes before the startup code, 512 (i386-pc) or 2560 (i386-pc-eltorito)
 */
#include "tools/grub/redundancy.h"
#include <stdio.h>
#include <stdlib.h>

#define MOST (480 * 1024) /* what fits into the memory that GRUB's own code loads it to */

/* Returns NULL, or why it could not be done. */
static const char *rewrite(FILE *file, size_t head)
{
    static uint8_t image[MOST];
    size_t size = fread(image, 1, sizeof(image), file);
    if (size > MOST / 4 * 3)
        return "too large";
    size_t whole = redundancy_add(image, size, head);
    if (!whole)
        return "no image of GRUB for a BIOS, or it has a code already";
    rewind(file);
    return fwrite(image, 1, whole, file) == whole ? NULL : "cannot be written";
}

int main(int argc, char **argv)
{
    FILE *file = argc == 3 ? fopen(argv[1], "r+b") : NULL;
    if (!file) {
        fprintf(stderr, "grub-redundancy: %s cannot be opened\n", argc == 3 ? argv[1] : "FILE HEAD: the file");
        return 1;
    }
    const char *why = rewrite(file, strtoul(argv[2], NULL, 10));
    if (fclose(file) != 0 && !why)
        why = "cannot be written";
    if (why)
        fprintf(stderr, "grub-redundancy: %s: %s\n", argv[1], why);
    return why ? 1 : 0;
}
