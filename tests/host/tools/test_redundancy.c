/* SPDX-License-Identifier: BSD-2-Clause */
/* The code that lets GRUB repair itself: each column of each block has the roots that GRUB's startup code looks for. */
#include "tests/host/case.h"
#include "tools/grub/redundancy.h"
#include <stdbool.h>
#include <string.h>

#define HEAD 512
#define OPEN 0x75b
#define SIZE 193001

static uint8_t image[300 * 1024];

static void make(size_t size)
{
    memset(image, 0, sizeof(image));
    for (size_t i = HEAD; i < size; i++)
        image[i] = (uint8_t)(i * 37 ^ i >> 8);
    memset(image + HEAD + 0x10, 0, 4);
    image[HEAD + 0x14] = OPEN & 255;
    image[HEAD + 0x15] = OPEN >> 8;
}

/* Twice x, in GRUB's field. */
static uint8_t twice(uint8_t x)
{
    return (uint8_t)(x << 1 ^ (x & 0x80 ? 0x1d : 0));
}

/* The polynomial of data and code, the highest coefficient first, at 2 to the power `root`. */
static uint8_t value(const uint8_t *data, size_t count, const uint8_t *code, size_t codes, unsigned root)
{
    uint8_t sum = 0;
    for (size_t i = 0; i < count + codes; i++) {
        for (unsigned k = 0; k < root; k++)
            sum = twice(sum);
        sum ^= i < count ? data[i * 512] : code[(i - count) * 512];
    }
    return sum;
}

static void assert_block(const uint8_t *data, size_t size, const uint8_t *code, size_t room)
{
    for (unsigned i = 0; i < 512; i += 73) {
        size_t count = (size + 511 - i) / 512, codes = (room + 511 - i) / 512;
        for (unsigned root = 0; root < codes; root++)
            assert_int_equal(value(data + i, count, code + i, codes, root), 0);
    }
}

CASE(every_column_has_its_roots)
{
    make(SIZE);
    size_t whole = redundancy_add(image, SIZE, HEAD), size = SIZE - HEAD - OPEN, room = whole - SIZE;
    assert_int_equal(whole % 512, 0);
    assert_in_range(whole, SIZE, SIZE / 5 * 6);
    const uint8_t *data = image + HEAD + OPEN, *code = image + SIZE;
    unsigned blocks = 0;
    for (; size; blocks++) {
        bool last = size + room <= (size_t)200 * 512;
        size_t part = last ? size : size * 200 / (size + room) * 512;
        size_t share = last ? room : room * 200 / (size + room) * 512;
        assert_true(share / 512 >= 10); /* repairs five sectors: 2 KiB wherever they begin */
        assert_block(data, part, code, share);
        data += part, size -= part, code += share, room -= share;
    }
    assert_int_equal(blocks, 2);
}

CASE(grub_is_told)
{
    make(SIZE);
    size_t whole = redundancy_add(image, SIZE, HEAD), room = whole - SIZE;
    assert_int_equal(image[HEAD + 0x10] | image[HEAD + 0x11] << 8 | image[HEAD + 0x12] << 16, room);
    assert_int_equal(image[0x1fc] | image[0x1fd] << 8, whole / 512 - 1);
    assert_int_equal(redundancy_add(image, SIZE, HEAD), 0); /* it has a code already */
}

CASE(other_files_are_refused)
{
    make(SIZE);
    assert_int_equal(redundancy_add(image, 600, HEAD), 0); /* the part without a code is longer */
    assert_int_equal(redundancy_add(image, 100, HEAD), 0);
    memset(image, 0, SIZE);
    assert_int_equal(redundancy_add(image, SIZE, HEAD), 0);
}

int main(void)
{
    return run_cases();
}
