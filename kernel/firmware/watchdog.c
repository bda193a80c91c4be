/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/firmware/watchdog.h"
#include "kernel/core/memory.h"
#include "kernel/core/time.h"
#include "kernel/firmware/pci.h"
#include "kernel/register/instructions.h"

#define INTEL 0x8086
#define LEAST_TICKS 4
#define EXPIRIES 2
#define CLASS_ISA_BRIDGE 0x0601
#define CLASS_SMBUS 0x0c05

/* Device ids of LPC bridges, first to last, by the data sheets' "Device and Revision Identification". */
static const struct {
    u16 first, last;
} bridges[] = {
    {0x2640, 0x2642}, /* hub 6 */
    {0x27b8, 0x27bd}, /* hub 7 */
    {0x2810, 0x2815}, /* hub 8 */
    {0x2912, 0x2919}, /* hub 9; QEMU's q35 has 2918H */
    {0x3a14, 0x3a1a}, /* hub 10 */
    {0x3b00, 0x3b16}, /* 5 series, 3400 series */
    {0x1c41, 0x1c5f}, /* 6 series, C200 series */
    {0x1d40, 0x1d41}, /* C600 series */
    {0x1e41, 0x1e5f}, /* 7 series */
    {0x8c41, 0x8c5f}, /* 8 series, C220 series */
    {0x8cc1, 0x8cc6}, /* 9 series */
    {0x8d40, 0x8d5f}, /* C610 series */
    {0x9c41, 0x9c47}, /* 8 series, low power */
    {0x9cc1, 0x9cc9}, /* 9 series, low power */
};

/*
 * Device ids of SMBus functions whose configuration space has TCOBASE. The ids, and where NO_REBOOT is, come from
 * Linux's i2c-i801; ids marked + are in coreboot too, and the place of the bit is also in the register definitions of
 * Intel's Slim Bootloader. In those with `hide` the bit is behind the P2SB bridge, which firmware hides.
 */
static const struct {
    u16 id;
    bool hide;
} smbuses[] = {
    {0xa123, true},  /* + 100 series */
    {0x9d23, true},  /* + 100 series, low power */
    {0xa2a3, true},  /* + 200 series */
    {0xa3a3, true},  /* 400 series that equals the 200 series */
    {0xa1a3, true},  /* + C620 series */
    {0xa223, true},  /* + C620 series */
    {0x19df, true},  /* + Denverton */
    {0xa323, false}, /* + 300 series */
    {0x9da3, false}, /* + 300 series, low power */
    {0x34a3, false}, /* + 495 series */
    {0x38a3, false}, /*   Ice Lake-N */
    {0x02a3, false}, /* + 400 series, low power */
    {0x06a3, false}, /* + 400 series */
    {0x4b23, false}, /* + Elkhart Lake */
    {0x4da3, false}, /* + Jasper Lake */
    {0xa0a3, false}, /* + 500 series, low power */
    {0x43a3, false}, /* + 500 series */
    {0x7aa3, false}, /* + 600 series */
    {0x51a3, false}, /* + 600 series, Alder Lake-P */
    {0x54a3, false}, /* + Alder Lake-M and -N */
    {0x7a23, false}, /*   700 series */
    {0x1bc9, false}, /*   C740 series */
    {0x18df, false}, /*   Cedar Fork */
    {0x7e22, false}, /* + Meteor Lake */
    {0xae22, false}, /*   Meteor Lake-S */
    {0x7f23, false}, /*   800 series */
    {0x7722, false}, /*   Arrow Lake-H */
    {0xe322, false}, /*   Panther Lake-H */
    {0xe422, false}, /*   Panther Lake-P */
    {0x4d22, false}, /*   Wildcat Lake */
    {0x6e23, false}, /*   Nova Lake-S */
};

static bool is_intel(u32 id, u32 class_word, u32 class)
{
    return (id & 0xffff) == INTEL && class_word >> 16 == class;
}

static bool bridge_known(const struct watchdog_words *words)
{
    for_each_row (bridges, row)
        if (is_intel(words->lpc_id, words->lpc_class, CLASS_ISA_BRIDGE) && words->lpc_id >> 16 >= row->first &&
            words->lpc_id >> 16 <= row->last)
            return true;
    return false;
}

static const char *find_by_bridge(const struct watchdog_words *words, struct watchdog_place *place)
{
    if (!(words->acpi_control & ACPI_CNTL_ENABLE) || !(words->pmbase & PMBASE_ADDRESS))
        return "the chipset's ACPI ports are switched off";
    if (!(words->rcba & RCBA_ENABLE))
        return "the chipset's configuration registers are switched off";
    place->tco = (u16)((words->pmbase & PMBASE_ADDRESS) + TCO_OFFSET);
    place->gcs = (u32)(words->rcba & RCBA_ADDRESS) + RCBA_GCS;
    return NULL;
}

