/* SPDX-License-Identifier: BSD-2-Clause */
/* Experiments that have hurt machines, or could: off unless the user names them in the option dangerous=NAME,. */
#include "kernel/core/option.h"
#include "kernel/text/text.h"
#include "pmu/gate/gate.h"

#define NAME_SIZE 16

OPTION(dangerous, .kind = OPTION_TEXT, .argument = "NAME,...",
       .help =
           "unlock what can hurt a machine: matrix (walks over reserved bits on CPUs never seen), pebs "
           "(sampling set up as the manual forbids), sleep (deep sleeps by MWAIT, which hang some CPUs), smi "
           "(SMIs by the firmware's command port), stuck (overflows that leave a status bit for good on some CPUs)");

const char dangerous_names[] = "matrix,pebs,sleep,smi,stuck";

static bool listed(const char *list, const char *name)
{
    char item[NAME_SIZE];
    while (list_next(&list, item, sizeof(item)))
        if (!strcmp(item, name))
            return true;
    return false;
}

bool dangerous(const char *name)
{
    return listed(option_dangerous.text, name);
}

static bool harmless;

bool dangerous_allowed(const char *name)
{
    return harmless || dangerous(name);
}

void dangerous_harmless(bool model)
{
    harmless = model;
}

const char *dangerous_unknown(char *text, size_t size)
{
    for (const char *list = option_dangerous.text; list_next(&list, text, size);)
        if (!listed(dangerous_names, text))
            return text;
    return NULL;
}

const char *dangerous_given(void)
{
    return option_dangerous.text;
}
