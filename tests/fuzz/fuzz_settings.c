/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes as pmucheck.cfg: what is wrong is said in one line of text. */
#include "kernel/core/option.h"

#include <stdlib.h>
#include <string.h>

OPTION(quick, .kind = OPTION_FLAG, .help = "a flag");
OPTION(run, .kind = OPTION_TEXT, .argument = "GLOB,...", .help = "a text");

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char error[SETTINGS_ERROR];
    bool good = settings_good((const char *)data, size, error);
    if (good != !error[0] || strlen(error) >= sizeof(error))
        abort();
    for (const char *c = error; *c; c++)
        if (*c < ' ' || *c > '~')
            abort();
    return 0;
}
