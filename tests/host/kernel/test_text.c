/* SPDX-License-Identifier: BSD-2-Clause */
/* Texts: patterns, likely words, printing, checksums. */
#include "kernel/text/text.h"
#include "tests/host/case.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

CASE(patterns)
{
    static const struct {
        const char *pattern, *text;
        bool match;
    } rows[] = {
        {"", "", true},
        {"", "a", false},
        {"*", "", true},
        {"*", "gp.exact", true},
        {"gp.exact", "gp.exact", true},
        {"gp.exact", "gp.exactly", false},
        {"gp.exactly", "gp.exact", false},
        {"gp.*", "gp.exact", true},
        {"gp.*", "gpx", false},
        {"*.exact", "gp.exact", true},
        {"*exact", "gp.exact-exact", true},
        {"g?.exact", "gp.exact", true},
        {"g?.exact", "g.exact", false},
        {"???", "ab", false},
        {"*a*b*c*", "xxaxxbxxcxx", true},
        {"*a*b*c*", "xxaxxcxxbxx", false},
        {"**", "x", true},
        {"a*?", "a", false},
        {"a*?", "ab", true},
        {"a,b", "a,b", true}, /* a comma is nothing special in a single pattern */
        {"*a*a*a*a*a*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
    };
    for_each_row (rows, row)
        if (glob_match(row->pattern, row->text) != row->match)
            fail_msg("pattern \"%s\" text \"%s\"", row->pattern, row->text);
}

CASE(lists)
{
    static const struct {
        const char *list, *text;
        bool match;
    } rows[] = {
        {"", "", false},
        {"", "a", false},
        {"a", "a", true},
        {"a,b", "b", true},
        {"a,b", "a,b", false},
        {",,b", "b", true},
        {",,", "", false},
        {"gp.*,pmi.*", "pmi.fixed", true},
        {"gp.*,pmi.*", "gp", false},
        {"a*,", "abc", true},
        {"a", "b", false},
    };
    for_each_row (rows, row)
        if (glob_list_match(row->list, row->text) != row->match)
            fail_msg("list \"%s\" text \"%s\"", row->list, row->text);
}

CASE(items)
{
    const char *list = ",one,,two,threefour,";
    char item[6];
    assert_true(list_next(&list, item, sizeof(item)));
    assert_string_equal(item, "one");
    assert_true(list_next(&list, item, sizeof(item)));
    assert_string_equal(item, "two");
    assert_true(list_next(&list, item, sizeof(item)));
    assert_string_equal(item, "three");
    assert_false(list_next(&list, item, sizeof(item)));
    assert_string_equal(item, "");
    assert_false(list_next(&list, item, sizeof(item)));
}

/* ---- The word that was meant. */

static const char *meant(const char *typed, const char *const words[])
{
    struct near near = near_to(typed);
    for (; *words; words++)
        near_try(&near, *words);
    return near.word;
}

CASE(the_most_similar_word_is_meant)
{
    static const char *const words[] = {"report", "repeat", "compare", "quick", NULL};
    assert_string_equal(meant("report", words), "report");
    assert_string_equal(meant("repot", words), "report");
    assert_string_equal(meant("repet", words), "repeat");
    assert_string_equal(meant("cmpare", words), "compare");
    assert_string_equal(meant("quik", words), "quick");
}

CASE(a_word_that_resembles_none_is_no_mistake)
{
    static const char *const words[] = {"report", "compare", NULL}, *const none[] = {NULL};
    assert_null(meant("frobnicate", words));
    assert_null(meant("", words));
    assert_null(meant("report", none));
}

CASE(of_equals_the_first_is_meant_and_long_words_never)
{
    static const char *const words[] = {"abcdefghijklmnopqrstuvwxyz", "lab", "lob", NULL};
    assert_string_equal(meant("leb", words), "lab");
    assert_null(meant("abcdefghijklmnopqrstuvwxyz", words));
}

/* format_text() compared with the C library's snprintf for every combination of flags, widths, precisions and
 * lengths. */

static void assert_same(const char *format, u64 value)
{
    char got[128], want[128];
/* The format is built at run time, on purpose. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"
    int want_length = snprintf(want, sizeof(want), format, value);
    int got_length = format_text(got, sizeof(got), format, value);
#pragma GCC diagnostic pop
    if (strcmp(got, want) || got_length != want_length)
        fail_msg("\"%s\" of %#llx: got \"%s\", want \"%s\"", format, (unsigned long long)value, got, want);
}

CASE(numbers_are_as_the_library_prints_them)
{
    static const char *const flags[] = {"", "-", "0", "+", " ", "#", "-0", "0#", "-#", "0+", "+ "};
    static const char *const widths[] = {"", "1", "5", "12", "30"};
    static const char *const precisions[] = {"", ".", ".0", ".1", ".7", ".25"};
    static const char *const lengths[] = {"hh", "h", "", "l", "ll", "z", "j", "t"};
    static const char letters[] = "diuxXo";
    static const u64 values[] = {0,     1,          7,          127,         128,           255,        32768,
                                 65535, 0x7fffffff, 0x80000000, 0xffffffff,  0x12345678,    1ull << 63, ~0ull >> 1,
                                 ~0ull, 42,         1000000,    01234567012, 0x100000000ull};
    for_each_row (flags, flag)
        for_each_row (widths, width)
            for_each_row (precisions, precision)
                for_each_row (lengths, length)
                    for (const char *letter = letters; *letter; letter++)
                        for_each_row (values, value) {
                            char format[32];
                            snprintf(format, sizeof(format), "<%%%s%s%s%s%c>", *flag, *width, *precision, *length,
                                     *letter);
                            assert_same(format, *value);
                        }
}

#define ASSERT_FORMAT(...)                                                                             \
    do {                                                                                               \
        char got[64], want[64];                                                                        \
        assert_int_equal(format_text(got, sizeof(got), __VA_ARGS__), snprintf(want, 64, __VA_ARGS__)); \
        assert_string_equal(got, want);                                                                \
    } while (0)

CASE(strings_and_characters)
{
    char unterminated[3] = {'x', 'y', 'z'};
    ASSERT_FORMAT("%s|%10s|%-10s|%.2s|%10.2s|", "abc", "abc", "abc", "abc", "abc");
    ASSERT_FORMAT("%.*s|%*s|%-*s|%*d|", 3, unterminated, 5, "a", 5, "b", -6, 42);
    ASSERT_FORMAT("%c%5c%-5c|100%%", 'a', 'b', 'c');
    ASSERT_FORMAT("%p", (void *)0x1234);
}

CASE(always_terminated_and_full_length_returned)
{
    char text[8];
    memset(text, 'x', sizeof(text));
    assert_int_equal(format_text(text, 4, "%s", "abcdefgh"), 8);
    assert_string_equal(text, "abc");
    assert_int_equal(text[4], 'x');
    assert_int_equal(format_text(text, 0, "%d", 1234), 4);
    assert_int_equal(text[0], 'a');
    assert_int_equal(format_text(text, 1, "%d", 1234), 4);
    assert_string_equal(text, "");
}

CASE(missing_string_is_named)
{
    char text[16];
    const char *volatile nothing = NULL;
    format_text(text, sizeof(text), "%s", nothing);
    assert_string_equal(text, "(null)");
}

CASE(quoting)
{
    static const struct {
        const char *value, *want;
        size_t size;
    } rows[] = {
        {"skylake", "skylake", 32},
        {"a.b_c:d+e/f-9", "a.b_c:d+e/f-9", 32},
        {"", "\"\"", 32},
        {"two words", "\"two words\"", 32},
        {"a\"b\\c", "\"a\\\"b\\\\c\"", 32},
        {"a=b", "\"a=b\"", 32},
        {"plain", "\"pl\"", 5},
        {"two words", "\"two\"", 6},
        {"ab\"\"\"", "\"ab\"", 6},
        {"ab\"\"", "\"ab\\\"\"", 7},
        {"x", "", 1},
    };
    for_each_row (rows, row) {
        char text[32];
        memset(text, '#', sizeof(text));
        assert_string_equal(format_quoted(text, row->size, row->value), row->want);
        assert_true(row->size == sizeof(text) || text[row->size] == '#');
    }
}

CASE(is_zlibs)
{
    u8 data[300];
    u32 crc = 0;
    uLong want = crc32(0, NULL, 0);
    srand(1);
    for (size_t length = 0; length < sizeof(data); length++) {
        for (size_t i = 0; i < length; i++)
            data[i] = (u8)rand();
        assert_int_equal(crc32_update(0, data, length), crc32(0, data, (uInt)length));
        crc = crc32_update(crc, data, length); /* in pieces */
        want = crc32(want, data, (uInt)length);
        assert_int_equal(crc, want);
    }
}

int main(void)
{
    return run_cases();
}
