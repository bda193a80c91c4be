/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Sites: the instructions of this image that ask for what the model answers, or that the stepper has to see. While the
 * reference PMU is armed, the first byte of each is INT3. The lists are made at link time: one from the disassembly, by
 * the rules of tools/build/instructions.txt, and one of the accesses to the local APIC's page, by the assembly's own
 * labels (boot/site.inc).
 */
#pragma once

#include "boot/bits.h"

#define SITES_SECTION __attribute__((section(".symbols.sites")))
extern const u32 sites[]; /* distances from the image's start, in ascending order */
extern const unsigned site_count;

/* Puts INT3 at each site. On the boot CPU, while the others sleep: they read the new text when they wake. */
void sites_patch(void);
/* Undoes it. Likewise. */
void sites_restore(void);
bool sites_patched(void);
/* Is there room for all of them? A question of how the image was built. */
bool sites_fit(void);
/* Is it patched now? For an address of this image. */
bool site_patched(u64 rip);
/* The first byte of the instruction at `rip`, if it is a site that is patched now; else 0. */
u8 site_at(u64 rip);
/* Was it a site until another CPU has just put the text back? Then it is to be executed again. */
bool site_gone(u64 rip);
/* Is it code of this image? */
bool image_text(u64 rip);
