/* SPDX-License-Identifier: BSD-2-Clause */
/* The QEMU that boots the image: its settings, and its command line. Pure. */
#pragma once

#include "tools/arena.h"
#include <stdbool.h>

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
