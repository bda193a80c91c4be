/* The results, where they are kept without a serial line. */
#pragma once

/* Puts the results into a variable of the firmware, if option save asks for that: once the line "# result" was written.
 */
void save_results(void);
