/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Marks symbols that a program on the build machine may lack; the image always has them. In the image a weak name would
 * need a table of addresses, which an image that moves itself does not have (kernel/core/move.h).
 */
#pragma once

#if __STDC_HOSTED__
#define OUTSIDE_WEAK __attribute__((weak))
#else
#define OUTSIDE_WEAK
#endif
