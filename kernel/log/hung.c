/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests that hung the machine until the watchdog reset it, in memory that a reset preserves: later starts leave each of
 * them out, so that an unattended machine gets through the other tests.
 */
#include "kernel/log/kept.h"
#include "kernel/text/text.h"

static u32 sum(const struct hung *hung)
{
    return crc32_update(hung->count + 1, (const char *)hung->name, sizeof(hung->name));
}

void hung_clear(struct hung *hung)
{
    memset(hung, 0, sizeof(*hung));
    hung->crc = sum(hung);
}

void hung_begin(struct hung *hung)
{
    if (hung->count > HUNG_MOST || hung->crc != sum(hung))
        hung_clear(hung);
}

void hung_add(struct hung *hung, const char *name)
{
    if (hung->count == HUNG_MOST || hung_has(hung, name))
        return;
    char *to = hung->name[hung->count++];
    for (size_t i = 0; i < HUNG_NAME - 1 && name[i]; i++)
        to[i] = name[i];
    hung->crc = sum(hung);
}

bool hung_has(const struct hung *hung, const char *name)
{
    for (u32 i = 0; i < hung->count; i++)
        if (!strncmp(hung->name[i], name, HUNG_NAME - 1))
            return true;
    return false;
}
