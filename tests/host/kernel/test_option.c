/* SPDX-License-Identifier: BSD-2-Clause */
/* The parser with a table of this test's own: the linker collects these rows like the image's. */
#include "kernel/core/option.h"
#include "tests/host/case.h"

#include <string.h>

static const char *const colours[] = {"red", "green", NULL};
static const char *const one[] = {"full", NULL};

OPTION(quick, .kind = OPTION_FLAG, .help = "a flag");
OPTION(run, .kind = OPTION_TEXT, .argument = "GLOB,...", .help = "a text");
OPTION(prove, .kind = OPTION_TEXT, .bare = true, .argument = "K/N", .help = "a text that may stand alone");
OPTION(repeat, .kind = OPTION_NUMBER, .argument = "N", .minimum = 1, .maximum = 1000, .help = "a number");
OPTION(seed, .kind = OPTION_NUMBER, .argument = "SEED", .help = "a number without bounds");
OPTION(colour, .kind = OPTION_CHOICE, .argument = "red|green", .choices = colours, .help = "a choice");
OPTION(log, .kind = OPTION_CHOICE, .argument = "full", .choices = one, .help = "a choice of one");

static struct option_value *const values[] = {&option_quick,  &option_run, &option_prove, &option_repeat,
                                              &option_colour, &option_log, &option_seed};

static bool parse(const char *line, char *error)
{
    for_each_row (values, value)
        **value = (struct option_value){.text = ""};
    error[0] = 0;
    return options_parse(line, error);
}

CASE(good_lines)
{
    char error[OPTION_ERROR_SIZE];
    assert_true(parse("", error));
    assert_true(parse("  \t ", error));
    assert_false(option_quick.given);
    assert_true(parse(" quick run=gp.*,pmi.fixed\trepeat=0x3E8 colour=green prove ", error));
    assert_string_equal(error, "");
    assert_true(option_quick.given);
    assert_string_equal(option_run.text, "gp.*,pmi.fixed");
    assert_int_equal(option_repeat.number, 1000);
    assert_string_equal(option_colour.text, "green");
    assert_true(option_prove.given);
    assert_string_equal(option_prove.text, "");
    assert_true(parse("prove=1/2 seed=18446744073709551615 run=a=b", error));
    assert_string_equal(option_prove.text, "1/2");
    assert_true(option_seed.number == ~0ull);
    assert_string_equal(option_run.text, "a=b");
}

CASE(later_words_and_later_lines_win)
{
    char error[OPTION_ERROR_SIZE];
    assert_true(parse("run=a repeat=1 run=b colour=red", error));
    assert_string_equal(option_run.text, "b");
    assert_true(options_parse("colour=green", error));
    assert_string_equal(option_colour.text, "green");
    assert_string_equal(option_run.text, "b");
    assert_int_equal(option_repeat.number, 1);
}

CASE(bad_lines_say_what_is_wrong)
{
    static const struct {
        const char *line, *error;
    } rows[] = {
        {"quik", "unknown option \"quik\": did you mean \"quick\"?"},
        {"rnu=x", "unknown option \"rnu\": did you mean \"run\"?"},
        {"elephant", "unknown option \"elephant\": pmucheck help options lists them"},
        {"=x", "unknown option \"\": pmucheck help options lists them"},
        {"quick=1", "option quick takes no argument"},
        {"run", "option run needs an argument: run=GLOB,..."},
        {"run=", "option run needs an argument: run=GLOB,..."},
        {"prove=", "option prove needs an argument: prove=K/N"},
        {"repeat=x", "option repeat: \"x\" is not a number (decimal or 0x...)"},
        {"repeat=0x", "option repeat: \"0x\" is not a number (decimal or 0x...)"},
        {"repeat=-1", "option repeat: \"-1\" is not a number (decimal or 0x...)"},
        {"repeat=1a", "option repeat: \"1a\" is not a number (decimal or 0x...)"},
        {"repeat=0", "option repeat: 0 is not within 1 to 1000"},
        {"repeat=1001", "option repeat: 1001 is not within 1 to 1000"},
        {"seed=18446744073709551616", "option seed: \"18446744073709551616\" is not a number (decimal or 0x...)"},
        {"colour=blue", "option colour: \"blue\" is not one of red, green"},
        {"colour", "option colour needs an argument: colour=red|green"},
        {"log=half", "option log: \"half\" is not full"},
        {"bad1 bad2", "unknown option \"bad1\": pmucheck help options lists them"},
    };
    for_each_row (rows, row) {
        char error[OPTION_ERROR_SIZE];
        assert_false(parse(row->line, error));
        assert_string_equal(error, row->error);
    }
}

CASE(words_after_an_error_still_count)
{
    char error[OPTION_ERROR_SIZE];
    assert_false(parse("repeat=5 nonsense repeat=0 quick", error));
    assert_true(options_parse("repeat=5", error)); /* a good line does not clear the error of the last one */
    assert_string_equal(error, "unknown option \"nonsense\": pmucheck help options lists them");
    assert_true(option_quick.given);
    assert_int_equal(option_repeat.number, 5);
}

CASE(an_endless_line_is_an_error)
{
    char error[OPTION_ERROR_SIZE], line[OPTIONS_SIZE + 2];
    memset(line, 'x', sizeof(line));
    line[sizeof(line) - 1] = 0;
    assert_false(parse(line, error));
    assert_string_equal(error, "the options are too long: at most 8191 characters in all");
}

int main(void)
{
    return run_cases();
}
