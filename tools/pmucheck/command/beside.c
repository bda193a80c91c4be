/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/command/beside.h"
#include <string.h>
#include <unistd.h>

const char *beside_find(const char *name)
{
    static const char *const places[] = {"", "share/pmucheck/"};
    static char path[4096];
    char program[3072];
    ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
    program[length > 0 ? length : 0] = 0;
    for (unsigned up = 0; up < 2; up++) {
        char *slash = strrchr(program, '/');
        if (!slash)
            return NULL;
        *slash = 0;
    }
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        snprintf(path, sizeof(path), "%s/%s%.256s", program, places[i], name);
        if (access(path, R_OK) == 0)
            return path;
    }
    return NULL;
}

bool beside_default(const struct command *command, const char **image, const char *name)
{
    if (!*image)
        *image = beside_find(name);
    if (!*image)
        command_refuse(command, "there is no %s beside this program: build it by `make`, or name another by --image",
                       name);
    return *image;
}
