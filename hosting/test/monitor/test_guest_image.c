/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernel files built byte by byte, whole and broken. */
#include "boot/bytes.h"
#include "hosting/image/image.h"
#include "tests/host/case.h"

#include <stdlib.h>
#include <string.h>

#define SIZE 4096
static u8 file[SIZE];
static struct guest_image image;

static void put(unsigned at, u64 value, unsigned count)
{
    bytes_put(file + at, value, count);
}

/* A copy of exact size on the heap, so that the sanitiser notices every byte read too far. */
static const char *parse(u64 size)
{
    u8 *copy = malloc(size ? size : 1);
    memcpy(copy, file, size);
    const char *wrong = guest_image_parse(copy, size, &image);
    free(copy);
    return wrong;
}

static void assert_wrong(const char *wrong, const char *word)
{
    assert_non_null(wrong);
    if (!strstr(wrong, word))
        fail_msg("\"%s\" does not say \"%s\"", wrong, word);
}

/* One segment of 100 bytes at offset 0x800 and 200 in memory, linked at an address that differs from where it lies. */
static void elf(unsigned bits)
{
    bool wide = bits == 64;
    unsigned table = 0x200;
    memset(file, 0, sizeof(file));
    memcpy(file, "\177ELF", 4);
    file[4] = wide ? 2 : 1;
    file[5] = 1;
    put(18, wide ? 62 : 3, 2);
    put(24, 0xc0100010, wide ? 8 : 4);
    put(wide ? 32 : 28, table, wide ? 8 : 4);
    put(wide ? 54 : 42, wide ? 56 : 32, 2);
    put(wide ? 56 : 44, 2, 2);
    table += wide ? 56 : 32; /* the first is not PT_LOAD */
    put(table, 1, 4);
    put(table + (wide ? 8 : 4), 0x800, wide ? 8 : 4);
    put(table + (wide ? 16 : 8), 0xc0100000, wide ? 8 : 4);
    put(table + (wide ? 24 : 12), 0x100000, wide ? 8 : 4);
    put(table + (wide ? 32 : 16), 100, wide ? 8 : 4);
    put(table + (wide ? 40 : 20), 200, wide ? 8 : 4);
}

static void header1(unsigned at, u32 flags)
{
    put(at, 0x1badb002, 4);
    put(at + 4, flags, 4);
    put(at + 8, -(0x1badb002 + flags), 4);
}

static unsigned header2_end;

static void header2(unsigned at)
{
    put(at, 0xe85250d6, 4);
    header2_end = at + 16;
}

static void tag(u16 type, u16 flags, u32 size)
{
    put(header2_end, type, 2);
    put(header2_end + 2, flags, 2);
    put(header2_end + 4, size, 4);
    header2_end += (size + 7) & ~7u;
}

static void close2(unsigned at)
{
    tag(0, 0, 8);
    put(at + 8, header2_end - at, 4);
    put(at + 12, -(0xe85250d6 + header2_end - at), 4);
}

CASE(test_elf)
{
    for (unsigned bits = 32; bits <= 64; bits += 32) {
        elf(bits);
        header1(0x804, 3);
        assert_null(parse(SIZE));
        assert_int_equal(image.kind, GUEST_MULTIBOOT1);
        assert_int_equal(image.segments, 1);
        assert_int_equal(image.segment[0].offset, 0x800);
        assert_int_equal(image.segment[0].file_size, 100);
        assert_int_equal(guest_image_start(&image), 0x100000);
        assert_int_equal(guest_image_end(&image), 0x100000 + 200);
        assert_int_equal(image.entry, 0x100010);
    }
}

CASE(test_elf_broken)
{
    elf(32);
    header1(0x804, 0);
    put(0x220 + 16, 0x900, 4); /* more in the file than in memory, and more than the file has */
    assert_wrong(parse(SIZE), "outside the file");
    put(0x220 + 16, 201, 4);
    assert_wrong(parse(SIZE), "larger in the file");
    put(0x220 + 16, 100, 4);
    put(0x220 + 12, 0xfffffff0, 4);
    assert_wrong(parse(SIZE), "above 4 GiB");
    elf(32);
    header1(0x804, 0);
    put(24, 0xdead0000, 4);
    assert_wrong(parse(SIZE), "entry");
    put(28, 0xffffffff, 4);
    assert_wrong(parse(SIZE), "program headers");
    put(18, 40, 2);
    assert_wrong(parse(SIZE), "not an x86 ELF file");
}

CASE(test_no_header)
{
    elf(64);
    assert_wrong(parse(SIZE), "no multiboot");
    header1(0x804, 0);
    put(0x808, 1, 4); /* the checksum is wrong */
    assert_wrong(parse(SIZE), "no multiboot");
    assert_wrong(parse(0), "no multiboot");
}

CASE(test_demands)
{
    elf(32);
    header1(0x804, 4);
    assert_wrong(parse(SIZE), "video");
    header1(0x804, 8);
    assert_wrong(parse(SIZE), "unknown features");
}

