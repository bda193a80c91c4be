/* SPDX-License-Identifier: BSD-2-Clause */
/* The QEMU that boots the image: its settings, and its command line. Pure. */
#pragma once

#include "tools/arena.h"
#include "tools/pmucheck/log/log.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define QEMU "qemu-system-x86_64"

struct qemu_setup {
    const char *image;
    const char *reference; /* profile of the reference PMU; "": the machine's own PMU */
    const char *profile;   /* file of a profile handed to the image; NULL: none */
    const char *options;   /* more options of the image */
    const char
        *host_kernel;  /* the release of the kernel that hosts a guest on the host's own PMU; NULL or "": unknown */
    const char *accel; /* tcg, or kvm: without reference a guest on the host's own PMU; NULL: tcg */
    const char *machine, *firmware, *medium, *cpu; /* pc, q35, microvm; bios, uefi; cd, usb, net, kernel; QEMU's -cpu */
    const char *serial;                            /* the log's UART: isa, pci or pci2; NULL: isa */
    unsigned cpus, memory;                         /* memory in MiB */
    int control;                                   /* this open file is QEMU's control socket (QMP); 0: it has none */
    const char *incoming;                          /* it loads a saved guest from there; NULL: it boots */
    char **more;                                   /* further arguments of QEMU's, ended by NULL */
};

struct qemu_arguments {
    LIST(char *) list; /* ended by NULL */
};

/* Builds the command line, allocated in the arena. */
void qemu_arguments(struct arena *arena, const struct qemu_setup *setup, struct qemu_arguments *arguments);

/* ---- child.c: a child program whose output is read, and which must not run for ever */

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

/* ---- control.c: QEMU's control socket, by its machine protocol (QMP): commands and answers are lines of JSON */

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

/* ---- move.c: moves a guest from a running QEMU into a new one, through a file: stops and saves it, ends that QEMU,
 * and starts another one with the same command line that loads the guest and lets it go on. Then a byte on the guest's
 * serial line tells it */

struct mover {
    FILE *saved;            /* NULL: guests are not moved */
    struct control control; /* of the present QEMU */
    char why[256];
};

bool mover_open(struct mover *mover);
/* Starts QEMU, which boots, or, if there is a saved guest, loads it. */
bool mover_start(struct mover *mover, struct arena *arena, const struct qemu_setup *setup, bool load,
                 struct child *child);
/* Saves the guest, and asks QEMU to end. False, with `why`. */
bool mover_save(struct mover *mover);
/* After mover_start() with `load`: lets the guest go on, and tells it. False, with `why`. */
bool mover_go_on(struct mover *mover, const struct child *child);
void mover_close(struct mover *mover);

/* ---- kvm.c: can a guest have this machine's PMU? KVM gives guests the PMU of an Intel CPU, unless the host has none,
 * has it switched off, or has two kinds of core */

/* Linux's file systems; tests use other directories. */
struct kvm_places {
    const char *dev, *sys, *proc; /* "/dev", "/sys", "/proc" */
};
extern const struct kvm_places kvm_places;

/*
 * NULL if there can be a guest, with this machine's PMU if it is to have that (own_pmu); else the reason, and what to
 * do.
 */
const char *kvm_refusal(struct arena *arena, const struct kvm_places *places, bool own_pmu);
/* The release of this machine's kernel, "6.8.0-45-generic", for the option host-kernel=; "": unknown. */
const char *kvm_host_kernel(struct arena *arena, const struct kvm_places *places);
/* A warning about something that influences the results; NULL: none. */
const char *kvm_warning(const struct kvm_places *places);

/* ---- progress.c: the progress of a running image, from the log's bytes as they arrive */

#define PROGRESS_LINE 1024

struct progress {
    char line[PROGRESS_LINE]; /* the line being received */
    size_t length;
    bool ended;             /* the END line came */
    unsigned plan, results; /* of the level whose tests run now */
    unsigned runs, run;     /* number of runs and the present one; 0: only one run */
    unsigned count[LOG_OUTCOMES];
    char test[96], pmu[96]; /* the running test */
};

/*
 * Takes bytes up to the end of a line; returns their number. *line is that line, without its end, if it is complete,
 * else NULL. It is valid until the next call.
 */
size_t progress_take(struct progress *progress, const char *bytes, size_t size, const char **line);
/* Is this line shown above the bar? */
bool progress_notable(const char *line);
/* Writes the bar, at most `width` characters. */
void progress_bar(const struct progress *progress, unsigned seconds, unsigned width, char *text, size_t size);

/* ---- The machine's name, an option of the image: what the image keeps of it */

#define NAME_MOST 157 /* letters of the log's name=, in which a quote or backslash takes two */

/* By how many letters the name in the image's options (machine=NAME) is too long; 0: it fits, or there is none. */
size_t name_excess(const char *options);

/* ---- sweep.c: the shapes in which QEMU can show a guest the host's PMU, and the table of what came of each */

struct sweep_shape {
    const char *name; /* of the start, in the log: machine=NAME */
    const char *cpu;  /* QEMU's -cpu */
};
#define SWEEP_SHAPES 10
extern const struct sweep_shape sweep_shapes[SWEEP_SHAPES];

/* A line for each shape, and the tests that failed in it. The log has a start for each shape that `came`, in order. */
void sweep_tell(FILE *out, const struct log_file *file, const bool came[SWEEP_SHAPES]);
