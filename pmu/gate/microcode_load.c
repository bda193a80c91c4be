/* SPDX-License-Identifier: BSD-2-Clause */
/* The one write that loads an update of microcode, which the gate allows for the update that is offered. */
#include "pmu/gate/gate.h"
#include "pmu/gate/write.h"
#include "pmu/registers.h"

static const char *look_again(const struct microcode_update *update, char *text)
{
    struct microcode_cpu cpu = microcode_of_cpu();
    struct microcode_update now = {0};
    const char *why = microcode_choose(update->file, update->size, &cpu, &now, text);
    return why || now.data == update->data ? why : "the file has changed since it was checked";
}

const char *microcode_load(const struct microcode_update *update, char *text, fault_t *fault)
{
    const char *why = look_again(update, text);
    if (why)
        return why;
    gate_offer_update(update->data);
    *fault = wrmsr_try(MSR_BIOS_UPDT_TRIG, (u64)update->data);
    gate_offer_update(NULL);
    return NULL;
}
