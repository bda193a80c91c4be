/* pmucheck help: the pages of the commands. */
#include "tools/pmucheck/command.h"
#include "tools/pmucheck/log.h"

static bool table, manual;

static const struct option_row options[] = {
    {0, "table", NULL, "All commands as a Markdown table.", NULL, &table},
    {0, "manual", NULL, "All pages as one Markdown text.", NULL, &manual},
    {0},
};

static int run(int argc, char **argv)
{
    if (table)
        help_table(stdout);
    else if (manual)
        help_manual(stdout);
    else if (argc == 0)
        help_all(stdout);
    for (int i = 0; i < argc; i++) {
        const struct command *command = command_find(argv[i]);
        if (!command)
            return command_refuse(&command_help, "there is no command %s; pmucheck --help lists them", argv[i]);
        help_command(stdout, command);
    }
    return STATUS_PASS;
}

const struct command command_help = {
    .name = "help",
    .summary = "tells how to use the others",
    .arguments = "[COMMAND]...",
    .description = "Prints the page of each COMMAND, as pmucheck COMMAND --help does.",
    .options = options,
    .run = run,
};
