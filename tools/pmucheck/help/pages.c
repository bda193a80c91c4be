/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints pages from the commands' rows: `--help`, and the list in README.md. */
#include "kernel/text/text.h"
#include "tools/pmucheck/command/command.h"
#include "tools/pmucheck/help/help.h"
#include <string.h>

const struct command *command_find(const char *name)
{
    for (const struct command *const *c = commands; *c; c++)
        if (strcmp((*c)->name, name) == 0)
            return *c;
    return NULL;
}

const char *command_meant(const char *name)
{
    struct near near = near_to(name);
    for (const struct command *const *c = commands; *c; c++)
        near_try(&near, (*c)->name);
    return near.word;
}

static void print_name(FILE *out, const struct option_row *row)
{
    if (row->letter)
        fprintf(out, "-%c, ", row->letter);
    fprintf(out, "--%s%s%s", row->name, row->argument ? "=" : "", row->argument ? row->argument : "");
}

static void print_examples(FILE *out, const char *examples, const char *margin)
{
    for (; *examples; examples += strcspn(examples, "\n"), examples += *examples == '\n')
        fprintf(out, "%s%.*s\n", margin, (int)strcspn(examples, "\n"), examples);
}

/* "pmucheck NAME [OPTION]... LOG..." */
static void put_synopsis(FILE *out, const struct command *command)
{
    fprintf(out, "    pmucheck %s%s%s%s\n", command->name, command->options ? " [OPTION]..." : "",
            command->arguments[0] ? " " : "", command->arguments);
}

void help_command(FILE *out, const struct command *command)
{
    fprintf(out, "NAME\n    pmucheck %s - %s\n\nSYNOPSIS\n", command->name, command->summary);
    put_synopsis(out, command);
    fprintf(out, "\nDESCRIPTION\n");
    fill(out, command->description, 4, FILL_WIDTH);
    if (command->options) {
        fprintf(out, "\nOPTIONS\n");
        for (const struct option_row *row = command->options; row->name; row++) {
            fprintf(out, "    ");
            print_name(out, row);
            fprintf(out, "\n");
            fill(out, row->help, 8, FILL_WIDTH);
        }
    }
    if (command->statuses) {
        fprintf(out, "\nEXIT STATUS\n");
        fill(out, command->statuses, 4, FILL_WIDTH);
    }
    if (command->examples) {
        fprintf(out, "\nEXAMPLES\n");
        print_examples(out, command->examples, "    ");
    }
}

void help_all(FILE *out)
{
    fprintf(out, "usage: pmucheck COMMAND [OPTION]... [ARGUMENT]...\n\n");
    for (const struct command *const *c = commands; *c; c++)
        fprintf(out, "    %-12s %s\n", (*c)->name, (*c)->summary);
    fputs("\npmucheck --version prints the version, pmucheck COMMAND --help prints more. pmucheck help GUIDE prints a\n"
          "guide:\n\n",
          out);
    for (const struct guide *g = guides; g->name; g++)
        fprintf(out, "    %-12s %s\n", g->name, g->summary);
}

static void manual_page(FILE *out, const struct command *command)
{
    fprintf(out, "\n## pmucheck %s\n\n", command->name);
    put_synopsis(out, command);
    fputc('\n', out);
    fill(out, command->description, 0, 120);
    if (command->options) {
        fprintf(out, "\n| option | meaning |\n|---|---|\n");
        for (const struct option_row *row = command->options; row->name; row++) {
            fprintf(out, "| `");
            print_name(out, row);
            fprintf(out, "` | %s |\n", row->help);
        }
    }
    if (command->statuses) {
        fputs("\nExit status:\n", out);
        fill(out, command->statuses, 0, 120);
    }
    if (command->examples) {
        fputs("\nExamples:\n\n", out);
        print_examples(out, command->examples, "    ");
    }
}

void help_manual(FILE *out)
{
    for (const struct command *const *c = commands; *c; c++)
        manual_page(out, *c);
}

void help_table(FILE *out)
{
    fprintf(out, "| command | what it does |\n|---|---|\n");
    for (const struct command *const *c = commands; *c; c++)
        fprintf(out, "| `pmucheck %s` | %s |\n", (*c)->name, (*c)->summary);
}
