/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/baseline/baseline.h"
#include "tools/pmucheck/command/command.h"
#include "tools/text_file.h"
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* NULL, after a message: the file cannot be read, or is none. */
static json_object *read_baseline(const struct command *command, const char *path)
{
    size_t size, fault;
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        command_refuse(command, "%s: it is no regular file; remove it, and accept its logs again", path);
        return NULL;
    }
    char *text = text_file_read("pmucheck", path, &size);
    if (!text)
        return NULL;
    json_object *baseline = json_read(text, size, &fault);
    unsigned line = 1;
    for (size_t i = 0; !baseline && i < fault; i++)
        line += text[i] == '\n';
    const char *refusal = baseline ? baseline_refusal(baseline) : "it is not JSON from here on";
    free(text);
    if (!refusal)
        return baseline;
    command_refuse(command, "%s:%u: %s; repair it, or remove it and accept its logs again", path, line, refusal);
    json_object_put(baseline);
    return NULL;
}

struct baseline_file *baseline_file(struct baseline_files *files, const struct command *command, const char *directory,
                                    const struct facts *facts)
{
    const char *path = arena_print(&files->arena, "%s/%s", directory, baseline_name(&files->arena, facts));
    for_each_item (files->list, file)
        if (strcmp(file->path, path) == 0)
            return file;
    struct baseline_file *file = LIST_ADD(&files->arena, &files->list);
    file->path = path;
    if (access(path, F_OK) == 0) {
        file->baseline = read_baseline(command, path);
        file->bad = !file->baseline;
    }
    return file;
}

void baseline_files_free(struct baseline_files *files)
{
    for_each_item (files->list, file)
        json_object_put(file->baseline);
    arena_free(&files->arena);
}
