/* SPDX-License-Identifier: BSD-2-Clause */
/* The watchdog (kernel/firmware/watchdog.h) during the runs: what counts as progress, and how long there may be
 * none. */
#pragma once

/* From here on the log's lines count as progress, whether the watchdog is armed already or later. */
void watch_lines(void);
/* Logs a watchdog that runs already, and whose it may be; at the start, whatever the options say. */
void watch_look(void);
/*
 * Arms it if the option `watchdog` is given, and logs that or why not. Call it before the first run. Returns NULL, or
 * why no run may be made: it would only hang again.
 */
const char *watch_begin(void);
/* The time-outs of tests have changed: the watchdog must leave them time to end hanging tests by themselves. */
void watch_bound(void);
/* Stops the watchdog, even one armed by the start: if no run was made, the result must stay readable. */
void watch_end(void);
