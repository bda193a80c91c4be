/* SPDX-License-Identifier: BSD-2-Clause */
/* A child program whose output is read, and which must not run for ever. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct child {
    int output; /* its output */
    int input;  /* what feeds it; -1: nothing does */
    int pid;
};

enum child_event { CHILD_BYTES, CHILD_QUIET, CHILD_CLOSED };

/* Starts it without input. On failure returns false with errno. */
bool child_start(struct child *child, char **arguments);
/* Starts it with input, and with one more file that is open in it under the same number. */
bool child_start_fed(struct child *child, char **arguments, int kept);
/* Reads its output, waiting at most this long; *size: room for bytes, then the number read. */
enum child_event child_wait(struct child *child, int milliseconds, char *bytes, size_t *size);
/* Terminates it, after 5 s by force. Returns its exit status, 128 + signal if a signal ended it. */
int child_end(struct child *child, bool ask);
