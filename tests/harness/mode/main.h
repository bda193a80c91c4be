/* What the kernel calls when everything stands: tests, prints, and ends the machine as the options say. */
#pragma once

/* startup_error: what was wrong with the options, or NULL. */
void main(const char *startup_error);
