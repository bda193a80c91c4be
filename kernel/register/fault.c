/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of faults as the manual writes them: SDM 3A, "Interrupt and Exception Handling". */
#include "kernel/register/msr.h"
#include "kernel/text/text.h"

struct exception {
    const char *name;
    bool error_code;
};

static const struct exception exceptions[] = {
    [0] = {"#DE", false}, [1] = {"#DB", false},  [2] = {"NMI", false},  [3] = {"#BP", false},  [4] = {"#OF", false},
    [5] = {"#BR", false}, [6] = {"#UD", false},  [7] = {"#NM", false},  [8] = {"#DF", true},   [10] = {"#TS", true},
    [11] = {"#NP", true}, [12] = {"#SS", true},  [13] = {"#GP", true},  [14] = {"#PF", true},  [16] = {"#MF", false},
    [17] = {"#AC", true}, [18] = {"#MC", false}, [19] = {"#XM", false}, [20] = {"#VE", false}, [21] = {"#CP", true},
};

const char *fault_text(fault_t fault, char *text)
{
    u32 vector = FAULT_VECTOR(fault);
    const struct exception *exception = vector < ARRAY_SIZE(exceptions) ? &exceptions[vector] : NULL;
    if (fault == NO_FAULT)
        format_text(text, FAULT_TEXT_SIZE, "nothing");
    else if (fault == FAULT_REFUSED)
        format_text(text, FAULT_TEXT_SIZE, "refused");
    else if (!exception || !exception->name)
        format_text(text, FAULT_TEXT_SIZE, "vector %u", vector);
    else if (exception->error_code)
        format_text(text, FAULT_TEXT_SIZE, "%s[%04x]", exception->name, FAULT_ERROR(fault));
    else
        format_text(text, FAULT_TEXT_SIZE, "%s", exception->name);
    return text;
}
