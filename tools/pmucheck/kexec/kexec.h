/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Starting the image from a running Linux: reasons to refuse, and options for the image with facts that Linux knows and
 * that kexec's multiboot2 lacks.
 */
#pragma once

#include "tools/arena.h"
#include <stdbool.h>

/* Linux's file systems; tests use other directories. */
struct kexec_places {
    const char *sys;  /* "/sys" */
    const char *proc; /* "/proc" */
};
extern const struct kexec_places kexec_places;

/* NULL if kexec can load the image here; else the reason, and what to do. */
const char *kexec_refusal(const struct kexec_places *places);
/* The framebuffer that firmware set up and Linux still uses, by /dev/fb0; address 0: none. */
struct kexec_framebuffer {
    unsigned long long address;
    unsigned width, height, pitch, depth;
};
struct kexec_framebuffer kexec_framebuffer(const char *device);
/*
 * "machine=HOST after=reboot firmware=uefi rsdp=0x... framebuffer=..." and save=ramoops:... if ramoops is loaded.
 * `name` is cut to the characters that an option may have.
 */
const char *kexec_options(struct arena *arena, const struct kexec_places *places,
                          const struct kexec_framebuffer *framebuffer, const char *host, const char *options);
