/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/firmware/pci.h"
#include "kernel/core/start_step.h"
#include "kernel/core/time.h"
#include "kernel/register/instructions.h"

#define CONFIG_ADDRESS 0xcf8
#define CONFIG_DATA 0xcfc
#define CONFIG_ENABLE BIT(31)
#define BUSES 256
#define DEVICES 32
#define FUNCTIONS 8
#define SCAN_US 1000000 /* real machines take a tenth of that for all buses */

/* Firmware's system management code may access PCI at the same time; it restores the address register, as we do. */
u32 pci_read(u32 function, unsigned word)
{
    u32 before = inl(CONFIG_ADDRESS);
    outl(CONFIG_ADDRESS, (u32)CONFIG_ENABLE | function << 8 | word << 2);
    u32 value = inl(CONFIG_DATA);
    outl(CONFIG_ADDRESS, before);
    return value;
}

void pci_write(u32 function, unsigned offset, u16 value)
{
    u32 before = inl(CONFIG_ADDRESS);
    outl(CONFIG_ADDRESS, (u32)CONFIG_ENABLE | function << 8 | (offset & 0xfc));
    outw((u16)(CONFIG_DATA + (offset & 2)), value);
    outl(CONFIG_ADDRESS, before);
}

static void read_header(u32 function, u32 header[PCI_HEADER_WORDS])
{
    for (unsigned word = 0; word < PCI_HEADER_WORDS; word++)
        header[word] = pci_read(function, word);
}

static bool visit_device(pci_visitor visit, void *what, u32 first)
{
    if (!pci_present(pci_read(first, PCI_ID)))
        return false;
    unsigned functions = pci_several_functions(pci_read(first, PCI_HEADER)) ? FUNCTIONS : 1;
    for (unsigned n = 0; n < functions; n++)
        if (pci_present(pci_read(first + n, PCI_ID)) && visit(what, first + n))
            return true;
    return false;
}

enum pci_visit pci_visit(pci_visitor visit, void *what)
{
    if (!start_step("pci"))
        return PCI_VISIT_NONE;
    struct deadline deadline = deadline_us(SCAN_US);
    for (u32 device = 0; device < BUSES * DEVICES; device++)
        if (visit_device(visit, what, device * FUNCTIONS))
            return PCI_VISIT_ENDED;
        else if (deadline_passed(&deadline))
            return PCI_VISIT_CUT;
    return PCI_VISIT_ALL;
}

struct search {
    unsigned wanted; /* how many ports to skip */
    struct serial_target *target;
    char *place;
};

static bool look(void *what, u32 function)
{
    struct search *s = what;
    u32 header[PCI_HEADER_WORDS];
    struct serial_target ports[PCI_PORTS_MOST];
    if (!pci_is_serial(pci_read(function, PCI_CLASS)))
        return false;
    read_header(function, header);
    unsigned count = pci_serial_ports(header, ports);
    if (s->wanted >= count) {
        s->wanted -= count;
        return false;
    }
    *s->target = ports[s->wanted];
    pci_place_text(function, s->place);
    return true;
}

bool pci_find_serial(unsigned n, struct serial_target *target, char place[PCI_PLACE])
{
    return pci_visit(look, &(struct search){n, target, place}) == PCI_VISIT_ENDED;
}

struct owner {
    u16 port;
    struct pci_window nearest;
};

static bool ask_owner(void *what, u32 function)
{
    struct owner *owner = what;
    u32 header[PCI_HEADER_WORDS];
    read_header(function, header);
    pci_nearest_window(header, owner->port, &owner->nearest);
    return false;
}

bool pci_port_is_foreign(u16 port)
{
    struct owner owner = {.port = port};
    pci_visit(ask_owner, &owner);
    return owner.nearest.base && !owner.nearest.serial;
}
