/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/text_file.h"
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* ---- The files that were read: an output must not replace one. */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct identity {
    dev_t device;
    ino_t inode;
} * seen;
static size_t seen_count, seen_room;

void text_file_remember(FILE *file)
{
    struct stat status;
    if (fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode))
        return;
    pthread_mutex_lock(&lock);
    if (seen_count == seen_room) {
        seen_room = seen_room ? 2 * seen_room : 64;
        seen = realloc(seen, seen_room * sizeof(*seen));
        if (!seen)
            abort();
    }
    seen[seen_count++] = (struct identity){status.st_dev, status.st_ino};
    pthread_mutex_unlock(&lock);
}

bool text_file_was_read(const struct stat *status)
{
    bool found = false;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < seen_count; i++)
        found |= seen[i].device == status->st_dev && seen[i].inode == status->st_ino;
    pthread_mutex_unlock(&lock);
    return found;
}

/* ---- */

bool text_file_read_into(const char *tool, const char *path, struct text_room *room, size_t *size)
{
    errno = 0;
    *size = 0;
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (file)
        text_file_remember(file);
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

FILE *text_stream(char **text, size_t *size)
{
    FILE *stream = open_memstream(text, size);
    if (!stream)
        abort();
    return stream;
}

const char *text_file_start(const char *root, const char *name, char *text, size_t size)
{
    char path[2 * PATH_MAX];
    snprintf(path, sizeof(path), "%s/%s", root, name);
    FILE *file = fopen(path, "r");
    size_t length = file ? fread(text, 1, size - 1, file) : 0;
    if (file)
        fclose(file);
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    text[length] = 0;
    return text;
}

bool text_file_there(const char *root, const char *name)
{
    char path[2 * PATH_MAX];
    snprintf(path, sizeof(path), "%s/%s", root, name);
    return access(path, F_OK) == 0;
}
