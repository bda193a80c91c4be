/* SPDX-License-Identifier: BSD-2-Clause */
/* pmucheck.cfg as people write it, with a table of options of this test's own. */
#include "kernel/core/option.h"
#include "tests/host/case.h"

#include <stdlib.h>
#include <string.h>

OPTION(quick, .kind = OPTION_FLAG, .help = "a flag");
OPTION(run, .kind = OPTION_TEXT, .argument = "GLOB,...", .help = "a text");
OPTION(serial, .kind = OPTION_TEXT, .argument = "PORT", .help = "also a command of GRUB");

/* On the heap at exact size, so that the sanitiser sees every read beyond the end. */
static bool good(const char *text, size_t size, char *error)
{
    char *copy = malloc(size ? size : 1);
    memcpy(copy, text, size);
    bool is_good = settings_good(copy, size, error);
    free(copy);
    return is_good;
}

#define TEXT(text)             \
    {                          \
        text, sizeof(text) - 1 \
    }

struct file {
    const char *text;
    size_t size;
};

static const struct file understood[] = {
    TEXT(""),
    TEXT("# pmucheck reads this file\n#set pmucheck_options=\"machine=lab-7\n"),
    TEXT("set pmucheck_options=\"machine=lab-7 quick\"\n"),
    TEXT("# options\r\n\r\nset pmucheck_options=\"machine=lab-7 quick\"\r\n"),
    TEXT("\xef\xbb\xbf# comment\r\nset pmucheck_options='run=a quick'"),
    TEXT("\xef\xbb\xbf\r\nset pmucheck_options=quick # one word, \"and a comment"),
    TEXT("pmucheck_options=quick"),
    TEXT("if [ \"$net_default_mac\" = 52:54:00:12:34:56 ]; then set pmucheck_options=\"machine=lab-7\"; fi\n"),
    TEXT("for x in 1 2; do\n  set pmucheck_options=\"$pmucheck_options quick\"\ndone; set timeout=3"),
    TEXT("function mine { serial --unit=1; terminal_output --append serial; }\nset\nexport pmucheck_options\n"),
    TEXT("set pmucheck_options=\"a \\\" b\" \nset x=a\\ b\nset y='it''s \\'\n"),
    TEXT("set pmucheck_options=\"run=a\n quick\"\n"),
    TEXT("set pmucheck_options=${pmucheck_options}\" quick\"\nset more=a${root}b # ${"),
    TEXT("set \\\r\n  pmucheck_options=\"run=a\" \\\n\nset x=a\\\n\n"),
    TEXT("\xef\xbb\xbf"),
    TEXT("\xef\xbb\xbf \t# don't\nset pmucheck_options=quick"),
    TEXT("\xef\xbb\xbf# the 'first' line; and more\nset pmucheck_options=quick"),
};

CASE(what_grub_understands)
{
    for_each_row (understood, file) {
        char error[SETTINGS_ERROR];
        assert_true(good(file->text, file->size, error));
        assert_string_equal(error, "");
    }
}

static const struct {
    struct file file;
    const char *error;
} lost[] = {
    {TEXT("\xef\xbb\xbfset pmucheck_options=\"quick\"\n"), "line 1 begins with a character"},
    {TEXT("# x\n\xc2\xa0set pmucheck_options=\"quick\"\n"), "line 2 begins with a character"},
    {TEXT("\xff\xfes\0e\0t\0 \0a\0=\0b\0"), "it is in UTF-16"},
    {TEXT("\0s\0e\0t\0 \0a\0=\0b"), "it is in UTF-16"},
    {TEXT("# a\nset pmucheck_options=\"quick run=a\n\nset timeout=3\n"),
     "line 2: a quote is opened there and never closed"},
    {TEXT("set a='b\\'\nset c='"), "line 2: a quote is opened"},
    {TEXT("\xef\xbb\xbf# don't\nset pmucheck_options=quick\n"), "line 1: a quote is opened"},
    {TEXT("\xef\xbb\xbf set pmucheck_options=quick\n"), "line 1 begins with a character"},
    {TEXT("set x=${root}; quick"), "line 1: options are given by"},
    {TEXT("set pmucheck_options=quick run=a\n"), "line 1: GRUB takes only the first word"},
    {TEXT("# x\r\npmucheck_options=run=a quick\r\n"), "line 2: GRUB takes only the first word"},
    {TEXT("set microcode=a b"), "line 1: GRUB takes only the first word"},
    {TEXT("set pmucheck_options = \"quick\""), "line 1: set is followed by NAME=VALUE, without blanks around the ="},
    {TEXT("if true; then\nset pmucheck_option=quick; fi"), "line 2: the variable is called pmucheck_options"},
    {TEXT("\n\nquick\n"), "line 3: options are given by set pmucheck_options=\"...\""},
    {TEXT("run=gp.*"), "line 1: options are given by"},
    {TEXT("pmucheck_opts=quick"), "line 1: options are given by"},
    {TEXT("Set pmucheck_options=quick"), "line 1: options are given by"},
};

CASE(what_is_lost_is_told)
{
    for_each_row (lost, row) {
        char error[SETTINGS_ERROR];
        assert_false(good(row->file.text, row->file.size, error));
        if (strncmp(error, row->error, strlen(row->error)))
            fail_msg("%s\ninstead of %s, of:\n%s", error, row->error, row->file.text);
    }
}

CASE(every_cut_is_survived)
{
    for_each_row (lost, row)
        for (size_t size = 0; size < row->file.size; size++) {
            char error[SETTINGS_ERROR];
            good(row->file.text, size, error);
        }
}

int main(void)
{
    return run_cases();
}
