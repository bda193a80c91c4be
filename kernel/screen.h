/* What a person sees: VGA text or a framebuffer with a scaled font. Without a screen every call does nothing. */
#pragma once

#include "boot/boot_info.h"

enum screen_field {
    SCREEN_TITLE,   /* program and version */
    SCREEN_MACHINE, /* CPU brand, signature, microcode, CPUs */
    SCREEN_PMU,     /* version, counters, widths; the run */
    SCREEN_RUNNING, /* the running test, n of m */
    SCREEN_TOTALS,  /* pass, fail, ... */
    SCREEN_FIELDS
};

void screen_init(const struct boot_info *boot);
__attribute__((format(printf, 2, 3))) void screen_set(enum screen_field field, const char *format, ...);
/* The bar beside the running test: done of total. */
void screen_progress(unsigned done, unsigned total);
/* Adds a line to the list of findings (failures, errors, start-up trouble); the first lines that fit are kept, the rest
 * counted. */
__attribute__((format(printf, 1, 2))) void screen_finding(const char *format, ...);
/* The final verdict, large, below everything else: a photo can hold it. colour: 0 good, 1 bad, 2 neither. */
void screen_verdict(const char *verdict, int colour, const char *totals);
