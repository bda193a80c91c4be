/*
 * Results that outlive the image without a serial line, as option `save` asks: into memory that Linux's ramoops reads
 * after a warm reset, or into a variable of UEFI.
 */
#pragma once

#include "boot/boot_info.h"

/*
 * Reads the option, if it was given and not read yet, and sets the memory that it names aside: before memory_init(),
 * else it is refused. An error for the user, or NULL.
 */
const char *save_plan(const struct boot_info *boot);
/* Are the results to go into a variable of the firmware at the end? */
bool save_wants_efi(void);
/* From here on each line of the log goes into that memory. After memory_init(). */
void save_start(void);
/* Tells where the log is kept, or why it is not: `# save ...`. */
void save_print(void);
/* The memory is somebody else's from here on. */
void save_stop(void);
