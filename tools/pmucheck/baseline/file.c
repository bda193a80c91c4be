/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/baseline/baseline.h"
#include "tools/pmucheck/command/command.h"
#include "tools/text_file.h"
#include <stdlib.h>
#include <sys/stat.h>

json_object *baseline_read(const struct command *command, const char *path)
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
