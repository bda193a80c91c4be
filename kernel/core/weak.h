/*
 * What a program of the build machine may lack and the image never does. There a weak name would have to be looked up
 * in a table of addresses, which an image that moves has not got (kernel/core/move.h).
 */
#pragma once

#if __STDC_HOSTED__
#define OUTSIDE_WEAK __attribute__((weak))
#else
#define OUTSIDE_WEAK
#endif
