/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of tests that hung the machine: valid or empty, and never longer than its room. */
#include "kernel/log/kept.h"
#include "tests/host/case.h"
#include <string.h>

#include <stdio.h>

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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_empty_from_anything),
        cmocka_unit_test(remembers),
        cmocka_unit_test(any_damage_empties),
        cmocka_unit_test(full),
    };
    return cmocka_run_group_tests_name("hung", tests, NULL, NULL);
}
