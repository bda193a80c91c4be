/* SPDX-License-Identifier: BSD-2-Clause */
/* A profile that `pmucheck run --reference=FILE` gave QEMU for the image. */
#pragma once

/* Adds it to the profiles of reference=, by its name and before the built-in ones; logs a line if there is one. Returns
 * NULL, or what is wrong with it. */
const char *handed_plan(void);
