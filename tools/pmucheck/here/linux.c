/* SPDX-License-Identifier: BSD-2-Clause */
/* What Linux tells of counters and their users. */
#include "tools/pmucheck/here/here.h"
#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *word(struct here *here, const struct here_source *source, const char *path)
{
    char text[256];
    here_file(source, path, text, sizeof(text));
    return arena_copy(&here->arena, text, strlen(text));
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void look_at_units(struct here *here, const struct here_source *source)
{
    struct here_system *system = &here->system;
    DIR *directory = opendir(here_path(source, &here->arena, "/sys/bus/event_source/devices"));
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (entry->d_name[0] != '.')
            *LIST_ADD(&here->arena, &system->units) = arena_copy(&here->arena, entry->d_name, strlen(entry->d_name));
    if (directory)
        closedir(directory);
    LIST_SORT(system->units, by_name);
}

/* ---- Open counters: files of perf_event_open() are links to this name. */

#define COUNTER "anon_inode:[perf_event]"

static unsigned counters_of(struct here *here, const struct here_source *source, const char *pid)
{
    const char *path = here_path(source, &here->arena, arena_print(&here->arena, "/proc/%s/fd", pid));
    char target[64];
    unsigned count = 0;
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        ssize_t length = readlinkat(dirfd(directory), entry->d_name, target, sizeof(target));
        count += length == (ssize_t)strlen(COUNTER) && memcmp(target, COUNTER, strlen(COUNTER)) == 0;
    }
    if (directory)
        closedir(directory);
    return count;
}

static int by_pid(const void *a, const void *b)
{
    const struct here_process *one = a, *other = b;
    return (one->pid > other->pid) - (one->pid < other->pid);
}

static void look_at_processes(struct here *here, const struct here_source *source)
{
    struct here_system *system = &here->system;
    DIR *directory = opendir(here_path(source, &here->arena, "/proc"));
    for (struct dirent *entry; directory && (entry = readdir(directory));) {
        unsigned counters = isdigit((unsigned char)entry->d_name[0]) ? counters_of(here, source, entry->d_name) : 0;
        if (counters)
            *LIST_ADD(&here->arena, &system->processes) =
                (struct here_process){(unsigned)strtoul(entry->d_name, NULL, 10), counters,
                                      word(here, source, arena_print(&here->arena, "/proc/%s/comm", entry->d_name))};
    }
    if (directory)
        closedir(directory);
    LIST_SORT(system->processes, by_pid);
}

void here_look_linux(struct here *here, const struct here_source *source)
{
    here->system.release = word(here, source, "/proc/sys/kernel/osrelease");
    here->system.watchdog = word(here, source, "/proc/sys/kernel/nmi_watchdog");
    here->system.paranoid = word(here, source, "/proc/sys/kernel/perf_event_paranoid");
    look_at_units(here, source);
    look_at_processes(here, source);
}
