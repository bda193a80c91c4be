/* SPDX-License-Identifier: BSD-2-Clause */
/* zlib decompresses our compressed data to the original. */
#include "kernel/qr/qr.h"
#include "tests/host/case.h"

#include <stdlib.h>
#include <string.h>

#include <zlib.h>

static u8 packed[DEFLATE_TEXT_MAX * 2];
static char text[DEFLATE_TEXT_MAX], back[DEFLATE_TEXT_MAX + 1];

static void assert_comes_back(const char *dictionary, size_t length)
{
    size_t size = deflate_text(packed, sizeof(packed), dictionary, text, length);
    z_stream stream = {.next_in = packed, .avail_in = (uInt)size, .next_out = (Bytef *)back, .avail_out = sizeof(back)};
    assert_true(size > 0);
    assert_int_equal(inflateInit2(&stream, -15), Z_OK);
    assert_int_equal(inflateSetDictionary(&stream, (const Bytef *)dictionary, (uInt)strlen(dictionary)), Z_OK);
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.total_out, length);
    assert_int_equal(stream.avail_in, 0);
    assert_memory_equal(back, text, length);
    inflateEnd(&stream);
    /* With one byte less the room is too small. */
    assert_int_equal(deflate_text(packed, size - 1, dictionary, text, length), 0);
}

/* Data of few different bytes has matches of every length; data of all bytes has none. */
CASE(random_texts_come_back)
{
    static const unsigned kinds[] = {1, 2, 3, 10, 256};
    for_each_row (kinds, kind)
        for (size_t length = 0; length < 3000; length = length * 2 + 1) {
            for (size_t i = 0; i < length; i++)
                text[i] = (char)((unsigned)rand() % *kind);
            assert_comes_back("", length);
            assert_comes_back("a dictionary", length);
        }
}

/* Every length of a match at distances from the nearest to the farthest. */
CASE(every_length_and_distance_comes_back)
{
    for (size_t distance = 1; distance < 17000; distance = distance * 3 + 1)
        for (size_t length = 3; length <= 259; length += distance < 100 ? 1 : 128) {
            size_t end = 0;
            for (size_t i = 0; i < distance; i++)
                text[end++] = (char)rand();
            for (size_t i = 0; i < length; i++, end++)
                text[end] = text[end - distance];
            assert_comes_back("", end);
        }
}

CASE(the_dictionary_need_not_be_told)
{
    static const char words[] = "signature=000506e3 hypervisor=none";
    strcpy(text, words);
    assert_true(deflate_text(packed, sizeof(packed), words, text, strlen(words)) <= 6);
    assert_comes_back(words, strlen(words));
    assert_int_equal(deflate_text(packed, sizeof(packed), words, text, DEFLATE_TEXT_MAX), 0);
}

int main(void)
{
    return run_cases();
}
