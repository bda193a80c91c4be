/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/text/text.h"
#include "tests/host/case.h"

#include <string.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(patterns),
        cmocka_unit_test(lists),
        cmocka_unit_test(items),
    };
    return cmocka_run_group_tests_name("glob", tests, NULL, NULL);
}
