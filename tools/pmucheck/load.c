#include "tools/pmucheck/load.h"
#include "tools/text_file.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct log_file *load_logs(const struct command *command, int count, char **paths)
{
    struct log_file *files = calloc((size_t)count + 1, sizeof(*files));
    for (int i = 0; files && i < count; i++) {
        size_t size;
        char tool[64];
        snprintf(tool, sizeof(tool), "pmucheck %s", command->name);
        char *text = text_file_read(tool, paths[i], &size);
        if (!text) {
            load_free(files, (unsigned)i);
            return NULL;
        }
        log_read(&files[i], paths[i], text, size);
        free(text);
    }
    return files;
}

void load_free(struct log_file *files, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        log_free(&files[i]);
    free(files);
}

enum log_status load_status(const struct log_file *files, unsigned count)
{
    enum log_status status = STATUS_PASS;
    for (unsigned i = 0; i < count; i++)
        status = log_worse(status, log_status(&files[i]));
    return status;
}

FILE *load_output(const struct command *command, const char *path)
{
    if (!path || strcmp(path, "-") == 0)
        return stdout;
    FILE *out = fopen(path, "w");
    if (!out)
        command_refuse(command, "%s cannot be written: %s", path, strerror(errno));
    return out;
}

bool load_close(const struct command *command, const char *path, FILE *out)
{
    bool failed = ferror(out) || fflush(out) != 0;
    if (out != stdout)
        failed |= fclose(out) != 0;
    if (failed)
        command_refuse(command, "%s was not written as a whole: %s", path ? path : "the output", strerror(errno));
    return !failed;
}
