/* SPDX-License-Identifier: BSD-2-Clause */
/* The log in memory that a reset preserves, and which tests hung. */
#include "kernel/log/kept.h"
#include "tests/host/case.h"
#include <stdio.h>
#include <string.h>

/* ---- A log in memory that a reset keeps: whole or absent, whenever the machine stopped. */

#define SIZE 4096
static union {
    struct kept kept;
    char bytes[SIZE];
} block;

static void add(const char *text)
{
    kept_add(&block.kept, SIZE, text, strlen(text));
}

CASE(what_was_added_is_found)
{
    char name[16];
    memset(&block, 0xff, sizeof(block));
    assert_int_equal(kept_unfinished(&block.kept, SIZE), 0); /* uninitialised memory */
    kept_begin(&block.kept, SIZE);
    assert_int_equal(kept_unfinished(&block.kept, SIZE), 0);
    add("# begin gp.exact\r\n");
    add("ok 1 gp.exact\r\n  # begin pmi.nmi\r\n");
    size_t length = kept_unfinished(&block.kept, SIZE);
    assert_int_equal(length, 18 + 15 + 19);
    assert_memory_equal(block.kept.text, "# begin gp.exact\r\nok 1", 22);
    kept_running(block.kept.text, length, name, sizeof(name));
    assert_string_equal(name, "pmi.nmi");
    kept_running(block.kept.text, length, name, 4);
    assert_string_equal(name, "pmi");
    kept_running(block.kept.text, 4, name, sizeof(name));
    assert_string_equal(name, "none");
}

CASE(the_step_of_the_start_is_found)
{
    char name[8];
    kept_begin(&block.kept, SIZE);
    add("# pmucheck version=1\r\n");
    kept_step(block.kept.text, kept_unfinished(&block.kept, SIZE), name, sizeof(name));
    assert_string_equal(name, "");
    add("# start memory\r\n# start acpi\r\n# acpi cpus=2\r\n");
    kept_step(block.kept.text, kept_unfinished(&block.kept, SIZE), name, sizeof(name));
    assert_string_equal(name, "acpi");
    add("# started\r\n# start tests\r\n");
    kept_step(block.kept.text, kept_unfinished(&block.kept, SIZE), name, 3);
    assert_string_equal(name, "te");
}

/* Lines about the previous log are not part of a log. */
CASE(what_is_quoted_is_not_taken)
{
    char name[16];
    kept_begin(&block.kept, SIZE);
    add("# start cpus\r\n# start tests\r\n# previous-run | # start acpi\r\n# previous-run |   # begin gp.exact\r\n");
    size_t length = kept_unfinished(&block.kept, SIZE);
    kept_step(block.kept.text, length, name, sizeof(name));
    assert_string_equal(name, "tests");
    kept_running(block.kept.text, length, name, sizeof(name));
    assert_string_equal(name, "none");
    add("    # begin pmi.nmi\r\n");
    kept_running(block.kept.text, kept_unfinished(&block.kept, SIZE), name, sizeof(name));
    assert_string_equal(name, "pmi.nmi");
}

CASE(a_run_that_ended_is_not_told)
{
    kept_begin(&block.kept, SIZE);
    add("one\r\n");
    assert_int_not_equal(kept_unfinished(&block.kept, SIZE), 0);
    add("# end verdict=pass crc32=00000000\r\n");
    assert_int_equal(kept_unfinished(&block.kept, SIZE), 0);
    kept_begin(&block.kept, SIZE);
    add("two\r\n");
    assert_int_equal(kept_unfinished(&block.kept, SIZE), 5);
}

CASE(any_damage_shows)
{
    kept_begin(&block.kept, SIZE);
    add("one line of a log\r\n");
    for (size_t bit = 0; bit < 8 * (sizeof(struct kept) + 19); bit++) {
        block.bytes[bit / 8] ^= (char)(1 << bit % 8);
        assert_int_equal(kept_unfinished(&block.kept, SIZE), 0);
        block.bytes[bit / 8] ^= (char)(1 << bit % 8);
    }
    assert_int_equal(kept_unfinished(&block.kept, SIZE), 19);
}

CASE(the_older_half_goes)
{
    char line[32];
    kept_begin(&block.kept, SIZE);
    for (int i = 0; i < 1000; i++) {
        snprintf(line, sizeof(line), "line %04d\r\n", i);
        add(line);
    }
    size_t length = kept_unfinished(&block.kept, SIZE);
    assert_in_range(length, SIZE / 3, SIZE);
    assert_int_equal(length % 11, 0);
    assert_memory_equal(block.kept.text, "line ", 5);
    assert_memory_equal(block.kept.text + length - 11, "line 0999\r\n", 11);
    const char *tail = kept_tail(block.kept.text, length, 30);
    assert_memory_equal(tail, "line 0998\r\n", 11);
    assert_ptr_equal(kept_tail(block.kept.text, length, SIZE), block.kept.text);
    char long_line[SIZE] = "";
    memset(long_line, 'x', SIZE - 1);
    add(long_line); /* too long beside other lines: left out */
    assert_int_equal(kept_unfinished(&block.kept, SIZE), length);
}

/* ---- The list of tests that hung the machine: valid or empty, and never longer than its room. */

static struct hung hung;

CASE(starts_empty_from_anything)
{
    memset(&hung, 0xff, sizeof(hung));
    hung_begin(&hung);
    assert_int_equal(hung.count, 0);
    memset(&hung, 0, sizeof(hung)); /* as memory often is after power-on */
    hung_begin(&hung);
    assert_int_equal(hung.count, 0);
    assert_false(hung_has(&hung, "pmi.nmi"));
}

CASE(remembers)
{
    hung_clear(&hung);
    hung_add(&hung, "pmi.nmi");
    hung_add(&hung, "gp.halt");
    hung_add(&hung, "pmi.nmi");
    hung_begin(&hung);
    assert_int_equal(hung.count, 2);
    assert_true(hung_has(&hung, "pmi.nmi") && hung_has(&hung, "gp.halt"));
    assert_false(hung_has(&hung, "pmi.nm") || hung_has(&hung, "pmi.nmi-latch"));
}

CASE(any_damage_empties)
{
    hung_clear(&hung);
    hung_add(&hung, "pmi.nmi");
    for (size_t bit = 0; bit < 8 * sizeof(hung); bit++) {
        struct hung damaged = hung;
        ((char *)&damaged)[bit / 8] ^= (char)(1 << bit % 8);
        hung_begin(&damaged);
        assert_int_equal(damaged.count, 0);
    }
}

CASE(full)
{
    char name[2 * HUNG_NAME];
    hung_clear(&hung);
    memset(name, 'x', sizeof(name) - 1);
    name[sizeof(name) - 1] = 0;
    hung_add(&hung, name); /* cut, but still found */
    assert_true(hung_has(&hung, name));
    for (int i = 0; i < 2 * HUNG_MOST; i++) {
        snprintf(name, sizeof(name), "chapter.test-%d", i);
        hung_add(&hung, name);
    }
    hung_begin(&hung);
    assert_int_equal(hung.count, HUNG_MOST);
    assert_true(hung_has(&hung, "chapter.test-0"));
    assert_false(hung_has(&hung, "chapter.test-8"));
}

int main(void)
{
    return run_cases();
}
