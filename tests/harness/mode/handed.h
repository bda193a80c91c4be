/* A profile that `pmucheck run --reference=FILE` gave QEMU for the image. */
#pragma once

/* Lets reference= know it by its name, before the profiles that were built in; one log line if there is one. NULL, or
 * what is wrong with it. */
const char *handed_plan(void);
