/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/command/load.h"
#include "tools/text_file.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Overwrites the contents of `file` (zeroed at first) and of the room. */
static bool read_one(const struct command *command, const char *path, bool identify, struct log_file *file,
                     struct text_room *room)
{
    size_t size;
    char tool[64];
    snprintf(tool, sizeof(tool), "pmucheck %s", command->name);
    if (!text_file_read_into(tool, path, room, &size))
        return false;
    log_read_again(file, path, room->text, size);
    if (identify)
        log_identify(file, room->text, size);
    return true;
}

static const char *no_log(const struct log_file *file)
{
    return file->other ? file->other : "no log of pmucheck: no line is the image's";
}

static bool is_log(const struct command *command, const char *path, const struct log_file *file)
{
    if (log_is_one(file))
        return true;
    command_refuse(command, "%s: %s", path, no_log(file));
    return false;
}

struct log_file *load_logs(const struct command *command, int count, char **paths)
{
    struct log_file *files = calloc((size_t)count + 1, sizeof(*files));
    struct text_room room = {0};
    int good = 0;
    while (files && good < count && read_one(command, paths[good], false, &files[good], &room) &&
           is_log(command, paths[good], &files[good]))
        good++;
    free(room.text);
    if (good == count)
        return files;
    if (files)
        load_free(files, (unsigned)count);
    return NULL;
}

/* ---- One after another. Threads read ahead; the caller sees the logs in their order. */

#define AHEAD 16 /* logs in memory at once */
#define THREADS_MOST 4

struct ahead {
    const struct command *command;
    char **paths;
    unsigned count, next, done; /* next file for a thread; next file for the visitor */
    bool identify;
    struct {
        struct log_file file; /* its memory is reused for one log after another */
        bool ready, good;
    } slot[AHEAD];
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

static void *read_ahead(void *context)
{
    struct ahead *a = context;
    struct text_room room = {0};
    pthread_mutex_lock(&a->lock);
    while (a->next < a->count) {
        unsigned index = a->next++;
        while (index >= a->done + AHEAD)
            pthread_cond_wait(&a->changed, &a->lock);
        pthread_mutex_unlock(&a->lock);
        bool good = read_one(a->command, a->paths[index], a->identify, &a->slot[index % AHEAD].file, &room);
        pthread_mutex_lock(&a->lock);
        a->slot[index % AHEAD].good = good;
        a->slot[index % AHEAD].ready = true;
        pthread_cond_broadcast(&a->changed);
    }
    pthread_mutex_unlock(&a->lock);
    free(room.text);
    return NULL;
}

/* Waits for the next log in order, passes it to the visitor and frees it. */
static bool visit_next(struct ahead *a, const struct load_visitor *visitor)
{
    unsigned index = a->done;
    pthread_mutex_lock(&a->lock);
    while (!a->slot[index % AHEAD].ready)
        pthread_cond_wait(&a->changed, &a->lock);
    pthread_mutex_unlock(&a->lock);
    struct log_file *file = &a->slot[index % AHEAD].file;
    bool read = a->slot[index % AHEAD].good, good = read && (visitor->any || is_log(a->command, a->paths[index], file));
    if (good) {
        if (visitor->prepare)
            visitor->prepare(visitor->context, file);
        visitor->visit(visitor->context, file);
    } else if (visitor->missing) {
        visitor->missing(visitor->context, a->paths[index], read ? no_log(file) : "cannot be read");
    }
    pthread_mutex_lock(&a->lock);
    a->slot[index % AHEAD].ready = false;
    a->done++;
    pthread_cond_broadcast(&a->changed);
    pthread_mutex_unlock(&a->lock);
    return good;
}

bool load_each(const struct command *command, int count, char **paths, const struct load_visitor *visitor)
{
    struct ahead ahead = {.command = command, .paths = paths, .count = (unsigned)count, .identify = visitor->identify};
    pthread_t thread[THREADS_MOST];
    unsigned threads = 0, most = (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
    bool good = true;
    most = most > THREADS_MOST ? THREADS_MOST : most;
    pthread_mutex_init(&ahead.lock, NULL);
    pthread_cond_init(&ahead.changed, NULL);
    while (threads < most && threads < ahead.count && pthread_create(&thread[threads], NULL, read_ahead, &ahead) == 0)
        threads++;
    for (unsigned i = 0; i < ahead.count && threads; i++)
        good &= visit_next(&ahead, visitor);
    for (unsigned i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    for (unsigned i = 0; i < AHEAD; i++)
        log_free(&ahead.slot[i].file);
    pthread_cond_destroy(&ahead.changed);
    pthread_mutex_destroy(&ahead.lock);
    if (ahead.count && !threads)
        command_refuse(command, "no thread can be started: %s", strerror(errno));
    return good && (threads || !ahead.count);
}

void load_free(struct log_file *files, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        log_free(&files[i]);
    free(files);
}

const struct log_boot *load_start(const struct command *command, const struct log_file *file)
{
    const struct log_boot *boots = file->boots.item, *whole = log_last_whole(file);
    unsigned count = file->boots.count, number = whole ? (unsigned)(whole - boots) + 1 : count;
    if (count > 1)
        command_refuse(command, "%s: of its %u starts of the image start %u is taken, in line %u%s", file->path, count,
                       number, boots[number - 1].line,
                       !whole           ? ""
                       : number < count ? ": the last whole one; a later one is not whole"
                                        : ": the last one");
    return &boots[number - 1];
}
