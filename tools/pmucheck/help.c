/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints pages from the commands' rows: `--help`, and the list in README.md. */
#include "tools/pmucheck/command.h"
#include <string.h>

#define WIDTH 96

/* Fills paragraphs between the margins; a line that begins with a blank is not filled. */
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
    fprintf(out, "\npmucheck --version prints the version, pmucheck COMMAND --help prints more; pmucheck help lab and "
                 "pmucheck help tests are guides.\n");
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
    fprintf(
        out,
        "# pmucheck's commands\n\n"
        "What `build/tools/pmucheck` can do, as `pmucheck COMMAND --help` tells it: `make docs` renews this text.\n");
    for (const struct command *const *c = commands; *c; c++)
        manual_page(out, *c);
}

void help_table(FILE *out)
{
    fprintf(out, "| command | what it does |\n|---|---|\n");
    for (const struct command *const *c = commands; *c; c++)
        fprintf(out, "| `pmucheck %s` | %s |\n", (*c)->name, (*c)->summary);
}

/* ---- A page for man. troff takes a line that begins with a point or an apostrophe for a command. */

static void put_troff(FILE *out, const char *text)
{
    bool line_begins = true;
    for (; *text; text++) {
        if (line_begins && (*text == '.' || *text == '\''))
            fputs("\\&", out);
        line_begins = *text == '\n';
        if (*text == '\\')
            fputs("\\e", out);
        else if (*text == '-')
            fputs("\\-", out);
        else
            fputc(*text, out);
    }
}

/* Prints paragraphs; lines that begin with blanks are not filled. */
static void troff_paragraphs(FILE *out, const char *text)
{
    bool as_is = false;
    while (*text) {
        size_t length = strcspn(text, "\n");
        char line[4096];
        snprintf(line, sizeof(line), "%.*s", (int)length, text);
        if ((line[0] == ' ') != as_is)
            fputs(as_is ? ".fi\n" : ".nf\n", out);
        as_is = line[0] == ' ';
        if (line[0])
            put_troff(out, line);
        else if (length == 0)
            fputs(".PP", out);
        fputc('\n', out);
        text += length + (text[length] == '\n');
    }
    if (as_is)
        fputs(".fi\n", out);
}

static void man_command(FILE *out, const struct command *command)
{
    fprintf(out, ".SH \"PMUCHECK ");
    for (const char *c = command->name; *c; c++)
        fputc(*c - 'a' + 'A', out);
    fprintf(out, "\"\n.B pmucheck %s\n", command->name);
    put_troff(out, command->options ? "[OPTION]... " : "");
    put_troff(out, command->arguments);
    fputs("\n.PP\n", out);
    troff_paragraphs(out, command->description);
    for (const struct option_row *row = command->options; row && row->name; row++) {
        fprintf(out, ".TP\n.B ");
        if (row->letter)
            fprintf(out, "\\-%c, ", row->letter);
        fputs("\\-\\-", out);
        put_troff(out, row->name);
        fprintf(out, "%s%s\n", row->argument ? "=" : "", row->argument ? row->argument : "");
        put_troff(out, row->help);
        fputc('\n', out);
    }
    if (command->statuses) {
        fputs(".PP\nExit status: ", out);
        put_troff(out, command->statuses);
        fputc('\n', out);
    }
    if (command->examples) {
        fputs(".PP\n.nf\n", out);
        put_troff(out, command->examples);
        fputs("\n.fi\n", out);
    }
}

void help_man(FILE *out)
{
    fputs(".TH PMUCHECK 1\n.SH NAME\npmucheck \\- tests of performance monitoring units: logs, reports, comparisons\n"
          ".SH SYNOPSIS\n.B pmucheck\nCOMMAND [OPTION]... [ARGUMENT]...\n",
          out);
    for (const struct command *const *c = commands; *c; c++)
        man_command(out, *c);
}

/* ---- Completion */

void help_completion(FILE *out)
{
    fputs("# Completes words of pmucheck's command line, and file names.\n"
          "_pmucheck() {\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} words=\n"
          "    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
          "        words=\"--help --version",
          out);
    for (const struct command *const *c = commands; *c; c++)
        fprintf(out, " %s", (*c)->name);
    fputs("\"\n    elif [[ $word == -* ]]; then\n        case ${COMP_WORDS[1]} in\n", out);
    for (const struct command *const *c = commands; *c; c++) {
        fprintf(out, "        %s) words=\"--help", (*c)->name);
        for (const struct option_row *row = (*c)->options; row && row->name; row++)
            fprintf(out, " --%s%s", row->name, row->argument ? "=" : "");
        fputs("\" ;;\n", out);
    }
    fputs("        esac\n    fi\n"
          "    [ -z \"$words\" ] || mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
          "    [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace\n"
          "}\ncomplete -o default -F _pmucheck pmucheck\n",
          out);
}
