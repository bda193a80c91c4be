/* SPDX-License-Identifier: BSD-2-Clause */
/* Stores the results on a machine without a serial line. */
#pragma once

/* Writes the results to a variable of the firmware, if the option save asks for it: after the line "# result". */
void save_results(void);
