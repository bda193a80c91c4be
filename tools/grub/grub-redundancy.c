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

static int fail(const char *path, const char *what)
{
    fprintf(stderr, "grub-redundancy: %s: %s\n", path, what);
    return 1;
}

int main(int argc, char **argv)
{
    static uint8_t image[MOST];
    if (argc != 3)
        return fail("usage", "grub-redundancy FILE HEAD");
    FILE *file = fopen(argv[1], "r+b");
    size_t size = file ? fread(image, 1, sizeof(image), file) : 0;
    if (!size || redundancy_size(size) > sizeof(image))
        return fail(argv[1], file ? "too large, or empty" : "cannot be opened");
    if (!redundancy_add(image, size, strtoul(argv[2], NULL, 10)))
        return fail(argv[1], "no image of GRUB for a BIOS, or it has a code already");
    rewind(file);
    bool good = fwrite(image, 1, redundancy_size(size), file) == redundancy_size(size);
    return fclose(file) == 0 && good ? 0 : fail(argv[1], "cannot be written");
}
