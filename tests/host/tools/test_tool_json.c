/* SPDX-License-Identifier: BSD-2-Clause */
/* What tools/json.h adds to json-c: the spelling of numbers, answers about files of any shape, and where a fault is. */
#include "tests/host/case.h"
#include "tools/json.h"
#include "tools/pmucheck/baseline/baseline.h"
#include <math.h>
#include <string.h>

CASE(numbers_are_as_short_as_they_are_exact)
{
    static const struct {
        double number;
        const char *text;
    } rows[] = {{0, "0"},     {-7, "-7"},      {5e9, "5000000000"}, {9007199254740992.0, "9007199254740992"},
                {0.1, "0.1"}, {1.0 / 3, NULL}, {1e20, "1e+20"},     {NAN, "null"}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        json_object *number = json_number(rows[i].number);
        if (rows[i].text) /* a third needs 16 or 17 digits */
            assert_string_equal(json_written(number, false), rows[i].text);
        if (number)
            assert_true(strtod(json_written(number, false), NULL) == rows[i].number);
        json_object_put(number);
    }
    json_object *given = json_number_as("1.50");
    assert_string_equal(json_written(given, false), "1.50");
    json_object_put(given);
}

CASE(other_types_have_no_answer)
{
    json_object *object = json_object_new_object(), *array = json_add_array(object, "array");
    json_add_text(object, "text", "t");
    json_add_text(object, "none", NULL);
    json_object_array_add(array, json_number(2));
    assert_false(json_object_object_get_ex(object, "none", NULL));
    assert_string_equal(json_text(json_object_object_get(object, "text")), "t");
    assert_null(json_text(array));
    assert_null(json_text(NULL));
    assert_true(json_value(json_item(array, 0)) == 2);
    assert_true(isnan(json_value(json_item(array, 1))) && isnan(json_value(object)));
    assert_int_equal(json_count(array), 1);
    assert_int_equal(json_count(object) + json_count(NULL), 0);
    assert_null(json_item(object, 0));
    json_object_put(object);
}

CASE(a_fault_has_a_place)
{
    static const char bad[] = "{\"a\": 1,\n \"b\": x}";
    size_t fault;
    assert_null(json_read(bad, strlen(bad), &fault));
    assert_int_equal(fault, strchr(bad, 'x') - bad);
    assert_null(json_read("{", 1, &fault));
    assert_null(json_read("", 0, &fault));
    json_object *good = json_read("{\"a\":[]}\nmore", 13, &fault);
    assert_string_equal(json_written(good, false), "{\"a\":[]}");
    json_object_put(good);
}

/* The sum is over the text without blanks, in this spelling: files of older versions stay good. */
CASE(an_older_baseline_is_whole)
{
    static const char text[] =
        "{\"schema\":\"pmucheck-baseline-2\",\"signature\":\"000506e3\",\"microcode\":\"000000f0\",\"threads\":\"2\","
        "\"pmu\":\"hardware\",\"accepted\":[{\"log\":\"a/"
        "b.log\",\"who\":\"\\u001f\\\"\\\\\"}],\"tests\":{\"a.one\":{\"outcomes\":[\"pass\"]}},"
        "\"measurements\":{\"a.one x\":[0.1,1e+20,3]},\"crc32\":\"c6f21131\"}";
    size_t fault;
    json_object *baseline = json_read(text, strlen(text), &fault);
    assert_non_null(baseline);
    assert_null(baseline_refusal(baseline));
    json_object_put(baseline);
}

int main(void)
{
    return run_cases();
}