static const char *find_by_smbus(const struct watchdog_words *words, bool hide, struct watchdog_place *place)
{
    if (hide)
        return "on chipsets like the 100 and 200 series firmware hides the bit that lets the TCO reset";
    if (!(words->tco_control & TCOCTL_ENABLE) || !(words->tco_base & TCOBASE_ADDRESS) || words->tco_base >> 16)
        return "the TCO's ports are switched off";
    *place = (struct watchdog_place){.tco = (u16)(words->tco_base & TCOBASE_ADDRESS)};
    return NULL;
}

const char *watchdog_find(const struct watchdog_words *words, struct watchdog_place *place)
{
    if (bridge_known(words))
        return find_by_bridge(words, place);
    for_each_row (smbuses, row)
        if (is_intel(words->smbus_id, words->smbus_class, CLASS_SMBUS) && words->smbus_id >> 16 == row->id)
            return find_by_smbus(words, row->hide, place);
    return "no chipset with a TCO that is known";
}

struct watchdog_found watchdog_read(const struct watchdog_place *place, const struct watchdog_access *access)
{
    return (struct watchdog_found){
        .control = access->get(TCO1_CNT), .timer = access->get(TCO_TMR), .gcs = place->gcs ? access->get_gcs() : 0};
}

/* Ports without a device read as ones. */
static bool answers(const struct watchdog_found *found)
{
    return found->control != 0xffff;
}

bool watchdog_runs(const struct watchdog_place *place, const struct watchdog_found *found)
{
    bool forbidden = place->gcs ? found->gcs & GCS_NO_REBOOT : found->control & TCO1_NO_REBOOT;
    return answers(found) && !forbidden && !(found->control & TCO1_HALT);
}

/* The value for TCO1_CNT while this image uses the TCO, apart from HALT. */
static u16 control_allowed(const struct watchdog_place *place, const struct watchdog_found *found)
{
    u32 control = found->control & ~(u32)(TCO1_HALT | TCO1_NMI_NOW);
    return (u16)(place->gcs ? control : control & ~(u32)TCO1_NO_REBOOT);
}

static bool allow_reset(const struct watchdog_place *place, const struct watchdog_access *access,
                        const struct watchdog_found *found)
{
    access->put(TCO1_CNT, control_allowed(place, found) | (u16)TCO1_HALT);
    if (!place->gcs)
        return !(access->get(TCO1_CNT) & TCO1_NO_REBOOT);
    access->put_gcs(found->gcs & ~(u32)GCS_NO_REBOOT);
    return !(access->get_gcs() & GCS_NO_REBOOT);
}

bool watchdog_count(const struct watchdog_place *place, const struct watchdog_access *access,
                    const struct watchdog_found *found, u32 ticks)
{
    u16 timer = (u16)((found->timer & ~TMR_TICKS) | ticks);
    access->put(TCO1_CNT, control_allowed(place, found) | (u16)TCO1_HALT);
    access->put(TCO_TMR, timer);
    access->put(TCO_RLD, 1);
    access->put(TCO1_CNT, control_allowed(place, found));
    access->put(TCO_RLD, 1);
    return access->get(TCO_TMR) == timer && !(access->get(TCO1_CNT) & TCO1_HALT);
}

const char *watchdog_arm(const struct watchdog_place *place, const struct watchdog_access *access,
                         const struct watchdog_found *found, u32 ticks)
{
    const char *wrong = NULL;
    if (!answers(found))
        return "no TCO answers at its ports";
    if (watchdog_runs(place, found))
        return "the TCO runs already, for firmware";
    if (!allow_reset(place, access, found))
        wrong = "a strap or firmware forbids the TCO to reset the machine";
    else if (!watchdog_count(place, access, found, ticks))
        wrong = "the TCO does not keep the written values";
    if (wrong)
        watchdog_disarm(place, access, found);
    return wrong;
}

/* Halts the timer first: otherwise a timer that was running, kept from resetting only by NO_REBOOT, could reset now. */
bool watchdog_disarm(const struct watchdog_place *place, const struct watchdog_access *access,
                     const struct watchdog_found *found)
{
    u16 control = found->control & (u16)~TCO1_NMI_NOW;
    access->put(TCO1_CNT, control_allowed(place, found) | (u16)TCO1_HALT);
    if (place->gcs)
        access->put_gcs(found->gcs);
    access->put(TCO_TMR, found->timer);
    access->put(TCO1_CNT, control);
    struct watchdog_found now = watchdog_read(place, access);
    return now.gcs == found->gcs && now.timer == found->timer && (now.control & (u16)~TCO1_NMI_NOW) == control;
}

u32 watchdog_ticks(u32 seconds)
{
    u64 ticks = (u64)seconds * 1000 / EXPIRIES / TMR_TICK_MS;
    return ticks < LEAST_TICKS ? LEAST_TICKS : ticks > TMR_TICKS ? (u32)TMR_TICKS : (u32)ticks;
}

u32 watchdog_seconds(u32 ticks)
{
    return ticks * TMR_TICK_MS * EXPIRIES / 1000;
}

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
