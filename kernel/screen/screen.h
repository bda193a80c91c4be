/* SPDX-License-Identifier: BSD-2-Clause */
/* Output for a person: VGA text, or a framebuffer with a scaled font. Without a screen every call does nothing. */
#pragma once

#include "boot/boot_info.h"

struct qr_series; /* kernel/qr/qr_series.h */

enum screen_field {
    SCREEN_TITLE,   /* program and version */
    SCREEN_MACHINE, /* CPU brand, signature, microcode, CPUs */
    SCREEN_PMU,     /* version, counters, widths; kind of run */
    SCREEN_RUNNING, /* the running test, n of m */
    SCREEN_TOTALS,  /* pass, fail, ... */
    SCREEN_FIELDS
};

/* Opens the screen, with the boot tables or the final ones in use, and shows what was logged so far. */
void screen_init(const struct boot_info *boot);
/* Maps the screen in the final page tables, before they are used. */
void screen_map(void);
/* Draws what there has been no time for. Call it now and then while nothing else is drawn. */
void screen_poll(void);
/* Logs what drawing has cost: in all, and the longest that anybody waited for it. */
void screen_print_cost(void);
__attribute__((format(printf, 2, 3))) void screen_set(enum screen_field field, const char *format, ...);
/* The bar beside the running test: done of total. */
void screen_progress(unsigned done, unsigned total);
/* Adds a line to the list of findings (failures, errors, trouble at the start); lines that do not fit are only
 * counted. */
__attribute__((format(printf, 1, 2))) void screen_finding(const char *format, ...);
/* Adds a test that did not pass to the summary's list. Both texts must stay. */
void screen_failed(const char *outcome, const char *test);

/* What the screen shows at the end; texts must stay. */
struct screen_end {
    const char *verdict, *totals;
    int colour;                      /* 0 good, 1 bad, 2 neither */
    const char *code;                /* the result code */
    const char *who;                 /* which machine, and when: shown beside each code */
    const struct qr_series *results; /* NULL: no QR codes */
};
/* How many characters the largest code on this screen has; 0: there is no screen. */
unsigned screen_code_characters(void);
/* All pages are at most so many, if the results take no more codes than this: then one page is left for findings. */
#define SCREEN_PAGES_MOST 8
#define SCREEN_CODES_MOST (SCREEN_PAGES_MOST - 2)
/* Shows the summary, the first of the pages, which fits on one photo. */
void screen_end(const struct screen_end *end);
/* Shows the pages in turn for ever; returns at once if there is no screen. Boot CPU only, with the others asleep. */
void screen_turn(void);
