/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The subcommands of pmucheck. One table row each drives the parser, `--help` and the list in README.md. Each command
 * lives in a folder of its own, whose command.c has the row.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct option_row {
    char letter;          /* also -x; 0: none */
    const char *name;     /* --name; NULL ends the rows */
    const char *argument; /* the name of its value; NULL: it has none */
    const char **text;    /* the variable for the value */
    bool *flag;           /* set if the option has no value */
    const char *help;
};

struct command {
    const char *name, *summary;
    const char *arguments;   /* after the options, as in "LOG..." */
    const char *description; /* paragraphs, separated by an empty line; lines that begin with blanks are not filled */
    const struct option_row *options;
    const char *statuses; /* exit statuses, "0 pass, ..." */
    const char *examples; /* one on each line */
    /* argc and argv: the remaining arguments. */
    int (*run)(int argc, char **argv);
};

extern const struct command command_run, command_report, command_compare, command_baseline, command_judge,
    command_adopt, command_export, command_profile, command_scan, command_here, command_usb, command_kexec,
    command_collect, command_help;

/* All of them; NULL ends the list. */
extern const struct command *const commands[];
/* help/pages.c */
const struct command *command_find(const char *name);
/* The command that was meant by a mistyped name; NULL: none is similar. */
const char *command_meant(const char *name);

/* Prints "pmucheck NAME: message" to standard error and returns STATUS_ERROR. The message says what to do. */
int command_refuse(const struct command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/*
 * Reads the options of the command's rows. Returns the number of remaining arguments, which are moved to argv[0] and
 * following; -1 with a message on an error.
 */
int command_options(const struct command *command, int argc, char **argv);

/*
 * help/pages.c: one command's page; a list of all commands; the list as a Markdown table and all pages as a Markdown
 * manual.
 */
void help_command(FILE *out, const struct command *command);
void help_all(FILE *out);
void help_table(FILE *out);
void help_manual(FILE *out);
/* help/completion.c: a script for that shell, bash, zsh or fish; false for another one. */
bool help_completion(FILE *out, const char *shell);

/*
 * help/man_pages.c: pages for man. Of the program; of a command or a guide, false if there is none of this name; all of
 * them as files DIRECTORY/manN/NAME.N, false with errno set.
 */
void help_man(FILE *out);
bool help_man_topic(FILE *out, const char *topic);
bool help_man_pages(const char *directory);
