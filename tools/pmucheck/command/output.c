/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the commands write. A file is written beside the old one, without a name if the file system can do that, and
 * takes its place when it is whole. Logs, and what is gathered from them over time, cannot be made again: no output
 * replaces one.
 */
#define _GNU_SOURCE /* O_TMPFILE */
#include "tools/pmucheck/command/load.h"
#include "tools/span.h"
#include "tools/text_file.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that is being written. */
struct writing {
    FILE *out;
    char *path;       /* of the old file, or of the one that it becomes */
    char *beside;     /* its own name; NULL: it has none yet */
    bool log, update; /* it is a log; it may replace a file that was read */
    struct writing *next;
};
static struct writing *writings;

/* ---- What must not be replaced */

/* All bytes of a file, however large, to be unmapped; length 0 if it has none or cannot be read. */
static struct span bytes_of(const char *path)
{
    struct stat status;
    void *bytes = MAP_FAILED;
    FILE *in = fopen(path, "rb");
    if (in && fstat(fileno(in), &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, fileno(in), 0);
    if (in)
        fclose(in);
    return bytes == MAP_FAILED ? (struct span){"", 0} : (struct span){bytes, (size_t)status.st_size};
}

static void unmap(struct span bytes)
{
    if (bytes.length)
        munmap((void *)(uintptr_t)bytes.text, bytes.length);
}

/* Of a log of the image, whole or not; what other forms of a report have is not enough. */
static bool are_of_log(const struct log_file *file)
{
    bool found = false;
    for_each_item (file->boots, boot)
        found |= boot->identified || boot->checked_line || boot->ended;
    return found;
}

static void skip_blanks(struct span *bytes)
{
    while (span_skip(bytes, " ") || span_skip(bytes, "\n") || span_skip(bytes, "\r") || span_skip(bytes, "\t"))
        ;
}

/* Its schema comes first, however the JSON is laid out. */
static bool is_baseline(struct span bytes)
{
    static const char *const tokens[] = {"{", "\"schema\"", ":", "\"pmucheck-baseline-"};
    for (size_t i = 0; i < sizeof(tokens) / sizeof(tokens[0]); i++) {
        skip_blanks(&bytes);
        if (!span_skip(&bytes, tokens[i]))
            return false;
    }
    return true;
}

enum content { CONTENT_OTHER, CONTENT_LOG, CONTENT_PACKED, CONTENT_BASELINE };

static enum content content_of(const char *path)
{
    struct log_file file = {0};
    const struct span bytes = bytes_of(path);
    if (!bytes.length)
        return CONTENT_OTHER;
    log_read_again(&file, path, bytes.text, bytes.length);
    enum content content = are_of_log(&file)    ? CONTENT_LOG
                           : file.other         ? CONTENT_PACKED
                           : is_baseline(bytes) ? CONTENT_BASELINE
                                                : CONTENT_OTHER;
    log_free(&file);
    unmap(bytes);
    return content;
}

static bool spare(const struct command *command, const char *path, enum content most)
{
    static const char *const words[] = {
        [CONTENT_LOG] = "is a log, and an output never replaces one",
        [CONTENT_PACKED] = "is an archive, a picture or a database, and this output replaces none",
        [CONTENT_BASELINE] = "is a baseline, and this output replaces none",
    };
    const enum content content = content_of(path);
    if (content == CONTENT_OTHER || content > most)
        return true;
    command_refuse(command, "%s %s: name another file, or remove it", path, words[content]);
    return false;
}

bool load_spare(const struct command *command, const char *path)
{
    return spare(command, path, CONTENT_LOG);
}

/* ---- Opening */

static char *printed(const char *format, const char *first, const char *second)
{
    char *text = NULL;
    if (asprintf(&text, format, first, second) < 0)
        abort();
    return text;
}

/* A file without a name in the folder of the path; else one with a name of its own. */
static int open_beside(const char *path, mode_t mode, char **beside)
{
    char *folder = strdup(path), *slash = folder ? strrchr(folder, '/') : NULL;
    if (slash)
        slash[slash == folder] = 0;
    int file = open(slash ? folder : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
    free(folder);
    *beside = NULL;
    if (file >= 0 || errno == ENOENT || errno == EACCES || errno == EROFS || errno == ENOSPC)
        return file;
    *beside = printed("%s.XXXXXX.new%s", path, "");
    file = mkostemps(*beside, 4, O_CLOEXEC);
    if (file >= 0)
        fchmod(file, mode);
    return file;
}

static mode_t usual_mode(void)
{
    mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static FILE *refuse(const struct command *command, const char *path)
{
    command_refuse(command, "%s cannot be written: %s", path, strerror(errno));
    return NULL;
}

/* Pipes and devices are written at once. */
static FILE *open_at_once(const struct command *command, const char *path)
{
    FILE *out = fopen(path, "w");
    if (!out)
        refuse(command, path);
    return out;
}

static FILE *open_new(const struct command *command, const char *path, bool log, bool update)
{
    struct stat status;
    bool old = stat(path, &status) == 0;
    if (old && !S_ISREG(status.st_mode))
        return open_at_once(command, path);
    struct writing *w = calloc(1, sizeof(*w));
    char *real = old ? realpath(path, NULL) : strdup(path);
    bool may = w && real && (!old || access(real, W_OK) == 0);
    int file = may ? open_beside(real, old ? status.st_mode & 0777 : usual_mode(), &w->beside) : -1;
    FILE *out = file < 0 ? NULL : fdopen(file, "w");
    if (!out) {
        refuse(command, path);
        free(real);
        free(w ? w->beside : NULL);
        free(w);
        return NULL;
    }
    if (old)
        fchmod(file, status.st_mode & 0777);
    *w = (struct writing){out, real, w->beside, log, update, writings};
    writings = w;
    return out;
}

FILE *load_output(const struct command *command, const char *path)
{
    if (!path || strcmp(path, "-") == 0)
        return stdout;
    return spare(command, path, CONTENT_BASELINE) ? open_new(command, path, false, false) : NULL;
}

FILE *load_output_log(const struct command *command, const char *path)
{
    return !path || strcmp(path, "-") == 0 ? stdout : open_new(command, path, true, false);
}

/* Moves the file at `path` to PATH.1, or to the next name that is free. */
static bool set_aside(const struct command *command, const char *path)
{
    char number[16];
    for (unsigned n = 1; n < 10000; n++) {
        snprintf(number, sizeof(number), "%u", n);
        char *other = printed("%s.%s", path, number);
        bool moved = link(path, other) == 0 && unlink(path) == 0;
        if (moved)
            fprintf(stderr, "pmucheck %s: what was in %s is now in %s\n", command->name, path, other);
        free(other);
        if (moved || errno != EEXIST)
            return moved || refuse(command, path);
    }
    return false;
}

/* Opens and empties a file that no other run writes. */
static FILE *open_alone(const struct command *command, const char *path)
{
    struct stat status;
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0 || fstat(file, &status) != 0)
        return refuse(command, path);
    if (S_ISREG(status.st_mode) && flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        command_refuse(command, "another run writes its log to %s: name another file", path);
        close(file);
        return NULL;
    }
    if (S_ISREG(status.st_mode) && ftruncate(file, 0) != 0)
        return refuse(command, path);
    FILE *out = fdopen(file, "w");
    return out ? out : refuse(command, path);
}

FILE *load_growing(const struct command *command, const char *path)
{
    struct stat status;
    bool old = stat(path, &status) == 0 && S_ISREG(status.st_mode);
    if (old && text_file_was_read(&status)) {
        command_refuse(command, "%s was also read, and an output never replaces an input: name another file", path);
        return NULL;
    }
    return old && content_of(path) != CONTENT_OTHER && !set_aside(command, path) ? NULL : open_alone(command, path);
}

/* ---- Closing */

/* Does the file that is being written have the bytes of the old one? */
static bool is_the_same(const struct writing *w)
{
    char *name = NULL;
    if (asprintf(&name, "/proc/self/fd/%d", fileno(w->out)) < 0)
        return false;
    const struct span bytes = bytes_of(w->beside ? w->beside : name), old = bytes_of(w->path);
    bool same = bytes.length == old.length && memcmp(bytes.text, old.text, old.length) == 0;
    unmap(bytes);
    unmap(old);
    free(name);
    return same;
}

static bool may_replace(const struct command *command, const struct writing *w)
{
    struct stat status;
    if (stat(w->path, &status) != 0 || w->update || (w->log && is_the_same(w)))
        return true;
    if (w->log && !spare(command, w->path, CONTENT_BASELINE))
        return false;
    if (!text_file_was_read(&status))
        return true;
    command_refuse(command, "%s was also read, and an output never replaces an input: name another file", w->path);
    return false;
}

/* Gives a file without a name one of its own. */
static bool name_it(struct writing *w)
{
    char *file = NULL;
    if (w->beside)
        return true;
    if (asprintf(&file, "/proc/self/fd/%d", fileno(w->out)) < 0)
        return false;
    for (unsigned n = 0; n < 1000 && !w->beside; n++) {
        char number[32];
        snprintf(number, sizeof(number), "%ld-%u", (long)getpid(), n);
        w->beside = printed("%s.%s.new", w->path, number);
        if (linkat(AT_FDCWD, file, AT_FDCWD, w->beside, AT_SYMLINK_FOLLOW) == 0)
            break;
        free(w->beside);
        w->beside = NULL;
        if (errno != EEXIST)
            break;
    }
    free(file);
    return w->beside;
}

static struct writing *take(const FILE *out)
{
    for (struct writing **w = &writings; *w; w = &(*w)->next)
        if ((*w)->out == out) {
            struct writing *found = *w;
            *w = found->next;
            return found;
        }
    return NULL;
}

/* The new file takes the old one's place; or it goes. */
static bool take_place(const struct command *command, struct writing *w, bool good)
{
    bool may = good && may_replace(command, w), named = may && name_it(w), placed = named;
    if (named && rename(w->beside, w->path) != 0)
        placed = false;
    if (may && !placed)
        command_refuse(command, "%s cannot be replaced: %s", w->path, strerror(errno));
    if (!placed && w->beside)
        unlink(w->beside);
    return placed;
}

bool load_close(const struct command *command, const char *path, FILE *out)
{
    struct writing *w = take(out);
    bool good = fflush(out) == 0 && !ferror(out);
    if (!good)
        command_refuse(command, "%s was not written completely: %s", path ? path : "the output", strerror(errno));
    bool placed = w ? take_place(command, w, good) : good;
    if (out != stdout && fclose(out) != 0 && placed)
        placed = false;
    if (w) {
        free(w->path);
        free(w->beside);
        free(w);
    }
    return placed;
}

bool load_replace(const struct command *command, const char *path, const char *text, const char *more)
{
    FILE *out = load_spare(command, path) ? open_new(command, path, false, true) : NULL;
    if (!out)
        return false;
    fputs(text, out);
    fputs(more, out);
    return load_close(command, path, out);
}
