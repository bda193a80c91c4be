/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/run/name.h"
#include <string.h>

/* The last word "machine=NAME" wins, as in the image. */
static const char *last_name(const char *options)
{
    static const char key[] = "machine=";
    const char *name = NULL;
    for (const char *word = options + strspn(options, " "); *word; word += strspn(word, " ")) {
        if (strncmp(word, key, strlen(key)) == 0)
            name = word + strlen(key);
        word += strcspn(word, " ");
    }
    return name;
}

size_t name_excess(const char *options)
{
    const char *name = last_name(options);
    size_t letters = 0;
    for (; name && *name && *name != ' '; name++)
        letters += *name == '"' || *name == '\\' ? 2 : 1;
    return letters > NAME_MOST ? letters - NAME_MOST : 0;
}
