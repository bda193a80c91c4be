/* SPDX-License-Identifier: BSD-2-Clause */
/* Keys get numbers in the order in which they first come, and keep them as more are added. */
#include "tests/host/case.h"
#include "tools/index.h"
#include <stdio.h>
#include <string.h>

#define MANY 5000

static unsigned number_of(struct arena *arena, struct index *index, const char *text)
{
    return index_number(arena, index, text, strlen(text));
}

CASE(equal_keys_have_one_number)
{
    struct arena arena = {0};
    struct index index = {0};
    assert_int_equal(index_find(&index, "one", 3), 0);
    assert_int_equal(number_of(&arena, &index, "one"), 1);
    assert_int_equal(number_of(&arena, &index, ""), 2);
    assert_int_equal(number_of(&arena, &index, "one"), 1);
    assert_int_equal(index_number(&arena, &index, "one\0", 4), 3); /* any bytes, with a length */
    assert_int_equal(index_find(&index, "", 0), 2);
    assert_int_equal(index_find(&index, "on", 2), 0);
    assert_string_equal(index.keys.item[0].bytes, "one");
    arena_free(&arena);
}

CASE(numbers_stay_when_it_grows)
{
    struct arena arena = {0};
    struct index index = {0};
    char text[16];
    for (unsigned round = 0; round < 2; round++)
        for (unsigned i = 0; i < MANY; i++) {
            snprintf(text, sizeof(text), "key %u", i);
            assert_int_equal(number_of(&arena, &index, text), i + 1);
        }
    assert_int_equal(index.keys.count, MANY);
    arena_free(&arena);
}

int main(void)
{
    return run_cases();
}
