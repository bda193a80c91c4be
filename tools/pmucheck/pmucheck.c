/* SPDX-License-Identifier: BSD-2-Clause */
/* pmucheck COMMAND ...: the host program, from running the image to evaluating its logs. */
#include "kernel/core/image.h"
#include "tools/pmucheck/command/command.h"
#include "tools/pmucheck/log/log.h"
#include <errno.h>
#include <string.h>

const struct command *const commands[] = {
    &command_run,   &command_report, &command_compare, &command_baseline, &command_judge,
    &command_adopt, &command_export, &command_profile, &command_scan,     &command_usb,
    &command_here,  &command_kexec,  &command_collect, &command_help,     NULL};

/* Is one of these words among the options? */
static bool asks_for(const char *word, const char *short_word, int argc, char **argv)
{
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], word) == 0 || strcmp(argv[i], short_word) == 0)
            return true;
    return false;
}

static int tell_version(void)
{
    printf("pmucheck %s, commit %s\n", build_version, build_commit);
    return STATUS_PASS;
}

static int run(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        help_all(argc < 2 ? stderr : stdout);
        return argc < 2 ? STATUS_ERROR : STATUS_PASS;
    }
    if (strcmp(argv[1], "version") == 0 || asks_for("--version", "-V", 1, argv + 1))
        return tell_version();
    const struct command *command = command_find(argv[1]);
    if (!command) {
        const char *meant = command_meant(argv[1]);
        fprintf(stderr,
                meant ? "pmucheck: there is no command %s; did you mean %s?\n"
                      : "pmucheck: there is no command %s; pmucheck --help lists them\n",
                argv[1], meant);
        return STATUS_ERROR;
    }
    if (asks_for("--help", "-h", argc - 2, argv + 2)) {
        help_command(stdout, command);
        return STATUS_PASS;
    }
    if (asks_for("--version", "-V", argc - 2, argv + 2))
        return tell_version();
    int left = command_options(command, argc - 1, argv + 1);
    return left < 0 ? STATUS_ERROR : command->run(left, argv + 1);
}

/* Whatever it printed has arrived, or it failed. */
int main(int argc, char **argv)
{
    int status = run(argc, argv);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (status == STATUS_PASS)
        fprintf(stderr, "pmucheck: the output was not written completely: %s\n", strerror(errno));
    return STATUS_ERROR;
}
