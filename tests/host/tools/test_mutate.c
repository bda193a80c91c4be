/* links: pmu/reference/proof/mutant.c */
/* What is changed in a source, and what is left alone. */
#include "pmu/reference/proof/mutant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MUTANTS_MAX 8

/* The mutants of `text` are those listed, in this order, and no others. */
static void assert_found(struct mutant *mutants, size_t count, const char *text, const char *const *want)
{
    assert_non_null(mutants);
    for (size_t i = 0; i < count; i++) {
        char *got = mutant_apply(text, &mutants[i]);
        assert_non_null(got);
        if (!want[i])
            fail_msg("not wanted: %s", got);
        assert_string_equal(got, want[i]);
        free(got);
    }
    assert_null(want[count]);
    free(mutants);
}

static void assert_mutants(const char *text, const char *const *want)
{
    size_t count;
    struct mutant *mutants = mutants_of(text, &count);
    assert_found(mutants, count, text, want);
}

static void each_kind_of_change(void **state)
{
    static const struct {
        const char *text, *mutants[MUTANTS_MAX];
    } cases[] = {
        {"return a == b;\n", {"return a != b;\n"}},
        {"return a < b;\n", {"return a <= b;\n", "return a >= b;\n"}},
        {"return a << b >> c->d;\n", {NULL}},
        {"return a && b;\n", {"return a || b;\n"}},
        {"    if (f(a))\n", {"    if (!(f(a)))\n"}},
        {"return 7u;\n", {"return 8u;\n", "return 6u;\n"}},
        {"return 0;\n", {"return 1;\n"}},
        {"return 0x70;\n", {"return 0x60;\n", "return 0x30;\n"}},
        {"static int a;\nenum { A, B };\n", {NULL}},
        {"return x0y1;\n", {NULL}},
        {"return MASK(7, 4);\n", {"return (MASK(7, 4) & ~(1ull << 7));\n", "return (MASK(7, 4) & ~(1ull << 4));\n"}},
        {"int f()\n{\n    m->a |= b;\n    f(c);\n",
         {"int f()\n{\n    ;\n    f(c);\n", "int f()\n{\n    m->a |= b;\n    ;\n"}},
        {"int f()\n{\n    int a = f();\n    char *b;\n    break;\n    return (a);\n", {NULL}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_mutants(cases[i].text, cases[i].mutants);
}

static void each_kind_of_weaker_judgement(void **state)
{
    static const struct {
        const char *text, *mutants[MUTANTS_MAX];
    } cases[] = {
        {"int f()\n{\n    check_bit(t, \"a\", m, 3, true);\n", {"int f()\n{\n    ;\n"}},
        {"int f()\n{\n    check_equal(t, \"a, b\", f(x, y),\n                z, 0);\n",
         {"int f()\n{\n    ;\n", "int f()\n{\n    check_equal(t, \"a, b\", z,\n                z, 0);\n",
          "int f()\n{\n    check_equal(t, \"a, b\", f(x, y),\n                (z) + 1, 0);\n"}},
        {"int f()\n{\n    check_range(t, \"a\", x, 1, 2, 0);\n",
         {"int f()\n{\n    ;\n", "int f()\n{\n    check_range(t, \"a\", x, 0, ~0ull, 0);\n"}},
        {"int f()\n{\n    check_bits(t, \"a\", m, x, y);\n",
         {"int f()\n{\n    ;\n", "int f()\n{\n    check_bits(t, \"a\", m, 0, 0);\n"}},
        {"int f()\n{\n    return check_true(t, \"a\", x > 1, x, \"1\", 0);\n",
         {"int f()\n{\n    return true;\n", "int f()\n{\n    return check_true(t, \"a\", true, x, \"1\", 0);\n"}},
        {"    if (x)\n", {"    if (!(x))\n"}},
        {"int f()\n{\n    for_each_gp_counter (t, n)\n        f(n);\n",
         {"int f()\n{\n    for (unsigned once_ = 0; !once_; once_ = 1) for_each_gp_counter (t, n) if (!once_++)\n      "
          "  "
          "f(n);\n"}},
        {"int f()\n{\n    x = 1 + forty(2) + recheck_it(3);\n", {NULL}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        size_t count;
        struct mutant *mutants = mutants_of_judgement(cases[i].text, &count);
        assert_found(mutants, count, cases[i].text, cases[i].mutants);
    }
}

static void the_function_or_table_around(void **state)
{
    static const char text[] =
        "static int f(int a,\n             int b)\n{\n    return 1;\n}\n\nstatic const struct {\n    int i;\n"
        "} table[] = {\n    {2},\n};\n";
    (void)state;
    size_t in_f = (size_t)(strchr(text, '1') - text), in_table = (size_t)(strchr(text, '2') - text);
    assert_true(mutant_within(text, in_f, "f"));
    assert_false(mutant_within(text, in_f, "table"));
    assert_true(mutant_within(text, in_table, "table"));
    assert_false(mutant_within(text, in_table, "tab"));
    assert_false(mutant_within(text, in_table, "f"));
}

static void what_is_left_alone(void **state)
{
    static const char *const texts[] = {
        "",
        "/* a == 1 */ // b == 2\n",
        "/* never closed 1",
        "f(\"a == \\\" 1\", '1')\n",
        "static void f(int a[4],\n              int b[8])\n{\n}\n",
        "#define A 1 \\\n    2\n",
    };
    static const char *const none[] = {NULL};
    (void)state;
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        assert_mutants(texts[i], none);
}

static void lines_and_draws(void **state)
{
    (void)state;
    assert_int_equal(mutant_line("a\nb\nc", 0), 1);
    assert_int_equal(mutant_line("a\nb\nc", 4), 3);
    unsigned seen = 0;
    for (unsigned long i = 0; i < 100; i++) {
        size_t drawn = mutant_draw(1, i, 5);
        assert_true(drawn < 5);
        assert_int_equal(drawn, mutant_draw(1, i, 5));
        seen |= 1u << drawn;
    }
    assert_int_equal(seen, 0x1f);
    assert_int_not_equal(mutant_draw(1, 1, 1u << 30), mutant_draw(2, 1, 1u << 30));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_of_change),
        cmocka_unit_test(each_kind_of_weaker_judgement),
        cmocka_unit_test(the_function_or_table_around),
        cmocka_unit_test(what_is_left_alone),
        cmocka_unit_test(lines_and_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
