/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/firmware/pci_interrupts.h"
#include "kernel/core/memory.h"
#include "kernel/core/option.h"
#include "kernel/firmware/hpet.h"
#include "kernel/firmware/interrupt_source.h"
#include "kernel/firmware/pci.h"
#include "kernel/firmware/pci_interrupts_pure.h"
#include "kernel/log/log.h"
#include "kernel/text/string.h"

static const char *const states[] = {"off", "keep", NULL};
OPTION_NAMED(device_interrupts, "device-interrupts", .kind = OPTION_CHOICE, .argument = "off|keep", .choices = states,
             .help = "interrupts of devices that firmware left on: switched off until the end (the default), or left "
                     "as they are");

#define COMMAND 0x04             /* byte offset in the configuration space */
#define CONTROL(msi) ((msi) + 2) /* control word of the MSI or MSI-X capability at `msi` */
#define CHANGES_MOST 512
#define ENTRIES_MOST 64 /* how many entries of an MSI-X table are read */

/* A 16-bit register's value before and after the change. */
struct change {
    u16 function, offset, found, left;
};

static struct {
    bool off;
    unsigned msi, msix, pins, smis, full; /* numbers of functions; full: those for which there was no room */
    unsigned changes;
    struct change change[CHANGES_MOST];
} state;

static u32 read_word(const void *function, unsigned word)
{
    return pci_read(*(const u32 *)function, word);
}

static u16 read_half(u32 function, unsigned offset)
{
    return (u16)(pci_read(function, offset / 4) >> (offset & 2) * 8);
}

static void change(u32 function, unsigned offset, u16 clear, u16 set)
{
    u16 found = read_half(function, offset), left = (u16)((found & ~clear) | set);
    state.change[state.changes++] = (struct change){(u16)function, (u16)offset, found, left};
    pci_write(function, offset, left);
}

/* Notes the vector of a message. Returns whether the message is an SMI. */
static bool note(u32 function, u32 address, u32 data)
{
    u8 vector;
    enum interrupt_message message = interrupt_message(address, data, &vector);
    if (message == MESSAGE_VECTOR)
        interrupt_source_add(SOURCE_PCI, (u16)function, vector);
    return message == MESSAGE_SMI;
}

static bool note_msi(u32 function, const struct pci_interrupts *found)
{
    bool smi = false;
    for (u32 n = 0; found->msi && n < found->messages; n++)
        smi |= note(function, found->address, (found->data & ~(found->messages - 1u)) | n);
    return smi;
}

static bool note_msix(u32 function, const struct pci_interrupts *found)
{
    bool smi = false;
    u32 entries = found->entries < ENTRIES_MOST ? found->entries : ENTRIES_MOST;
    const volatile u32 *entry =
        found->table ? memory_map(found->table, entries * PCI_MSIX_ENTRY_WORDS * 4ul, MEMORY_MMIO) : NULL;
    for (u32 n = 0; entry && n < entries && entry[0] != ~0u;
         n++, entry += PCI_MSIX_ENTRY_WORDS) /* ones: no device answers */
        if (!(entry[3] & PCI_MSIX_MASKED))
            smi |= note(function, entry[0], entry[2]);
    return smi;
}

/* The pin is switched off first: a function without messages falls back to it. */
static void switch_off(u32 function, const struct pci_interrupts *found)
{
    if (state.changes + 3 > CHANGES_MOST) {
        state.full++;
        return;
    }
    if (found->pin)
        change(function, COMMAND, 0, PCI_COMMAND_NO_INTX);
    if (found->msix)
        change(function, CONTROL(found->msix), PCI_MSIX_ENABLE, 0);
    if (found->msi)
        change(function, CONTROL(found->msi), PCI_MSI_ENABLE, 0);
}

static bool look(void *what, u32 function)
{
    (void)what;
    struct pci_interrupts found;
    pci_interrupts_parse(read_word, &function, &found);
    bool smi = note_msi(function, &found);
    smi |= note_msix(function, &found);
    if (!found.endpoint)
        return false;
    state.smis += smi;
    if (smi)
        return false;
    state.msi += !!found.msi;
    state.msix += !!found.msix;
    state.pins += found.pin;
    if (state.off)
        switch_off(function, &found);
    return false;
}

void pci_interrupts_off(void)
{
    state.off = strcmp(option_device_interrupts.text, "keep");
    enum pci_visit visit = pci_visit(look, NULL);
    unsigned timers = hpet_interrupts(state.off);
    log_line("# device-interrupts msi=%u msi-x=%u intx=%u hpet=%u smi=%u state=%s", state.msi, state.msix, state.pins,
             timers, state.smis, state.off ? "off" : "kept");
    bool all = visit == PCI_VISIT_ALL;
    if (state.full || !all)
        log_line("# device-interrupts more=%s state=kept reason=%s", all ? "yes" : "unknown",
                 all                       ? "room"
                 : visit == PCI_VISIT_NONE ? "skip-step"
                                           : "time");
}

void pci_interrupts_restore(void)
{
    hpet_interrupts_restore();
    while (state.changes) {
        const struct change *c = &state.change[--state.changes];
        if (read_half(c->function, c->offset) == c->left)
            pci_write(c->function, c->offset, c->found);
    }
}
