/*
 * The image started from a Linux that runs: what stands against it, and what Linux knows that multiboot2 does not carry
 * when kexec loads the image, as options for its command line.
 */
#pragma once

#include "tools/arena.h"
#include <stdbool.h>

/* Where Linux tells of itself; another place in tests. */
struct kexec_places {
    const char *sys;  /* "/sys" */
    const char *proc; /* "/proc" */
};
extern const struct kexec_places kexec_places;

/* NULL if kexec may load the image here; else why not, and what can be done. */
const char *kexec_refusal(const struct kexec_places *places);
/* A framebuffer that firmware set up and Linux still shows, as /dev/fb0 tells it; address 0: none. */
struct kexec_framebuffer {
    unsigned long long address;
    unsigned width, height, pitch, depth;
};
struct kexec_framebuffer kexec_framebuffer(const char *device);
/*
 * "machine=HOST after=reboot firmware=uefi rsdp=0x... framebuffer=..." and save=ramoops:... where ramoops is loaded;
 * then name without what no option may have.
 */
const char *kexec_options(struct arena *arena, const struct kexec_places *places,
                          const struct kexec_framebuffer *framebuffer, const char *host, const char *options);
