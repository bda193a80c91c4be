/* SPDX-License-Identifier: BSD-2-Clause */
/* pmucheck help: the pages of the commands, and the guides. */
#include "tools/pmucheck/command.h"
#include "tools/pmucheck/embed.h"
#include "tools/pmucheck/log/log.h"
#include <string.h>

EMBED(guide_first_boot, "docs/first-boot.md");
EMBED(guide_lab, "docs/lab.md");
EMBED(guide_tests, "docs/tests.md");

static const struct {
    const char *name, *text;
} guides[] = {{"first-boot", guide_first_boot}, {"lab", guide_lab}, {"tests", guide_tests}};

static bool table, manual, man, completion;

static const struct option_row options[] = {
    {0, "table", NULL, "All commands as a Markdown table.", NULL, &table},
    {0, "manual", NULL, "All pages as one Markdown text.", NULL, &manual},
    {0, "man", NULL, "All pages as one page for man, which make install installs.", NULL, &man},
    {0, "completion", NULL, "A script by which bash completes commands and options.", NULL, &completion},
    {0},
};

/* Leaves out the markers of generated tables. */
static void print_markdown(const char *text)
{
    for (size_t length; *text; text += length) {
        length = strcspn(text, "\n");
        length += text[length] == '\n';
        if (strncmp(text, "<!--", 4) != 0)
            fwrite(text, 1, length, stdout);
    }
}

static bool print_guide(const char *name)
{
    for (size_t i = 0; i < sizeof(guides) / sizeof(guides[0]); i++)
        if (strcmp(guides[i].name, name) == 0) {
            print_markdown(guides[i].text);
            return true;
        }
    return false;
}

static bool print_topic(const char *name)
{
    const struct command *command = command_find(name);
    if (command)
        help_command(stdout, command);
    return command || print_guide(name);
}

static int run(int argc, char **argv)
{
    if (table)
        help_table(stdout);
    else if (manual)
        help_manual(stdout);
    else if (man)
        help_man(stdout);
    else if (completion)
        help_completion(stdout);
    else if (argc == 0)
        help_all(stdout);
    for (int i = 0; i < argc; i++)
        if (!print_topic(argv[i]))
            return command_refuse(&command_help, "there is no command or guide %s; pmucheck --help lists them",
                                  argv[i]);
    return STATUS_PASS;
}

const struct command command_help = {
    .name = "help",
    .summary = "shows how to use the other commands",
    .arguments = "[COMMAND | GUIDE]...",
    .description =
        "Prints the page of each COMMAND, as pmucheck COMMAND --help does, or a GUIDE: first-boot, what a machine "
        "shows while it starts the image and what to do where it hangs; lab, testing machines in a lab; tests, "
        "writing a test.",
    .options = options,
    .run = run,
};
