/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE /* O_DIRECT, memmem() */
#include "tools/pmucheck/usb/usb.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE (1u << 20)
#define ALIGNMENT 4096

static const char *wrong(const char *what, uint64_t at)
{
    static char text[256];
    snprintf(text, sizeof(text), "%s at byte %llu: %s", what, (unsigned long long)at, strerror(errno));
    return text;
}

static bool write_all(int device, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(device, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

/* Reads until the buffer is full or the file ends. */
static size_t read_all(int device, char *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        ssize_t got = read(device, bytes + done, size - done);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    return done;
}

bool usb_holds(FILE *image, const char *text)
{
    static char bytes[PIECE];
    size_t length = strlen(text), kept = 0, got;
    bool found = false;
    rewind(image);
    /* The end of each piece is searched again with the next one, because the text may lie across both. */
    while (!found && (got = fread(bytes + kept, 1, sizeof(bytes) - kept, image)) > 0) {
        found = memmem(bytes, kept + got, text, length) != NULL;
        size_t tail = kept + got < length - 1 ? kept + got : length - 1;
        memmove(bytes, bytes + kept + got - tail, tail);
        kept = tail;
    }
    rewind(image);
    return found;
}

const char *usb_write(FILE *image, uint64_t size, int device, usb_progress progress)
{
    static char bytes[PIECE];
    rewind(image);
    for (uint64_t at = 0; at < size;) {
        size_t piece = size - at < PIECE ? (size_t)(size - at) : PIECE;
        if (fread(bytes, 1, piece, image) != piece)
            return wrong("the image cannot be read", at);
        if (!write_all(device, bytes, piece))
            return wrong("cannot be written", at);
        /* Waits after each piece, or the progress would only show writes to memory. */
        if (fdatasync(device) != 0)
            return wrong("the data did not arrive on the device", at);
        at += piece;
        progress("writing", at, size);
    }
    return NULL;
}

/* The page cache would return the written data, whatever is on the stick. */
static int open_uncached(const char *path)
{
    int device = open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
    if (device < 0)
        device = open(path, O_RDONLY | O_CLOEXEC);
    if (device >= 0)
        posix_fadvise(device, 0, 0, POSIX_FADV_DONTNEED);
    return device;
}

static const char *compare(FILE *image, uint64_t size, int device, char *bytes, usb_progress progress)
{
    static char wanted[PIECE];
    for (uint64_t at = 0; at < size;) {
        size_t piece = size - at < PIECE ? (size_t)(size - at) : PIECE;
        if (fread(wanted, 1, piece, image) != piece)
            return wrong("the image cannot be read", at);
        errno = 0;
        if (read_all(device, bytes, PIECE) < piece)
            return wrong("cannot be read back", at);
        if (memcmp(bytes, wanted, piece) != 0)
            return wrong("differs from the written data: a bad stick; the difference begins", at);
        at += piece;
        progress("comparing", at, size);
    }
    return NULL;
}

const char *usb_verify(FILE *image, uint64_t size, const char *path, usb_progress progress)
{
    char *bytes = aligned_alloc(ALIGNMENT, PIECE);
    int device = open_uncached(path);
    const char *error = bytes && device >= 0 ? NULL : wrong("cannot be read back", 0);
    rewind(image);
    if (!error)
        error = compare(image, size, device, bytes, progress);
    if (device >= 0)
        close(device);
    free(bytes);
    return error;
}
