/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels in an image: found at a sector, summed like in the build, refused if their headers are wrong. */
#include "tests/host/case.h"
#include "tools/pmucheck/report/image.h"
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define SECTOR 512
#define HEADERS 1024 /* the offset of the section headers */
#define SIZE 4096

static unsigned char bytes[SECTOR + SIZE];
static unsigned char *const elf = bytes + SECTOR;
static Elf64_Shdr section[7];

static const char *find(const char *names, size_t size, const char *name)
{
    const char *at = names;
    while (at < names + size && strcmp(at, name) != 0)
        at += strlen(at) + 1;
    return at;
}

static void add(unsigned number, const char *name, unsigned type, uint64_t address, size_t at, const char *content)
{
    static const char names[] = "\0.text\0.user.text\0.rodata\0.data\0.sum\0.shstrtab";
    const char *found = find(names, sizeof(names), name);
    memcpy(elf + 512, names, sizeof(names));
    section[number] = (Elf64_Shdr){.sh_name = (unsigned)(found - names),
                                   .sh_type = type,
                                   .sh_addr = address,
                                   .sh_offset = content ? at : 512,
                                   .sh_size = content ? strlen(content) : sizeof(names)};
    if (content)
        memcpy(elf + at, content, strlen(content));
}

static uint32_t sum(const char *text, size_t size)
{
    return (uint32_t)crc32(0, (const unsigned char *)text, (unsigned)size);
}

static void write_headers(void)
{
    Elf64_Ehdr header = {.e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS64},
                         .e_type = ET_EXEC,
                         .e_machine = EM_X86_64,
                         .e_shoff = HEADERS,
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = 7,
                         .e_shstrndx = 6};
    memcpy(elf, &header, sizeof(header));
    memcpy(elf + HEADERS, section, sizeof(section));
}

/* Between text and user text two bytes are left out: zeros in memory. */
static uint32_t make(void)
{
    static const char content[] = "code\0\0userconstantsfirst";
    uint32_t right = sum(content, sizeof(content) - 1);
    memset(bytes, 0, sizeof(bytes));
    memset(section, 0, sizeof(section));
    add(1, ".text", SHT_PROGBITS, 0x1000, 2048, "code");
    add(2, ".user.text", SHT_PROGBITS, 0x1006, 2060, "user");
    add(3, ".rodata", SHT_PROGBITS, 0x2000, 2100, "constants");
    add(4, ".data", SHT_PROGBITS, 0x3000, 2200, "first");
    add(5, ".sum", SHT_PROGBITS, 0x3008, 2300, "1234");
    add(6, ".shstrtab", SHT_STRTAB, 0, 512, NULL);
    memcpy(elf + 2300, &right, sizeof(right));
    write_headers();
    return right;
}

CASE(found_and_whole)
{
    struct image image;
    char spelt[16], sums[IMAGE_SUMS];
    uint32_t right = make();
    image_find(&image, "name", bytes, sizeof(bytes));
    assert_int_equal(image.kernels, 1);
    assert_int_equal(image.kernel[0].sum, right);
    assert_int_equal(image.kernel[0].now, right);
    assert_null(image_damaged(&image));
    snprintf(spelt, sizeof(spelt), "%08x", right);
    assert_true(image_has(&image, spelt));
    assert_string_equal(image_sums(&image, sums), spelt);
    assert_false(image_has(&image, ""));
    assert_false(image_has(&image, "00000000"));
}

CASE(a_flipped_bit_shows)
{
    static const size_t places[] = {2048, 2063, 2108, 2200};
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        struct image image;
        make();
        elf[places[i]] ^= 4;
        image_find(&image, "name", bytes, sizeof(bytes));
        assert_ptr_equal(image_damaged(&image), &image.kernel[0]);
    }
}

CASE(packed_by_gzip)
{
    static unsigned char medium[3 * SECTOR + SIZE];
    struct image image;
    uint32_t right = make();
    z_stream z = {.next_in = elf, .avail_in = SIZE, .next_out = medium + SECTOR, .avail_out = SIZE};
    assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    image_find(&image, "name", medium, sizeof(medium));
    assert_int_equal(image.kernels, 1);
    assert_int_equal(image.kernel[0].sum, right);
    assert_null(image_damaged(&image));
    memset(medium + SECTOR + z.total_out / 2, 0, SIZE); /* what can be unpacked is no kernel */
    image_find(&image, "name", medium, sizeof(medium));
    assert_int_equal(image.kernels, 0);
}

CASE(several_and_none)
{
    struct image image;
    char sums[IMAGE_SUMS];
    unsigned char *many = calloc(6, SIZE);
    make();
    for (unsigned i = 0; i < 6; i++)
        memcpy(many + i * SIZE, elf, SIZE);
    image_find(&image, "name", many, 6 * SIZE);
    assert_int_equal(image.kernels, IMAGE_KERNELS);
    assert_int_equal(strlen(image_sums(&image, sums)), IMAGE_KERNELS * 9 - 1);
    free(many);
    image_find(&image, "name", "", 0);
    assert_int_equal(image.kernels, 0);
    assert_string_equal(image_sums(&image, sums), "");
    image_find(&image, "name", bytes, SECTOR + HEADERS); /* cut before its section headers */
    assert_int_equal(image.kernels, 0);
    section[5].sh_size = 8;
    write_headers();
    image_find(&image, "name", bytes, sizeof(bytes));
    assert_int_equal(image.kernels, 0);
}

int main(void)
{
    return run_cases();
}
