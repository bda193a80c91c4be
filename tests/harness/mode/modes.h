/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the image can do besides running the tests once on each PMU, when options ask for it: a row each, made with
 * MODE() anywhere in the tree; the linker collects the rows. A row says all that main() has to know: when it is asked
 * for, what it goes together with, and at which points of the image's life it acts.
 */
#pragma once

#include "harness/mode/backend.h"

struct mode {
    const char *name; /* how error lines call it: "soak=" */
    bool (*asked)(void);
    /* The names of the modes that it goes together with, as globs. A pair stands in one of the two rows. All others
     * exclude it. */
    const char *with;
    bool one_pmu; /* not if the options name several PMUs */
    bool idle;    /* runs no test, so that no watchdog watches it */

    /* The rest of the options, once it is known that all modes go together. False with one line in error. */
    bool (*plan)(char *error); /* NULL: there is nothing more */

    /* Each may be NULL. In this order: */
    void (*before)(void);       /* on the machine as it was found */
    const char *(*armed)(void); /* on the PMU of a run, before its tests; NULL, or why no test can follow */
    /* Instead of the tests of each run; and instead of all runs. Both report results and add to *totals. */
    void (*tests)(const struct session *session, const struct pmu_run *run, struct totals *totals);
    void (*run)(struct session *session, struct totals *totals);
};

#define MODE(id, ...)                                       \
    static const struct mode mode_row_##id = {__VA_ARGS__}; \
    static const struct mode *const mode_pointer_##id __attribute__((section("modes"), used)) = &mode_row_##id

/*
 * Do the modes that are asked for go together, and with so many runs? Then lets them plan the rest. False with one line
 * in error (RUN_ERROR_SIZE bytes), which says what to leave out.
 */
bool modes_plan(unsigned runs, char *error);
/* The steps of the modes that are asked for. modes_armed() returns NULL, or why no test can follow. */
void modes_before(void);
const char *modes_armed(void);
/* The mode that replaces all runs, or the tests of a run; NULL: none does. */
const struct mode *modes_run(void);
const struct mode *modes_tests(void);
