/*
 * The subcommands of pmucheck. One table row each drives the parser, `--help` and the list in README.md. Each command
 * lives in a file of its own, cmd_NAME.c.
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

struct option_row {
    char letter;          /* also -x; 0: none */
    const char *name;     /* --name; NULL ends the rows */
    const char *argument; /* what its value is called; NULL: it has none */
    const char *help;
    const char **text; /* where the value goes */
    bool *flag;        /* set, if it has none */
};

struct command {
    const char *name, *summary;
    const char *arguments;   /* after the options, as in "LOG..." */
    const char *description; /* paragraphs, divided by an empty line; lines that begin with blanks are kept */
    const struct option_row *options;
    const char *statuses; /* exit statuses, "0 pass, ..." */
    const char *examples; /* one a line */
    /* argc and argv: what is left of the arguments. */
    int (*run)(int argc, char **argv);
};

extern const struct command command_run, command_report, command_compare, command_baseline, command_judge,
    command_adopt, command_export, command_profile, command_scan, command_usb, command_kexec, command_collect,
    command_help;

/* All of them; NULL ends the list. */
extern const struct command *const commands[];
const struct command *command_find(const char *name);

/* "pmucheck NAME: message" on standard error; the result is STATUS_ERROR. Says what to do about it. */
int command_refuse(const struct command *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/*
 * Reads the options that the command's rows name. Returns how many arguments are left, which stand in argv[0] and
 * following then; -1 with a message if something is wrong.
 */
int command_options(const struct command *command, int argc, char **argv);

/*
 * help.c: one command's page; all commands in short; the same two as Markdown, a table and a manual; all as a manual
 * page for man, and the words that bash completes.
 */
void help_command(FILE *out, const struct command *command);
void help_all(FILE *out);
void help_table(FILE *out);
void help_manual(FILE *out);
void help_man(FILE *out);
void help_completion(FILE *out);
