/* What a person sees: VGA text or a framebuffer with a scaled font. Without a screen every call does nothing. */
#pragma once

#include "boot/boot_info.h"

struct qr_series; /* kernel/qr/qr_series.h */

enum screen_field {
    SCREEN_TITLE,   /* program and version */
    SCREEN_MACHINE, /* CPU brand, signature, microcode, CPUs */
    SCREEN_PMU,     /* version, counters, widths; the run */
    SCREEN_RUNNING, /* the running test, n of m */
    SCREEN_TOTALS,  /* pass, fail, ... */
    SCREEN_FIELDS
};

/* Opens the screen, under the boot tables or those that come later; what was logged so far is shown. */
void screen_init(const struct boot_info *boot);
/* Maps the screen in the page tables that have been made since, before they are used. */
void screen_map(void);
/* Draws what there was no time for yet. Call it now and then while nothing else is shown. */
void screen_poll(void);
/* The log's line with what drawing has taken: in all, and the longest that anybody waited for it. */
void screen_print_cost(void);
__attribute__((format(printf, 2, 3))) void screen_set(enum screen_field field, const char *format, ...);
/* The bar beside the running test: done of total. */
void screen_progress(unsigned done, unsigned total);
/* Adds a line to the list of findings (failures, errors, start-up trouble); the first lines that fit are kept, the rest
 * counted. */
__attribute__((format(printf, 1, 2))) void screen_finding(const char *format, ...);
/* A test that did not come out well: for the summary's list. Both texts must stay. */
void screen_failed(const char *outcome, const char *test);

/* What the screen shows at the end; texts must stay. */
struct screen_end {
    const char *verdict, *totals;
    int colour;                              /* 0 good, 1 bad, 2 neither */
    const char *code;                        /* the result code */
    const char *who;                         /* which machine, and when: beside each code */
    const struct qr_series *results, *names; /* NULL: no QR codes */
};
/* The summary, which a photo can hold: the first of the pages. */
void screen_end(const struct screen_end *end);
/* Turns the pages for ever; returns at once if there is no screen. For the boot CPU, the others asleep. */
void screen_turn(void);
