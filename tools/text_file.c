#include "tools/text_file.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_LIMIT (256ul << 20)

char *text_file_read(const char *tool, const char *path, size_t *size)
{
    errno = 0;
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    size_t room = 1 << 16;
    char *text = file ? malloc(room) : NULL;
    *size = 0;
    while (file && text) {
        *size += fread(text + *size, 1, room - *size, file);
        if (*size < room || room >= SIZE_LIMIT)
            break;
        room *= 2;
        char *larger = realloc(text, room);
        if (!larger)
            free(text);
        text = larger;
    }
    if (!file || !text || ferror(file) || *size >= SIZE_LIMIT) {
        fprintf(stderr, "%s: %s cannot be read: %s\n", tool, path,
                *size >= SIZE_LIMIT ? "it has 256 MiB or more" : strerror(errno));
        free(text);
        text = NULL;
    }
    if (file && file != stdin)
        fclose(file);
    return text;
}
