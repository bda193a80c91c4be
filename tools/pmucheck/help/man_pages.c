/* SPDX-License-Identifier: BSD-2-Clause */
/* Pages for man: pmucheck(1), one for each command, one for each guide. */
#include "tools/pmucheck/command/command.h"
#include "tools/pmucheck/help/help.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NAME_MAX_LENGTH 64

/* Text of ours between troff's own. */
static void put_between(FILE *out, const char *before, const char *text, const char *after)
{
    fputs(before, out);
    man_put(out, text);
    fputs(after, out);
}

static void see(FILE *out, const char *name, unsigned section, const char *after)
{
    put_between(out, ".BR ", name, "");
    fprintf(out, " (%u)%s\n", section, after);
}

static void put_options(FILE *out, const struct command *command)
{
    fputs(".SH OPTIONS\n", out);
    for (const struct option_row *row = command->options; row->name; row++) {
        fputs(".TP\n\\fB", out);
        if (row->letter)
            fprintf(out, "\\-%c\\fR, \\fB", row->letter);
        put_between(out, "\\-\\-", row->name, row->argument ? "\\fR=\\fI" : "");
        put_between(out, "", row->argument ? row->argument : "", "\\fR\n");
        put_between(out, "", row->help, "\n");
    }
}

static void man_command(FILE *out, const struct command *command)
{
    char name[NAME_MAX_LENGTH];
    snprintf(name, sizeof(name), "pmucheck-%s", command->name);
    man_begin(out, name, 1, command->summary);
    put_between(out, ".SH SYNOPSIS\n\\fBpmucheck ", command->name, command->options ? "\\fR [OPTION]... " : "\\fR ");
    put_between(out, "", command->arguments, "\n.SH DESCRIPTION\n");
    man_paragraphs(out, command->description);
    if (command->options && command->options->name)
        put_options(out, command);
    if (command->statuses)
        put_between(out, ".SH \"EXIT STATUS\"\n", command->statuses, "\n");
    if (command->examples)
        put_between(out, ".SH EXAMPLES\n.nf\n", command->examples, "\n.fi\n");
    fputs(".SH \"SEE ALSO\"\n", out);
    see(out, "pmucheck", 1, "");
}

static void see_pages(FILE *out)
{
    fputs(".SH \"SEE ALSO\"\n", out);
    for (const struct command *const *c = commands; *c; c++) {
        char name[NAME_MAX_LENGTH];
        snprintf(name, sizeof(name), "pmucheck-%s", (*c)->name);
        see(out, name, 1, ",");
    }
    for (const struct guide *g = guides; g->name; g++) {
        char name[NAME_MAX_LENGTH];
        snprintf(name, sizeof(name), "pmucheck-%s", g->name);
        see(out, name, g->section, g[1].name ? "," : "");
    }
}

static void put_entry(FILE *out, const char *name, const char *summary)
{
    put_between(out, ".TP\n\\fB", name, "\\fR\n");
    put_between(out, "", summary, "\n");
}

void help_man(FILE *out)
{
    man_begin(out, "pmucheck", 1, "tests of performance monitoring units: logs, reports, comparisons");
    fputs(".SH SYNOPSIS\n\\fBpmucheck\\fR COMMAND [OPTION]... [ARGUMENT]...\n.SH DESCRIPTION\n"
          "pmucheck is a bootable image that tests the performance monitoring unit of Intel CPUs, and this program, "
          "which starts the image and reads its logs.\n.SH COMMANDS\n",
          out);
    for (const struct command *const *c = commands; *c; c++)
        put_entry(out, (*c)->name, (*c)->summary);
    fputs(".PP\n\\fBpmucheck\\fR COMMAND \\fB\\-\\-help\\fR prints a command\\(aqs page, "
          "\\fBpmucheck \\-\\-version\\fR the version.\n.SH GUIDES\n"
          "\\fBpmucheck help\\fR GUIDE prints them, too.\n",
          out);
    for (const struct guide *g = guides; g->name; g++)
        put_entry(out, g->name, g->summary);
    see_pages(out);
}

static void man_guide(FILE *out, const struct guide *guide)
{
    char name[NAME_MAX_LENGTH], *piece;
    snprintf(name, sizeof(name), "pmucheck-%s", guide->name);
    man_begin(out, name, guide->section, guide->summary);
    for (unsigned i = 0; (piece = guide_piece(guide, i)); i++) {
        if (strncmp(piece, "## ", 3) != 0)
            fputs(".SH DESCRIPTION\n", out);
        man_markdown(out, piece);
        free(piece);
    }
    fputs(".SH \"SEE ALSO\"\n", out);
    see(out, "pmucheck", 1, "");
}

bool help_man_topic(FILE *out, const char *topic)
{
    const struct command *command = command_find(topic);
    const struct guide *guide = guide_find(topic);
    if (command)
        man_command(out, command);
    else if (guide)
        man_guide(out, guide);
    return command || guide;
}

/* ---- All of them, as files */

/* DIRECTORY/manN/pmucheck[-TOPIC].N; false with errno set. */
static bool write_page(const char *directory, const char *topic, unsigned section)
{
    char path[4096];
    snprintf(path, sizeof(path), "%s/man%u", directory, section);
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return false;
    snprintf(path, sizeof(path), "%s/man%u/pmucheck%s%s.%u", directory, section, topic ? "-" : "", topic ? topic : "",
             section);
    FILE *out = fopen(path, "w");
    if (!out)
        return false;
    if (topic)
        help_man_topic(out, topic);
    else
        help_man(out);
    bool whole = !ferror(out);
    return fclose(out) == 0 && whole;
}

bool help_man_pages(const char *directory)
{
    bool good = write_page(directory, NULL, 1);
    for (const struct command *const *c = commands; good && *c; c++)
        good = write_page(directory, (*c)->name, 1);
    for (const struct guide *g = guides; good && g->name; g++)
        good = write_page(directory, g->name, g->section);
    return good;
}
