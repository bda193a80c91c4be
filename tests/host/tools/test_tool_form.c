/* SPDX-License-Identifier: BSD-2-Clause */
/* The form that is written: by option, or by the output's name. */
#include "tests/host/case.h"
#include "tools/pmucheck/command/form.h"

static const struct command command = {.name = "test"};
const struct command *const commands[] = {&command, NULL};

/* The form that is settled on; NULL: it is refused. */
static const char *form(const char *option, const char *output)
{
    static const char *const forms[] = {"text", "json", "junit", "kcidb", NULL};
    const char *const *settled = form_settle(&command, forms, sizeof(*forms), option, output);
    return settled ? *settled : NULL;
}

CASE(the_name_says_what_the_option_does_not)
{
    assert_string_equal(form(NULL, NULL), "text");
    assert_string_equal(form(NULL, "-"), "text");
    assert_string_equal(form(NULL, "a/b.txt"), "text");
    assert_string_equal(form(NULL, "json"), "text");
    assert_string_equal(form(NULL, "a.json"), "json");
    assert_string_equal(form(NULL, "results.xml"), "junit");
}

CASE(the_option_is_before_the_name)
{
    assert_string_equal(form("junit", NULL), "junit");
    assert_string_equal(form("json", "a.txt"), "json");
    assert_string_equal(form("json", "a.json"), "json");
    assert_string_equal(form("kcidb", "a.json"), "kcidb"); /* which is JSON */
}

CASE(what_contradicts_is_refused)
{
    assert_null(form("junit", "a.json"));
    assert_null(form("text", "a.xml"));
    assert_null(form("text", "page.html"));
    assert_null(form(NULL, "page.html")); /* a form that the command has not */
    assert_null(form("pdf", NULL));
    assert_null(form("", "a.json"));
}

int main(void)
{
    return run_cases();
}
