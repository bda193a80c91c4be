/* SPDX-License-Identifier: BSD-2-Clause */
/* The word that was meant. */
#include "kernel/text/text.h"
#include "tests/host/case.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_most_similar_word_is_meant),
        cmocka_unit_test(a_word_that_resembles_none_is_no_mistake),
        cmocka_unit_test(of_equals_the_first_is_meant_and_long_words_never),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
