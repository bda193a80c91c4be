/* SPDX-License-Identifier: BSD-2-Clause */
/* A temporary folder for a test, with files like the kernel's. */
#pragma once

#include "tests/host/case.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[64];

static inline void root_make(void)
{
    strcpy(root, "/tmp/pmucheck-test-XXXXXX");
    assert_non_null(mkdtemp(root));
}

static inline int root_remove(__attribute__((unused)) void **state)
{
    char command[100];
    snprintf(command, sizeof(command), "rm -rf '%s'", root);
    return system(command);
}

/* The path of this name in the folder, valid until the next call. */
static inline char *at(const char *name)
{
    static char path[512];
    snprintf(path, sizeof(path), "%s/%s", root, name);
    return path;
}

/* Writes a file, and makes its parent folders. */
static inline void put(const char *name, const char *content)
{
    char *path = at(name);
    for (char *slash = strchr(path + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0777);
        *slash = '/';
    }
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(content, out);
    fclose(out);
}
