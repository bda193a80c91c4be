/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/core/move.h"
#include "kernel/text/string.h"

extern u8 image_start[], data_start[], file_end[], image_end[], entry[];
_Noreturn void restart(u64 entry, u64 information, u32 loader); /* boot/restart.asm */

bool image_moved(void)
{
    return (u64)image_start != move_linked;
}

void image_move(u32 loader, const struct boot_reader *reader, u64 information, move_caches caches)
{
    if (!move_count || image_moved())
        return;
    boot_info_take(loader, reader, information);
    u64 to = move_place(boot_info(), (u64)image_start, (u64)image_end, caches);
    if (!to)
        return;
    u64 by = to - (u64)image_start;
    size_t loaded = (size_t)(file_end - image_start);
    memcpy((void *)to, image_start, loaded);
    if (memcmp((void *)to, image_start, loaded))
        return; /* there is no memory, whatever the firmware's map says */
    memset(file_end + by, 0, (size_t)(image_end - file_end));
    *(struct boot_found *)((u64)&boot_found + by) = boot_found;
    move_addresses(image_start + by, data_start + by, by);
    restart((u64)entry + by, information, loader);
}
