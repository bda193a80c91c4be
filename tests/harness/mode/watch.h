/* The watchdog (kernel/firmware/watchdog.h) around the runs: what of them is progress, and how long they may have none.
 */
#pragma once

/* From here on the log's lines are progress, whether the start has armed it or the first run will. */
void watch_lines(void);
/* Tells of one that runs already, whose it may be; at the start, whatever the options say. */
void watch_look(void);
/*
 * Arms it if option `watchdog` is given; the log tells, or says why not. Before the first run. NULL, or why no run is
 * to be made: it would only hang once more.
 */
const char *watch_begin(void);
/* The bounds of tests have changed: the watchdog leaves them time to end what hangs by themselves. */
void watch_bound(void);
/* Whatever was armed, here or by the start: where no run was made, the result is still to be read. */
void watch_end(void);
