/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/run/run.h"
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MS 60000
#define PAUSE_MS 50

static bool fails(struct control *control, const char *why)
{
    snprintf(control->line, sizeof(control->line), "%s", why);
    return false;
}

/* One line, without its end; what does not fit is left out. */
static bool read_line(struct control *control)
{
    struct pollfd wait = {.fd = control->socket, .events = POLLIN};
    size_t length = 0;
    for (char c = 0; c != '\n';) {
        if (poll(&wait, 1, PATIENCE_MS) <= 0)
            return fails(control, "no answer");
        if (read(control->socket, &c, 1) != 1)
            return fails(control, "QEMU has ended");
        if (length < sizeof(control->line) - 1 && c != '\n')
            control->line[length++] = c;
    }
    control->line[length] = 0;
    return true;
}

/* Events come in between. */
static bool answer(struct control *control)
{
    do
        if (!read_line(control))
            return false;
    while (!strstr(control->line, "\"return\"") && !strstr(control->line, "\"error\""));
    return !strstr(control->line, "\"error\"");
}

bool control_open(struct control *control)
{
    if (!control->greeted)
        control->greeted = read_line(control) && control_ask(control, "{\"execute\": \"qmp_capabilities\"}");
    return control->greeted;
}

bool control_ask(struct control *control, const char *command)
{
    if (dprintf(control->socket, "%s\n", command) < 0)
        return fails(control, strerror(errno));
    return answer(control);
}

bool control_until(struct control *control, const char *command, const char *text)
{
    for (unsigned waited = 0; waited < PATIENCE_MS; waited += PAUSE_MS) {
        if (!control_ask(control, command))
            return false;
        if (strstr(control->line, text))
            return true;
        if (strstr(control->line, "\"failed\""))
            return false;
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_MS * 1000000l}, NULL);
    }
    return false;
}
