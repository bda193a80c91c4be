/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/core/settings.h"
#include "kernel/text/format.h"

static char wrong[SETTINGS_ERROR], error[SETTINGS_ERROR + sizeof(BOOT_SETTINGS)];

const char *settings_check(void)
{
    const struct boot_info *boot = boot_info();
    for (unsigned i = 0; i < boot->settings && !wrong[0]; i++)
        settings_good((const char *)boot->setting[i].start, boot->setting[i].end - boot->setting[i].start, wrong);
    format_text(error, sizeof(error), BOOT_SETTINGS ", %s", wrong);
    return wrong[0] ? error : NULL;
}

const char *settings_wrong(void)
{
    return wrong[0] ? wrong : NULL;
}
