/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE /* pipe2() */
#include "tools/pmucheck/run/run.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_MS 5000

struct ends {
    int input, output, report; /* input: -1: none */
    int kept;                  /* stays open; -1: no file does */
};

static void become(char **arguments, const struct ends *ends)
{
    int input = ends->input >= 0 ? ends->input : open("/dev/null", O_RDONLY), report = ends->report;
    bool kept = ends->kept < 0 || fcntl(ends->kept, F_SETFD, 0) == 0;
    if (kept && input >= 0 && dup2(input, 0) >= 0 && dup2(ends->output, 1) >= 0)
        execvp(arguments[0], arguments);
    int reason = errno;
    ssize_t written = write(report, &reason, sizeof(reason));
    _exit(written == sizeof(reason) ? 127 : 126);
}

static void close_pair(const int pair[2])
{
    close(pair[0]);
    close(pair[1]);
}

/* The last pipe is closed when the program starts, and carries errno if it cannot be started. */
static bool start(struct child *child, char **arguments, const int input[2], int kept)
{
    int output[2], report[2], reason = 0;
    if (pipe2(output, O_CLOEXEC) != 0)
        return false;
    if (pipe2(report, O_CLOEXEC) != 0) {
        close_pair(output);
        return false;
    }
    *child = (struct child){.pid = fork(), .output = output[0], .input = input[1]};
    if (child->pid == 0)
        become(arguments, &(struct ends){input[0], output[1], report[1], kept});
    close(output[1]);
    close(report[1]);
    bool failed = child->pid < 0 || read(report[0], &reason, sizeof(reason)) == sizeof(reason);
    close(report[0]);
    if (failed) {
        close(output[0]);
        if (child->pid > 0)
            waitpid(child->pid, NULL, 0);
        errno = reason ? reason : errno;
    }
    return !failed;
}

bool child_start(struct child *child, char **arguments)
{
    return start(child, arguments, (const int[]){-1, -1}, -1);
}

bool child_start_fed(struct child *child, char **arguments, int kept)
{
    int input[2];
    if (pipe2(input, O_CLOEXEC) != 0)
        return false;
    bool started = start(child, arguments, input, kept);
    int reason = errno;
    close(input[0]);
    if (!started)
        close(input[1]);
    errno = reason;
    return started;
}

enum child_event child_wait(struct child *child, int milliseconds, char *bytes, size_t *size)
{
    struct pollfd poll_for = {.fd = child->output, .events = POLLIN};
    size_t room = *size;
    *size = 0;
    if (poll(&poll_for, 1, milliseconds) <= 0)
        return CHILD_QUIET;
    ssize_t got = read(child->output, bytes, room);
    if (got < 0 && errno == EINTR)
        return CHILD_QUIET;
    if (got <= 0)
        return CHILD_CLOSED;
    *size = (size_t)got;
    return CHILD_BYTES;
}

static bool gone(const struct child *child, int *status)
{
    return waitpid(child->pid, status, WNOHANG) != 0;
}

int child_end(struct child *child, bool ask)
{
    int status = 0;
    bool ended = gone(child, &status);
    if (!ended && ask)
        kill(child->pid, SIGTERM);
    for (int waited = 0; !ended && waited < PATIENCE_MS; waited += 10) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        ended = gone(child, &status);
    }
    if (!ended) {
        kill(child->pid, SIGKILL);
        waitpid(child->pid, &status, 0);
    }
    close(child->output);
    if (child->input >= 0)
        close(child->input);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
