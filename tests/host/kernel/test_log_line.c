/* SPDX-License-Identifier: BSD-2-Clause */
/* The log writer's lines, checked like a reader of the log does: with zlib, over the written bytes. */
#include "kernel/log/log.h"
#include "tests/host/case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static char output[1 << 20];
static size_t output_length;

static void keep(struct log_writer *writer, const char *text, size_t length)
{
    (void)writer; /* a test has one */
    assert_true(output_length + length < sizeof(output));
    memcpy(output + output_length, text, length);
    output_length += length;
    output[output_length] = 0;
}

static struct log_writer fresh(void)
{
    output_length = 0;
    output[0] = 0;
    return (struct log_writer){.emit = keep};
}

__attribute__((format(printf, 2, 3))) static void line(struct log_writer *writer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    log_writer_line(writer, format, args);
    va_end(args);
}

__attribute__((format(printf, 2, 3))) static void end(struct log_writer *writer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    log_writer_end(writer, format, args);
    va_end(args);
}

struct seen {
    unsigned lines, syncs, longest_block;
    size_t longest_bytes;
    bool end;
};

/* Reads the log back: every CRC in it must be right. */
static struct seen read_back(void)
{
    struct seen seen = {0};
    unsigned block_lines = 0;
    size_t block_bytes = 0;
    uLong all = crc32(0, NULL, 0), block = all;
    char *text = output, *next;
    for (; *text; text = next) {
        char *cr = strstr(text, "\r\n"), *crc = strstr(text, "crc32=");
        assert_non_null(cr);
        assert_false(seen.end);
        next = cr + 2;
        seen.lines++;
        block_lines++;
        block_bytes += (size_t)(next - text);
        if (block_lines > seen.longest_block)
            seen.longest_block = block_lines;
        if (block_bytes > seen.longest_bytes)
            seen.longest_bytes = block_bytes;

        bool sync = !strncmp(text, "# sync ", 7);

        seen.end = !strncmp(text, "# end ", 6);
        if (sync || seen.end) {
            assert_true(crc && crc < cr && cr - crc == 6 + 8);
            assert_int_equal(strtoul(crc + 6, NULL, 16),
                             crc32(sync ? block : all, (Bytef *)text, (uInt)(crc + 6 - text)));
        }
        if (sync)
            assert_int_equal(strtoul(text + strlen("# sync seq="), NULL, 10), ++seen.syncs);
        all = crc32(crc32(all, (Bytef *)text, (uInt)(cr - text)), (const Bytef *)"\n", 1);
        block = crc32(crc32(block, (Bytef *)text, (uInt)(cr - text)), (const Bytef *)"\n", 1);
        if (sync) {
            block = crc32(0, NULL, 0);
            block_lines = 0;
            block_bytes = 0;
        }
    }
    return seen;
}

CASE(text_is_sanitised_and_indented)
{
    struct log_writer writer = fresh();
    line(&writer,
         "a\tb\nc\x7f"
         "d\xc3\xa4~ %d",
         7);
    writer.indent = 2;
    line(&writer, "ok 1 x");
    line(&writer, "%s", "");
    assert_string_equal(output, "a?b?c?d??~ 7\r\n    ok 1 x\r\n    \r\n");
}

CASE(long_lines_are_cut_visibly)
{
    struct log_writer writer = fresh();
    char text[3000];
    memset(text, 'x', sizeof(text));
    text[sizeof(text) - 1] = 0;
    line(&writer, "%.*s", LOG_LINE_SIZE, text);
    assert_int_equal(output_length, LOG_LINE_SIZE + 2);
    assert_null(strstr(output, "..."));
    writer = fresh();
    line(&writer, "%.*s", LOG_LINE_SIZE + 1, text);
    assert_int_equal(output_length, LOG_LINE_SIZE + 2);
    assert_string_equal(output + output_length - 6, "x...\r\n");
    writer = fresh();
    log_writer_start(&writer);
    end(&writer, "%s", text);
    assert_true(read_back().end);
}

CASE(crcs_and_sync_lines)
{
    struct log_writer writer = fresh();
    log_writer_start(&writer);
    line(&writer, "KTAP version 1");
    for (int i = 0; i < 333; i++) {
        writer.indent = i % 3;
        line(&writer, "# row i=%d", i);
    }
    end(&writer, "verdict=%s pass=%d", "pass", 3);

    struct seen seen = read_back();

    assert_true(seen.end);
    assert_int_equal(seen.longest_block, LOG_SYNC_LINES);
    assert_int_equal(seen.syncs, 334 / (LOG_SYNC_LINES - 1));
    assert_non_null(strstr(output, "\r\n# end verdict=pass pass=3 crc32="));
}

CASE(long_lines_sync_earlier)
{
    struct log_writer writer = fresh();
    log_writer_start(&writer);
    for (int i = 0; i < 60; i++)
        line(&writer, "# %0600d", i);
    assert_int_equal(read_back().syncs, 60 / 7);
    assert_true(read_back().longest_bytes < LOG_SYNC_BYTES + LOG_LINE_SIZE);
}

CASE(nothing_before_the_start_counts)
{
    struct log_writer writer = fresh();
    for (int i = 0; i < 200; i++)
        line(&writer, "early %d", i);
    assert_null(strstr(output, "sync"));
    output_length = 0;
    log_writer_start(&writer);
    line(&writer, "KTAP version 1");
    end(&writer, "verdict=untested");
    assert_true(read_back().end);
}

CASE(nothing_after_the_end)
{
    struct log_writer writer = fresh();
    log_writer_start(&writer);
    end(&writer, "verdict=error");
    line(&writer, "late");
    end(&writer, "verdict=pass");
    assert_int_equal(read_back().lines, 1);
}

int main(void)
{
    return run_cases();
}
