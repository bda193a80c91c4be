/* SPDX-License-Identifier: BSD-2-Clause */
/* A profile that `pmucheck run --reference=FILE` gave QEMU for the image. */
#include "reference/handed/handed.h"
#include "kernel/core/image.h"
#include "kernel/firmware/power.h"
#include "kernel/log/log.h"
#include "reference/mode/runs.h"

const char *handed_plan(void)
{
    static char bytes[HANDED_BYTES], texts[HANDED_TEXTS];
    static struct profile room[HANDED_CORES];
    u32 size = qemu_file("opt/org.pmucheck/profile", bytes, sizeof(bytes));
    if (!size)
        return NULL;
    const char *why = handed_take(bytes, size, build_layout, room, texts);
    if (why)
        return why;
    log_line("# handed profile=%s signature=%08x bytes=%u", room->name, room->signature, size);
    runs_hand(room);
    return NULL;
}
