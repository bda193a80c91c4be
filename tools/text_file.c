/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/text_file.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_LIMIT (256ul << 20)

#define ROOM_FIRST 65536

/* Returns false if memory runs out. */
static bool widen(struct text_room *room)
{
    size_t size = room->size ? 2 * room->size : ROOM_FIRST;
    char *larger = realloc(room->text, size);
    if (!larger)
        return false;
    room->text = larger;
    room->size = size;
    return true;
}

/* Returns false on an error. */
static bool read_all(FILE *file, struct text_room *room, size_t *size)
{
    if (!room->text && !widen(room))
        return false;
    for (;;) {
        *size += fread(room->text + *size, 1, room->size - *size, file);
        if (*size < room->size)
            return !ferror(file);
        if (*size >= SIZE_LIMIT || !widen(room))
            return false;
    }
}

bool text_file_read_into(const char *tool, const char *path, struct text_room *room, size_t *size)
{
    errno = 0;
    *size = 0;
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    bool good = file && read_all(file, room, size);
    if (!good)
        fprintf(stderr, "%s: %s cannot be read: %s\n", tool, path,
                *size >= SIZE_LIMIT ? "larger than 256 MiB" : strerror(errno));
    if (file && file != stdin)
        fclose(file);
    return good;
}

char *text_file_read(const char *tool, const char *path, size_t *size)
{
    struct text_room room = {0};
    if (text_file_read_into(tool, path, &room, size))
        return room.text;
    free(room.text);
    return NULL;
}