/* Not an ELF file: the header itself has the addresses. */
CASE(test_addresses1)
{
    memset(file, 0, sizeof(file));
    header1(0x40, 0x10000);
    put(0x40 + 12, 0x200040, 4);
    put(0x40 + 16, 0x200000, 4);
    put(0x40 + 20, 0, 4);
    put(0x40 + 24, 0x203000, 4);
    put(0x40 + 28, 0x200100, 4);
    assert_null(parse(SIZE));
    assert_int_equal(image.segment[0].offset, 0);
    assert_int_equal(image.segment[0].file_size, SIZE);
    assert_int_equal(image.segment[0].memory_size, 0x3000);
    assert_int_equal(image.entry, 0x200100);
    put(0x40 + 16, 0x1fff00, 4); /* more before the header than the file has */
    assert_wrong(parse(SIZE), "do not fit");
    put(0x40 + 16, 0x200000, 4);
    put(0x40 + 20, 0x1fffff, 4);
    assert_wrong(parse(SIZE), "out of order");
    put(0x40 + 20, 0, 4);
    put(0x40 + 24, 0x1fffff, 4);
    assert_wrong(parse(SIZE), "out of order");
    assert_wrong(parse(0x40 + 16), "cut short");
}

CASE(test_multiboot2)
{
    elf(64);
    header2(0x800);
    put(header2_end + 8, 6, 4);
    put(header2_end + 12, 15, 4);
    tag(1, 0, 16);
    tag(5, 1, 20);
    close2(0x800);
    assert_null(parse(SIZE));
    assert_int_equal(image.kind, GUEST_MULTIBOOT2);
    assert_int_equal(image.entry, 0x100010);
    put(0x804, 4, 4);
    put(0x80c, -(0xe85250d6 + 4 + (header2_end - 0x800)), 4);
    assert_wrong(parse(SIZE), "another architecture");
}

CASE(test_multiboot2_addresses)
{
    memset(file, 0, sizeof(file));
    header2(0x10);
    put(header2_end + 8, 0x300010, 4);
    put(header2_end + 12, 0x300000, 4);
    put(header2_end + 16, 0x300800, 4);
    put(header2_end + 20, 0, 4);
    tag(2, 0, 24);
    close2(0x10);
    assert_wrong(parse(SIZE), "no entry");
    header2_end -= 8;
    put(header2_end + 8, 0x300020, 4);
    tag(3, 0, 12);
    close2(0x10);
    assert_null(parse(SIZE));
    assert_int_equal(image.segment[0].file_size, 0x800);
    assert_int_equal(image.entry, 0x300020);
}

CASE(test_multiboot2_broken)
{
    static const struct {
        u16 type, flags;
        u32 size;
        const char *says;
    } tags[] = {
        {7, 0, 8, "boot services"}, {99, 0, 8, "not offered"},        {2, 0, 8, "too small"}, {3, 0, 8, "too small"},
        {1, 0, 4, "wrong size"},    {1, 0, 0xfffffff8, "wrong size"}, {7, 1, 8, NULL},        {99, 1, 8, NULL}};
    for_each_row (tags, t) {
        elf(32);
        header2(0x800);
        u32 end = header2_end + 8;
        tag(t->type, t->flags, t->size);
        header2_end = end;
        close2(0x800);
        if (t->says)
            assert_wrong(parse(SIZE), t->says);
        else
            assert_null(parse(SIZE));
    }
    elf(32);
    header2(0x800);
    put(header2_end + 8, 8, 4); /* a framebuffer that it requires */
    tag(1, 0, 12);
    close2(0x800);
    assert_wrong(parse(SIZE), "not offered");
    assert_wrong(parse(0x818), "cut short");
}

CASE(test_linux)
{
    memset(file, 0, sizeof(file));
    file[0x1f1] = 3;
    put(0x1fe, 0xaa55, 2);
    put(0x200, 0x62eb, 2);
    memcpy(file + 0x202, "HdrS", 4);
    put(0x206, 0x20f, 2);
    file[0x211] = 1;
    put(0x22c, 0x7fffffff, 4);
    put(0x238, 2047, 4);
    put(0x258, 0x1000000, 8);
    put(0x260, 0x20000, 4);
    assert_null(parse(SIZE));
    assert_int_equal(image.kind, GUEST_LINUX);
    assert_int_equal(image.entry, 0x1000000);
    assert_int_equal(image.segment[0].offset, 2048);
    assert_int_equal(image.segment[0].memory_size, 0x20000);
    assert_int_equal(image.module_limit, 0x80000000);
    assert_int_equal(image.setup_size, 0x202 + 0x62 - 0x1f1);
    put(0x206, 0x209, 2);
    assert_wrong(parse(SIZE), "2.10");
    put(0x206, 0x20f, 2);
    assert_wrong(parse(1024), "cut short");
}

int main(void)
{
    return run_cases();
}
