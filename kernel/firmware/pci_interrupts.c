/* SPDX-License-Identifier: BSD-2-Clause */
/* How a PCI function interrupts, from its configuration space: MSI, MSI-X, or a pin. */
#include "kernel/core/memory.h"
#include "kernel/core/option.h"
#include "kernel/firmware/pci.h"
#include "kernel/log/log.h"
#include "kernel/text/text.h"

#define STATUS_CAPABILITIES BIT(20) /* in the word with command and status */
#define COMMAND_ALIVE 0x7u          /* ports, memory, bus mastering: a function with none of them on is inactive */
#define COMMAND_MEMORY 0x2u
#define CLASS_DISPLAY 0x03
#define CLASS_BRIDGE 0x06
#define TYPE_ENDPOINT 0
#define TYPE_BRIDGE 1
#define POINTER 13 /* word of the header: offset of the first capability */
#define PIN 15     /* word of the header */
#define SPACE 256  /* bytes */
#define HEADER 64  /* bytes of it that are the header */
#define CAPABILITY_POWER 0x01
#define CAPABILITY_MSI 0x05
#define CAPABILITY_MSIX 0x11
#define POWER_STATE 0x3u
#define MSI_64 0x0080
#define MSI_MESSAGES(control) (1u << ((control) >> 4 & 7))
#define MSI_MESSAGES_MOST 32
#define MSIX_SIZE(control) (((control)&0x7ff) + 1)
#define BARS 6
#define BAR_KIND 0x7u /* space and type bits of a BAR */
#define BAR_MEMORY_32 0x0u
#define BAR_MEMORY_64 0x4u

struct space {
    pci_reader read;
    const void *what;
    u8 power, msi, msix; /* offsets of the first capability of each kind; 0: none */
};

static u32 word_at(const struct space *s, unsigned offset)
{
    return s->read(s->what, offset / 4);
}

static u16 control_at(const struct space *s, unsigned offset)
{
    return (u16)(word_at(s, offset) >> 16);
}

/* Records the capability's offset if it is the first of its kind and has `room` bytes. */
static void take(u8 *offset, unsigned at, unsigned room)
{
    if (!*offset && at + room <= SPACE)
        *offset = (u8)at;
}

static void list_capabilities(struct space *s)
{
    unsigned at = word_at(s, POINTER * 4) & 0xfc;
    for (unsigned n = 0; n < (SPACE - HEADER) / 4 && at >= HEADER; n++) {
        u32 word = word_at(s, at);
        u8 id = (u8)word;
        if (id == CAPABILITY_POWER)
            take(&s->power, at, 8);
        else if (id == CAPABILITY_MSI)
            take(&s->msi, at, word >> 16 & MSI_64 ? 16 : 12);
        else if (id == CAPABILITY_MSIX)
            take(&s->msix, at, 12);
        at = word >> 8 & 0xfc;
    }
}

static void parse_msi(const struct space *s, struct pci_interrupts *found)
{
    u16 control = control_at(s, s->msi);
    if (!(control & PCI_MSI_ENABLE))
        return;
    u32 messages = MSI_MESSAGES(control);
    found->msi = s->msi;
    found->address = word_at(s, s->msi + 4u);
    found->data = word_at(s, s->msi + (control & MSI_64 ? 12u : 8u)) & 0xffff;
    found->messages = (u8)(messages < MSI_MESSAGES_MOST ? messages : MSI_MESSAGES_MOST);
}

static u64 bar(const struct space *s, unsigned n)
{
    u32 low = n < BARS ? s->read(s->what, PCI_BAR + n) : 1;
    u64 address = low & ~15u;
    if ((low & BAR_KIND) == BAR_MEMORY_64 && n + 1 < BARS)
        return address | (u64)s->read(s->what, PCI_BAR + n + 1) << 32;
    return (low & BAR_KIND) == BAR_MEMORY_32 ? address : 0;
}

/* The table of a function that sleeps or does not decode memory cannot be read: the device would not answer. */
static void parse_msix(const struct space *s, u32 command, struct pci_interrupts *found)
{
    u16 control = control_at(s, s->msix);
    if (!(control & PCI_MSIX_ENABLE))
        return;
    found->msix = s->msix;
    found->entries = MSIX_SIZE(control);
    if (!(command & COMMAND_MEMORY) || (s->power && (word_at(s, s->power + 4u) & POWER_STATE)))
        return;
    u32 where = word_at(s, s->msix + 4u);
    u64 base = bar(s, where & 7);
    if (base && base < BIT(52))
        found->table = base + (where & ~7u);
}

void pci_interrupts_parse(pci_reader read, const void *what, struct pci_interrupts *found)
{
    struct space s = {read, what, 0, 0, 0};
    u32 command = read(what, PCI_COMMAND), class = read(what, PCI_CLASS) >> 24,
        type = read(what, PCI_HEADER) >> 16 & 0x7f;
    *found =
        (struct pci_interrupts){.endpoint = type == TYPE_ENDPOINT && class != CLASS_BRIDGE && class != CLASS_DISPLAY};
    if (type != TYPE_ENDPOINT && type != TYPE_BRIDGE)
        return; /* a CardBus bridge has its list elsewhere */
    found->pin = (read(what, PIN) >> 8 & 0xff) && !(command & PCI_COMMAND_NO_INTX) && (command & COMMAND_ALIVE);
    if (!(command & STATUS_CAPABILITIES))
        return;
    list_capabilities(&s);
    if (s.msi)
        parse_msi(&s, found);
    if (s.msix)
        parse_msix(&s, command, found);
}

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
