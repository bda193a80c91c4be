/* SPDX-License-Identifier: BSD-2-Clause */
/* Any text, with any dictionary: zlib gets it back. */
#include "kernel/qr/qr.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const u8 *packed, size_t size, const char *dictionary, const char *text, size_t length)
{
    static unsigned char back[DEFLATE_TEXT_MAX + 1];
    z_stream z = {
        .next_in = (unsigned char *)packed, .avail_in = (unsigned)size, .next_out = back, .avail_out = sizeof(back)};
    if (inflateInit2(&z, -MAX_WBITS) != Z_OK ||
        inflateSetDictionary(&z, (const unsigned char *)dictionary, (unsigned)strlen(dictionary)) != Z_OK ||
        inflate(&z, Z_FINISH) != Z_STREAM_END || z.total_out != length || z.avail_in != 0 ||
        memcmp(back, text, length) != 0)
        abort();
    inflateEnd(&z);
}

/* The first byte says how much of the rest is the dictionary, in 256ths, and how much room there is. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static u8 packed[2 * DEFLATE_TEXT_MAX];
    if (size < 2)
        return 0;
    size_t all = size - 2, known = all * data[0] / 256, room = data[1] < 128 ? data[1] : sizeof(packed);
    char *dictionary = calloc(known + 1, 1), *text = malloc(all - known + 1);
    if (!dictionary || !text)
        abort();
    memcpy(dictionary, data + 2, known);
    memcpy(text, data + 2 + known, all - known);
    size_t used = deflate_text(packed, room, dictionary, text, all - known);
    if (used > room)
        abort();
    if (used)
        check(packed, used, dictionary, text, all - known);
    free(dictionary);
    free(text);
    return 0;
}
