/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/run/run.h"
#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SAVED_PATH 64

bool mover_open(struct mover *mover)
{
    *mover = (struct mover){.saved = tmpfile(), .control.socket = -1};
    if (!mover->saved)
        snprintf(mover->why, sizeof(mover->why), "a file for the saved guest: %s", strerror(errno));
    return mover->saved;
}

void mover_close(struct mover *mover)
{
    if (!mover->saved)
        return;
    fclose(mover->saved);
    if (mover->control.socket >= 0)
        close(mover->control.socket);
}

/* The saved guest has no name; other programs of this user find it here. */
static void path(const struct mover *mover, char text[SAVED_PATH])
{
    snprintf(text, SAVED_PATH, "/proc/%d/fd/%d", (int)getpid(), fileno(mover->saved));
}

bool mover_start(struct mover *mover, struct arena *arena, const struct qemu_setup *setup, bool load,
                 struct child *child)
{
    struct qemu_arguments arguments = {0};
    struct qemu_setup here = *setup;
    int ends[2];
    char saved[SAVED_PATH];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return false;
    path(mover, saved);
    here.control = ends[1];
    here.incoming = load ? arena_print(arena, "exec:cat %s", saved) : NULL;
    qemu_arguments(arena, &here, &arguments);
    bool started = child_start_fed(child, arguments.list.item, ends[1]);
    int reason = errno;
    close(ends[1]);
    if (mover->control.socket >= 0)
        close(mover->control.socket);
    mover->control = (struct control){.socket = ends[0]};
    errno = reason;
    return started;
}

static bool fails(struct mover *mover, const char *what)
{
    snprintf(mover->why, sizeof(mover->why), "%s: %.200s", what, mover->control.line);
    return false;
}

static bool save(struct mover *mover)
{
    char saved[SAVED_PATH], command[2 * SAVED_PATH + 64];
    path(mover, saved);
    snprintf(command, sizeof(command), "{\"execute\": \"migrate\", \"arguments\": {\"uri\": \"exec:cat >%s\"}}", saved);
    return control_ask(&mover->control, "{\"execute\": \"stop\"}") && control_ask(&mover->control, command) &&
           control_until(&mover->control, "{\"execute\": \"query-migrate\"}", "\"completed\"");
}

/* A guest that is not saved goes on where it is. */
bool mover_save(struct mover *mover)
{
    if (!control_open(&mover->control))
        return fails(mover, "QEMU does not answer");
    if (!save(mover)) {
        fails(mover, "QEMU did not save the guest");
        control_ask(&mover->control, "{\"execute\": \"cont\"}");
        return false;
    }
    return control_ask(&mover->control, "{\"execute\": \"quit\"}") || fails(mover, "QEMU did not end");
}

/* A guest that was stopped is loaded as one: "paused". */
bool mover_go_on(struct mover *mover, const struct child *child)
{
    if (!control_open(&mover->control) ||
        !control_until(&mover->control, "{\"execute\": \"query-status\"}", "\"paused\"") ||
        !control_ask(&mover->control, "{\"execute\": \"cont\"}"))
        return fails(mover, "QEMU did not load the guest");
    return write(child->input, "\n", 1) == 1 || fails(mover, "the guest could not be told");
}
