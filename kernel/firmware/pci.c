/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/firmware/pci.h"
#include "kernel/core/option.h"
#include "kernel/core/time.h"
#include "kernel/register/instructions.h"
#include "kernel/text/text.h"

#define CLASS_COMMUNICATION 0x07
#define SUBCLASS_SERIAL 0x00
#define SUBCLASS_MULTIPORT 0x02
#define INTERFACES 0x06 /* programming interfaces, up to 16950-compatible */
#define COMMAND_IO 0x1
#define COMMAND_MEMORY 0x2
#define BARS 6
#define BAR_IO 0x1
#define BAR_TYPE 0x6
#define BAR_64 0x4
#define PORT_SIZE 8
#define WINDOW_MOST 256

/* Cards with several ports in one base address that do not state their number. */
static const struct {
    u32 id;
    unsigned ports;
} cards[] = {{0x00031b36, 2}, {0x00041b36, 4}}; /* QEMU's */

const char *pci_place_text(u32 function, char place[PCI_PLACE])
{
    format_text(place, PCI_PLACE, "%02x:%02x.%x", function >> 8 & 0xff, function >> 3 & 31, function & 7);
    return place;
}

static bool is_serial(u32 class_word)
{
    u32 subclass = class_word >> 16 & 0xff;
    return class_word >> 24 == CLASS_COMMUNICATION && (subclass == SUBCLASS_SERIAL || subclass == SUBCLASS_MULTIPORT) &&
           (class_word >> 8 & 0xff) <= INTERFACES;
}

/* Takes the base address in word *n of the BARs and moves *n past it. */
static bool take_bar(const u32 *bars, unsigned *n, u32 command, struct serial_target *target)
{
    u32 low = bars[(*n)++];
    if (low & BAR_IO) {
        *target = (struct serial_target){SERIAL_PORT, low & ~3u, 1, 1, SERIAL_BAUD, false};
        return (command & COMMAND_IO) && target->address && target->address <= 0x10000 - PORT_SIZE;
    }
    *target = (struct serial_target){SERIAL_MMIO, low & ~15u, 1, 1, 0, false};
    if ((low & BAR_TYPE) == BAR_64 && *n < BARS)
        target->address |= (u64)bars[(*n)++] << 32;
    return (command & COMMAND_MEMORY) && target->address && target->address < BIT(52);
}

/* Takes all base addresses of one kind. */
static unsigned take_bars(const u32 *header, enum serial_kind kind, struct serial_target list[PCI_PORTS_MOST])
{
    unsigned count = 0;
    struct serial_target target;
    for (unsigned n = 0; n < BARS;)
        if (take_bar(header + PCI_BAR, &n, header[PCI_COMMAND], &target) && target.kind == kind)
            list[count++] = target;
    return count;
}

/* How many ports lie one after the other in the function's only base address. */
static unsigned ports_in_one(const u32 *header)
{
    for_each_row (cards, card)
        if (card->id == header[PCI_ID])
            return card->ports;
    return (header[PCI_CLASS] >> 16 & 0xff) == SUBCLASS_MULTIPORT ? 2 : 1;
}

unsigned pci_serial_ports(const u32 header[PCI_HEADER_WORDS], struct serial_target list[PCI_PORTS_MOST])
{
    unsigned in_one = ports_in_one(header);
    if (!pci_present(header[PCI_ID]) || !is_serial(header[PCI_CLASS]) || (header[PCI_HEADER] >> 16 & 0x7f))
        return 0;
    unsigned ports = take_bars(header, SERIAL_PORT, list);
    if (!ports)
        ports = take_bars(header, SERIAL_MMIO, list);
    if (in_one == 1)
        return ports ? 1 : 0; /* further base addresses repeat the port, or are something else */
    if (ports != 1 || list[0].kind != SERIAL_PORT)
        return ports;
    for (; ports < in_one && list[ports - 1].address + 2 * PORT_SIZE <= 0x10000; ports++) {
        list[ports] = list[ports - 1];
        list[ports].address += PORT_SIZE;
    }
    return ports;
}

void pci_nearest_window(const u32 header[PCI_HEADER_WORDS], u16 port, struct pci_window *nearest)
{
    if (!pci_present(header[PCI_ID]) || (header[PCI_HEADER] >> 16 & 0x7f) || !(header[PCI_COMMAND] & COMMAND_IO))
        return;
    for (unsigned n = 0; n < BARS; n++) {
        u32 bar = header[PCI_BAR + n];
        u16 base = (u16)(bar & ~3u);
        if ((bar & BAR_IO) && base > nearest->base && base <= port && base / WINDOW_MOST == port / WINDOW_MOST)
            *nearest = (struct pci_window){base, is_serial(header[PCI_CLASS])};
    }
}

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
    if (!is_serial(pci_read(function, PCI_CLASS)))
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
