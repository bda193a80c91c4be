/* The commands' rows as pages for people: `--help`, and the list in README.md. */
#include "tools/pmucheck/command.h"
#include <string.h>

#define WIDTH 96

/* Fills paragraphs between the margins; a line that begins with a blank stands as it is. */
static void fill(FILE *out, const char *text, unsigned margin, unsigned width)
{
    unsigned column = 0;
    while (*text) {
        size_t length = strcspn(text, " \n");
        if (column == 0 && *text == '\n') {
            fputc(*text++, out);
            continue;
        }
        if (column == 0 && *text == ' ') {
            length = strcspn(text, "\n");
            fprintf(out, "%*s%.*s\n", margin, "", (int)length, text);
            text += length + (text[length] == '\n');
            continue;
        }
        if (column > 0 && column + 1 + length > width) {
            fputc('\n', out);
            column = 0;
        }
        column += (unsigned)(column == 0 ? (size_t)fprintf(out, "%*s", margin, "") : (size_t)fprintf(out, " "));
        column += (unsigned)fprintf(out, "%.*s", (int)length, text);
        text += length;
        bool ends = strncmp(text, "\n\n", 2) == 0 || strncmp(text, "\n ", 2) == 0;
        if (ends || !*text) {
            fputs(strncmp(text, "\n\n", 2) == 0 ? "\n\n" : "\n", out);
            column = 0;
        }
        text += ends ? 1 + (text[1] == '\n') : *text != 0;
    }
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

void help_command(FILE *out, const struct command *command)
{
    fprintf(out, "NAME\n    pmucheck %s - %s\n\nSYNOPSIS\n    pmucheck %s %s%s\n\nDESCRIPTION\n", command->name,
            command->summary, command->name, command->options ? "[OPTION]... " : "", command->arguments);
    fill(out, command->description, 4, WIDTH);
    if (command->options) {
        fprintf(out, "\nOPTIONS\n");
        for (const struct option_row *row = command->options; row->name; row++) {
            fprintf(out, "    ");
            print_name(out, row);
            fprintf(out, "\n");
            fill(out, row->help, 8, WIDTH);
        }
    }
    if (command->statuses) {
        fprintf(out, "\nEXIT STATUS\n");
        fill(out, command->statuses, 4, WIDTH);
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
        fprintf(out, "    %-10s %s\n", (*c)->name, (*c)->summary);
    fprintf(out, "\npmucheck COMMAND --help tells more, pmucheck help lab and pmucheck help tests are guides.\n");
}

static void manual_page(FILE *out, const struct command *command)
{
    fprintf(out, "\n## pmucheck %s\n\n    pmucheck %s %s%s\n\n", command->name, command->name,
            command->options ? "[OPTION]... " : "", command->arguments);
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
    fprintf(out,
            "# pmucheck's commands\n\n"
            "What `build/tools/pmucheck` can do, as `pmucheck COMMAND --help` tells it: `make readme-options` renews "
            "this text.\n");
    for (const struct command *const *c = commands; *c; c++)
        manual_page(out, *c);
}

void help_table(FILE *out)
{
    fprintf(out, "| command | what it does |\n|---|---|\n");
    for (const struct command *const *c = commands; *c; c++)
        fprintf(out, "| `pmucheck %s` | %s |\n", (*c)->name, (*c)->summary);
}
