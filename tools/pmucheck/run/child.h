/* A program that writes to us and must not run for ever. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct child {
    int output; /* what it writes */
    int pid;
};

enum child_event { CHILD_BYTES, CHILD_QUIET, CHILD_CLOSED };

/* Starts it with nothing to read. False: errno tells why. */
bool child_start(struct child *child, char **arguments);
/* Reads what has come, waiting at most so long for it; *size: room for bytes, then how many came. */
enum child_event child_wait(struct child *child, int milliseconds, char *bytes, size_t *size);
/* Asks it to end, insists after 5 s. Returns its exit status, 128 + signal if a signal ended it. */
int child_end(struct child *child, bool ask);
