/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/command/command.h"
#include "kernel/text/text.h"
#include "tools/pmucheck/log/log.h"
#include <getopt.h>
#include <stdarg.h>
#include <string.h>

#define OPTIONS_MAX 32

int command_refuse(const struct command *command, const char *format, ...)
{
    va_list args;
    fprintf(stderr, "pmucheck %s: ", command->name);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    return STATUS_ERROR;
}

static bool take(const struct option_row *row, const char *value)
{
    if (row->flag)
        *row->flag = true;
    if (row->text)
        *row->text = value;
    return true;
}

static bool take_letter(const struct option_row *rows, int letter, const char *value)
{
    for (const struct option_row *row = rows; row && row->name; row++)
        if (row->letter == letter)
            return take(row, value);
    return false;
}

/* The name of the option that was meant by "formt=json"; NULL: none is similar. */
static const char *option_meant(const struct command *command, const char *typed)
{
    char name[64];
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(typed, "="), typed);
    struct near near = near_to(name);
    for (const struct option_row *row = command->options; row && row->name; row++)
        near_try(&near, row->name);
    return near.word;
}

static int wrong_option(const struct command *command, char **argv, int wrong)
{
    const char *name = argv[optind - 1];
    const char *meant = strncmp(name, "--", 2) == 0 ? option_meant(command, name + 2) : NULL;
    if (wrong == ':')
        command_refuse(command, "%s needs a value; see pmucheck %s --help", name, command->name);
    else if (meant)
        command_refuse(command, "there is no option %s; did you mean --%s?", name, meant);
    else
        command_refuse(command, "there is no option %s; pmucheck %s --help lists them", name, command->name);
    return -1;
}

int command_options(const struct command *command, int argc, char **argv)
{
    struct option longs[OPTIONS_MAX] = {{0}};
    char shorts[2 * OPTIONS_MAX + 2] = ":";
    size_t used = 1, rows = 0;
    for (const struct option_row *row = command->options; row && row->name && rows < OPTIONS_MAX - 1; row++, rows++) {
        longs[rows] = (struct option){row->name, row->argument ? required_argument : no_argument, NULL, 0};
        if (row->letter) {
            shorts[used++] = row->letter;
            if (row->argument)
                shorts[used++] = ':';
        }
    }
    int which = 0, letter;
    opterr = 0;
    optind = 1;
    while ((letter = getopt_long(argc, argv, shorts, longs, &which)) != -1) {
        if (letter == '?' || letter == ':')
            return wrong_option(command, argv, letter);
        if (letter == 0)
            take(&command->options[which], optarg);
        else
            take_letter(command->options, letter, optarg);
    }
    memmove(argv, argv + optind, (size_t)(argc - optind + 1) * sizeof(*argv));
    return argc - optind;
}
