/* SPDX-License-Identifier: BSD-2-Clause */
/* pmucheck help: the pages of the commands, and the guides. */
#include "tools/pmucheck/command/command.h"
#include "kernel/text/text.h"
#include "tools/pmucheck/help/help.h"
#include "tools/pmucheck/log/log.h"
#include <errno.h>
#include <string.h>

static bool table, manual, man;
static const char *man_pages, *completion;

static const struct option_row options[] = {
    {0, "table", NULL, NULL, &table, "All commands as a Markdown table."},
    {0, "manual", NULL, NULL, &manual, "All pages as one Markdown text."},
    {0, "man", NULL, NULL, &man, "The pages as pages for man; without a name, the program's own."},
    {0, "man-pages", "DIRECTORY", &man_pages, NULL,
     "All pages for man as files below this directory, man1/pmucheck.1 and so on, as make install installs them."},
    {0, "completion", "SHELL", &completion, NULL,
     "A script by which bash, zsh or fish completes commands and options."},
    {0},
};

static bool print_topic(const char *name)
{
    if (man)
        return help_man_topic(stdout, name);
    const struct command *command = command_find(name);
    const struct guide *guide = guide_find(name);
    if (command)
        help_command(stdout, command);
    else if (guide)
        guide_print(stdout, guide);
    return command || guide;
}

static int refuse_topic(const char *name)
{
    struct near near = near_to(name);
    for (const struct command *const *c = commands; *c; c++)
        near_try(&near, (*c)->name);
    for (const struct guide *guide = guides; guide->name; guide++)
        near_try(&near, guide->name);
    if (near.word)
        return command_refuse(&command_help, "there is no command or guide %s; did you mean %s?", name, near.word);
    return command_refuse(&command_help, "there is no command or guide %s; pmucheck --help lists them", name);
}

static int write_pages(void)
{
    if (!help_man_pages(man_pages))
        return command_refuse(&command_help, "%s: the pages cannot be written: %s", man_pages, strerror(errno));
    return STATUS_PASS;
}

static int run(int argc, char **argv)
{
    if (man_pages)
        return write_pages();
    if (completion && !help_completion(stdout, completion))
        return command_refuse(&command_help, "--completion=%s: it must be bash, zsh or fish", completion);
    if (table)
        help_table(stdout);
    else if (manual)
        help_manual(stdout);
    else if (man && argc == 0)
        help_man(stdout);
    else if (argc == 0 && !completion)
        help_all(stdout);
    for (int i = 0; i < argc; i++)
        if (!print_topic(argv[i]))
            return refuse_topic(argv[i]);
    return STATUS_PASS;
}

const struct command command_help = {
    .name = "help",
    .summary = "shows how to use the other commands, and the guides",
    .arguments = "[COMMAND | GUIDE]...",
    .description =
        "Prints the page of each COMMAND, as pmucheck COMMAND --help does, or a GUIDE. Without a name it lists both.",
    .options = options,
    .run = run,
};
