/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/command/command.h"
#include "tools/pmucheck/command/load.h"
#include "tools/pmucheck/share/share.h"
#include "tools/text_file.h"
#include <stdlib.h>
#include <string.h>

#define SHOWN_LEFT 20

/* Will the file's check sums be right for its readers? */
static bool is_whole(const char *text, size_t size)
{
    struct log_file again;
    log_read(&again, "shared", text, size);
    bool whole = again.boots.count == 1 && again.boots.item[0].ended && !again.boots.item[0].problems.count;
    log_free(&again);
    return whole;
}

static const char *default_name(struct arena *arena, const struct log_boot *boot)
{
    for_each_item (boot->runs, run)
        if (log_run_of_tests(run)) {
            struct facts facts;
            facts_read(arena, boot, run, &facts);
            return arena_print(arena, "pmucheck-%s-%s.log", facts.signature[0] ? facts.signature : "unknown",
                               boot->code[0] ? boot->code : "log");
        }
    return "pmucheck.log";
}

/* The lines before the first test are about the machine; the rest are results. */
static void show(const char *name, const char *text, size_t size, const struct share_left *left)
{
    unsigned lines = 0;
    printf("%s: %zu bytes. These are all its lines about the machine:\n\n", name, size);
    for (const char *line = text, *end; (end = strchr(line, '\n')); line = end + 1) {
        if (strncmp(line, "1..", 3) == 0 || strncmp(line, "# begin ", 8) == 0)
            break;
        if (strncmp(line, "# sync ", 7) != 0)
            printf("    %.*s\n", (int)strcspn(line, "\r\n"), line);
    }
    for (const char *c = text; *c; c++)
        lines += *c == '\n';
    printf("\nThen come the results, %u lines in all. Left out of your log:\n\n", lines);
    for (unsigned i = 0; i < left->removed.count && i < SHOWN_LEFT; i++)
        printf("    %s\n", left->removed.item[i]);
    printf("    %u lines of other kinds, or not from the image\n\n", left->lines);
    printf("Look at the file, then attach it to an issue (\"A log of a machine\").\n");
}

static int share(const struct command *command, const struct log_file *file, const struct log_boot *boot,
                 const char *output, bool board)
{
    struct arena arena = {0};
    struct share_left left;
    char *text = NULL;
    size_t size;
    const char *name = output ? output : default_name(&arena, boot);
    FILE *memory = text_stream(&text, &size), *out;
    int status = STATUS_ERROR;
    share_write(memory, &arena, boot, board, &left);
    fclose(memory);
    if (!is_whole(text, size)) {
        command_refuse(command, "%s: the shared log would not be whole: please report this as a bug", file->path);
    } else if ((out = load_output_log(command, name))) {
        fwrite(text, 1, size, out);
        status = load_close(command, name, out) ? STATUS_PASS : STATUS_ERROR;
        if (status == STATUS_PASS && out != stdout)
            show(name, text, size, &left);
    }
    free(text);
    arena_free(&arena);
    return status;
}

int sharing(const struct command *command, char *path, const char *output, bool board)
{
    struct log_file *file = load_logs(command, 1, &path);
    if (!file)
        return STATUS_ERROR;
    const struct log_boot *boot = load_start(command, file);
    const char *why = share_refusal(boot);
    int status = why ? command_refuse(command, "%s: %s", path, why) : share(command, file, boot, output, board);
    load_free(file, 1);
    return status;
}
