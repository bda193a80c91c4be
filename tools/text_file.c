#include "tools/text_file.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_LIMIT (256ul << 20)

char *text_file_read(const char *tool, const char *path, size_t *size)
{
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    size_t room = 1 << 16;
    char *text = malloc(room);
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
        fprintf(stderr, "%s: %s cannot be read as a whole\n", tool, path);
        free(text);
        text = NULL;
    }
    if (file && file != stdin)
        fclose(file);
    return text;
}
