/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/firmware/watchdog.h"
#include "kernel/core/memory.h"
#include "kernel/core/time.h"
#include "kernel/firmware/pci.h"
#include "kernel/firmware/watchdog_pure.h"
#include "kernel/register/instructions.h"

#define FEED_US 100000 /* a reload costs a microsecond and, under a hypervisor, an exit */

static struct {
    bool armed;
    struct watchdog_place place;
    volatile u32 *gcs;
    struct watchdog_found found;
    u64 fed, interval; /* in ticks of the TSC */
} state;

static u16 get(u16 offset)
{
    return inw((u16)(state.place.tco + offset));
}

static void put(u16 offset, u16 value)
{
    outw((u16)(state.place.tco + offset), value);
}

static u32 get_gcs(void)
{
    return *state.gcs;
}

static void put_gcs(u32 value)
{
    *state.gcs = value;
}

static const struct watchdog_access registers = {get, put, get_gcs, put_gcs};

static struct watchdog_words words(void)
{
    return (struct watchdog_words){
        .lpc_id = pci_read(LPC_FUNCTION, PCI_ID),
        .lpc_class = pci_read(LPC_FUNCTION, PCI_CLASS),
        .pmbase = pci_read(LPC_FUNCTION, LPC_PMBASE / 4),
        .acpi_control = pci_read(LPC_FUNCTION, LPC_ACPI_CNTL / 4),
        .rcba = pci_read(LPC_FUNCTION, LPC_RCBA / 4),
        .smbus_id = pci_read(SMBUS_FUNCTION, PCI_ID),
        .smbus_class = pci_read(SMBUS_FUNCTION, PCI_CLASS),
        .tco_base = pci_read(SMBUS_FUNCTION, SMBUS_TCOBASE / 4),
        .tco_control = pci_read(SMBUS_FUNCTION, SMBUS_TCOCTL / 4),
    };
}

/* Finds the TCO and reads its registers; writes nothing. */
static const char *look(void)
{
    struct watchdog_words found = words();
    const char *wrong = watchdog_find(&found, &state.place);
    if (wrong)
        return wrong;
    if (state.place.gcs) {
        state.gcs = memory_map(state.place.gcs, sizeof(u32), MEMORY_MMIO);
        if (!state.gcs)
            return "the chipset's configuration registers are not at the address that it states";
    }
    state.found = watchdog_read(&state.place, &registers);
    return NULL;
}

bool watchdog_runs_already(u32 *bound)
{
    if (state.armed || look() || !watchdog_runs(&state.place, &state.found))
        return false;
    *bound = watchdog_seconds((u32)(state.found.timer & TMR_TICKS));
    return true;
}

const char *watchdog_start(u32 seconds, u32 *bound)
{
    u32 ticks = watchdog_ticks(seconds);
    const char *wrong = state.armed ? NULL : look();
    if (state.armed)
        watchdog_count(&state.place, &registers, &state.found, ticks);
    else if (!wrong)
        wrong = watchdog_arm(&state.place, &registers, &state.found, ticks);
    if (wrong)
        return wrong;
    *bound = watchdog_seconds(ticks);
    state.interval = time_ticks(FEED_US);
    state.fed = time_now();
    state.armed = true;
    return NULL;
}

/* Two CPUs may both find a reload due: that costs one more write. CPUs whose TSCs are far apart reload at each call. */
void watchdog_progress(void)
{
    if (!state.armed)
        return;
    u64 now = time_now();
    if (now - state.fed < state.interval)
        return;
    state.fed = now;
    put(TCO_RLD, 1);
}

bool watchdog_stop(void)
{
    if (!state.armed)
        return true;
    state.armed = false;
    return watchdog_disarm(&state.place, &registers, &state.found);
}
