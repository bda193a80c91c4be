/* SPDX-License-Identifier: BSD-2-Clause */
/* QEMU's control socket, by its machine protocol (QMP): commands and answers are lines of JSON. */
#pragma once

#include <stdbool.h>

#define CONTROL_LINE 4096

struct control {
    int socket; /* -1: none */
    bool greeted;
    char line[CONTROL_LINE]; /* the last answer, or why there is none */
};

/* The first time waits for QEMU's greeting, and greets. False, with `line`: no QEMU answers. */
bool control_open(struct control *control);
/* Gives a command, as in "{\"execute\": \"stop\"}", and waits for its answer. False, with `line`: it was refused. */
bool control_ask(struct control *control, const char *command);
/* Asks again and again, within a minute, until the answer has this text. */
bool control_until(struct control *control, const char *command, const char *text);
