/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The image's string functions compared with the C library's. They have the same names, so their source is included
 * here under other names instead of being linked.
 */
#define memcpy image_memcpy
#define memmove image_memmove
#define memset image_memset
#define memcmp image_memcmp
#define strlen image_strlen
#define strcmp image_strcmp
#define strncmp image_strncmp
#define strchr image_strchr
#include "kernel/text/string.c"
#include "tests/host/case.h"
#undef memcpy
#undef memmove
#undef memset
#undef memcmp
#undef strlen
#undef strcmp
#undef strncmp
#undef strchr

#include <string.h>

static int sign(int value)
{
    return (value > 0) - (value < 0);
}

static void fill(u8 *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (u8)(i * 37 + 11);
}

CASE(copies_every_length_and_alignment)
{
    u8 from[64], got[64], want[64];
    fill(from, sizeof(from));
    for (size_t offset = 0; offset < 9; offset++)
        for (size_t length = 0; length < 40; length++) {
            memset(got, 0xee, sizeof(got));
            memset(want, 0xee, sizeof(want));
            assert_ptr_equal(image_memcpy(got + offset, from + 3, length), got + offset);
            memcpy(want + offset, from + 3, length);
            assert_memory_equal(got, want, sizeof(got));
        }
}

CASE(moves_overlapping_ranges)
{
    u8 got[64], want[64];
    for (size_t from = 0; from < 20; from++)
        for (size_t to = 0; to < 20; to++)
            for (size_t length = 0; length < 40; length++) {
                fill(got, sizeof(got));
                fill(want, sizeof(want));
                assert_ptr_equal(image_memmove(got + to, got + from, length), got + to);
                memmove(want + to, want + from, length);
                assert_memory_equal(got, want, sizeof(got));
            }
}

CASE(fills)
{
    u8 got[64], want[64];
    for (size_t length = 0; length < 40; length++) {
        memset(got, 1, sizeof(got));
        memset(want, 1, sizeof(want));
        image_memset(got + 5, 0x1a5, length);
        memset(want + 5, 0x1a5, length);
        assert_memory_equal(got, want, sizeof(got));
    }
}

CASE(compares_as_the_library)
{
    static const char *const texts[] = {"", "a", "ab", "abc", "abd", "\xff", "a\xff", "b"};
    for_each_row (texts, left) {
        assert_int_equal(image_strlen(*left), strlen(*left));
        assert_ptr_equal(image_strchr(*left, 'b'), strchr(*left, 'b'));
        assert_ptr_equal(image_strchr(*left, 0), strchr(*left, 0));
        for_each_row (texts, right) {
            assert_int_equal(sign(image_strcmp(*left, *right)), sign(strcmp(*left, *right)));
            for (size_t length = 0; length < 5; length++)
                assert_int_equal(sign(image_strncmp(*left, *right, length)), sign(strncmp(*left, *right, length)));
            assert_int_equal(sign(image_memcmp(*left, *right, 1)), sign(memcmp(*left, *right, 1)));
        }
    }
}

int main(void)
{
    return run_cases();
}
