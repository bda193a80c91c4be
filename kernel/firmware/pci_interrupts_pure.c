/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/firmware/pci_interrupts_pure.h"
#include "kernel/firmware/pci_pure.h"

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
