/* SPDX-License-Identifier: BSD-2-Clause */
/* How much a failed check matters, why, and what a person can do about it. The rows are in severity.def. Pure. */
#pragma once

enum severity { SEVERITY_CRITICAL, SEVERITY_HIGH, SEVERITY_MEDIUM, SEVERITY_LOW };
#define SEVERITIES 4
/* "critical", "high", "medium", "low" */
extern const char *const severity_name[SEVERITIES];

struct severity_row {
    const char *test, *label; /* names, or their beginnings and "*" */
    enum severity severity;
    const char *why, *what_to_do;
};

/* The row for this test's check with this label; with label "" for the test as a whole. Never NULL. */
const struct severity_row *severity_of(const char *test, const char *label);
