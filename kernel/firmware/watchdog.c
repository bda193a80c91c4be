#include "kernel/firmware/watchdog.h"
#include "kernel/core/memory.h"
#include "kernel/core/time.h"
#include "kernel/cpu/instructions.h"
#include "kernel/firmware/pci.h"
#include "kernel/firmware/watchdog_pure.h"

#define PCI_ISA_BRIDGE 0x0601
#define FEED_US 100000 /* each costs a microsecond and, under a hypervisor, an exit */

static struct {
    bool armed;
    u16 tco;
    volatile u32 *gcs;
    u32 gcs_found;
    u16 control_found, timer_found;
    u64 fed, interval; /* in ticks of the TSC */
} state;

static u16 tco_read(u16 offset)
{
    return inw((u16)(state.tco + offset));
}

static void tco_write(u16 offset, u16 value)
{
    outw((u16)(state.tco + offset), value);
}

static void reload(void)
{
    tco_write(TCO_RLD, 1);
}

/* Reads only. */
static const char *find(void)
{
    u32 id = pci_read(LPC_FUNCTION, PCI_ID);
    if (!watchdog_knows(id) || pci_read(LPC_FUNCTION, PCI_CLASS) >> 16 != PCI_ISA_BRIDGE)
        return "no chipset with a TCO that is known";
    u32 base = pci_read(LPC_FUNCTION, LPC_PMBASE / 4), rcba = pci_read(LPC_FUNCTION, LPC_RCBA / 4);
    if (!(pci_read(LPC_FUNCTION, LPC_ACPI_CNTL / 4) & ACPI_CNTL_ENABLE) || !(base & PMBASE_ADDRESS))
        return "the chipset's ACPI ports are switched off";
    if (!(rcba & RCBA_ENABLE))
        return "the chipset's configuration registers are switched off";
    volatile u8 *registers = memory_map(rcba & RCBA_ADDRESS, RCBA_GCS + 4, MEMORY_MMIO);
    if (!registers)
        return "the chipset's configuration registers are not where it says";
    state.tco = (u16)((base & PMBASE_ADDRESS) + TCO_OFFSET);
    state.gcs = (volatile u32 *)(registers + RCBA_GCS);
    return NULL;
}

/* A timer that runs and may reset is somebody's: firmware's, or a management controller's. */
static const char *look(void)
{
    state.gcs_found = *state.gcs;
    state.control_found = tco_read(TCO1_CNT);
    state.timer_found = tco_read(TCO_TMR);
    if (state.control_found == 0xffff)
        return "no TCO answers at its ports";
    if (!(state.gcs_found & GCS_NO_REBOOT) && !(state.control_found & TCO1_HALT))
        return "the TCO runs already, for firmware";
    if (state.control_found & TCO1_LOCK)
        return "the TCO is locked by firmware";
    return NULL;
}

static void set(u32 ticks)
{
    tco_write(TCO1_CNT, state.control_found | (u16)TCO1_HALT);
    tco_write(TCO_TMR, (u16)((state.timer_found & ~TMR_TICKS) | ticks));
    reload();
    tco_write(TCO1_CNT, state.control_found & (u16)~TCO1_HALT);
    reload();
}

const char *watchdog_start(u32 seconds, u32 *bound)
{
    u32 ticks = watchdog_ticks(seconds);
    const char *wrong = state.armed ? NULL : find();
    if (!wrong && !state.armed)
        wrong = look();
    if (wrong)
        return wrong;
    *state.gcs = state.gcs_found & ~(u32)GCS_NO_REBOOT;
    if (*state.gcs & GCS_NO_REBOOT) {
        *state.gcs = state.gcs_found;
        return "a strap or firmware forbids the TCO to reset the machine";
    }
    set(ticks);
    *bound = watchdog_seconds(ticks);
    state.interval = time_ticks(FEED_US);
    state.fed = time_now();
    state.armed = true;
    return NULL;
}

/* Two CPUs may both find it due, which costs a write. */
void watchdog_progress(void)
{
    if (!state.armed)
        return;
    u64 now = time_now();
    if (now - state.fed < state.interval)
        return;
    state.fed = now;
    reload();
}

/* Halted first: what is put back may be a timer that runs and, by the bit that comes back with it, resets nothing. */
bool watchdog_stop(void)
{
    if (!state.armed)
        return true;
    state.armed = false;
    tco_write(TCO1_CNT, state.control_found | (u16)TCO1_HALT);
    *state.gcs = state.gcs_found;
    tco_write(TCO_TMR, state.timer_found);
    tco_write(TCO1_CNT, state.control_found);
    return *state.gcs == state.gcs_found && tco_read(TCO_TMR) == state.timer_found &&
           tco_read(TCO1_CNT) == state.control_found;
}
