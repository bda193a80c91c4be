/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/serial/serial_pure.h"
#include "kernel/text/number.h"
#include "kernel/text/string.h"

#define STRIDE_MOST 16
#define PCI_MOST 63
#define PORT_SIZE 8

struct form {
    const char *prefix;
    struct serial_target target;
    bool address; /* an address follows the prefix */
};

static const struct form forms[] = {
    {"auto", {.kind = SERIAL_AUTO}, false},
    {"none", {.kind = SERIAL_NONE}, false},
    {"com1", {SERIAL_PORT, 0x3f8, 1, 1, SERIAL_BAUD, false}, false},
    {"com2", {SERIAL_PORT, 0x2f8, 1, 1, SERIAL_BAUD, false}, false},
    {"com3", {SERIAL_PORT, 0x3e8, 1, 1, SERIAL_BAUD, false}, false},
    {"com4", {SERIAL_PORT, 0x2e8, 1, 1, SERIAL_BAUD, false}, false},
    {"pci:", {.kind = SERIAL_PCI}, true},
    {"pci", {.kind = SERIAL_PCI}, false},
    /* The clock of a memory-mapped UART is not known: firmware's divisor stays unless the option gives a rate. */
    {"mmio:", {SERIAL_MMIO, 0, 1, 1, 0, false}, true},
    {"mmio32:", {SERIAL_MMIO, 0, 4, 4, 0, false}, true},
    {"", {SERIAL_PORT, 0, 1, 1, SERIAL_BAUD, false}, true},
};

static const char *parse_stride(const char *text, struct serial_target *target)
{
    u64 stride = 0;
    if (*text != '/' || target->width != 1)
        return text;
    text = number_parse(text + 1, &stride);
    if (!text || !stride || stride > STRIDE_MOST || (stride & (stride - 1)))
        return NULL;
    target->stride = (unsigned)stride;
    return text;
}

static const char *parse_address(const char *text, struct serial_target *target)
{
    const char *end = number_parse(text, &target->address);
    if (!end)
        return NULL;
    switch (target->kind) {
    case SERIAL_PORT:
        return serial_port_possible(target->address) ? end : NULL;
    case SERIAL_PCI:
        return target->address <= PCI_MOST ? end : NULL;
    default:
        return target->address && target->address % target->width == 0 && target->address < BIT(52)
                   ? parse_stride(end, target)
                   : NULL;
    }
}

static const char *parse_baud(const char *text, struct serial_target *target)
{
    u64 baud = 0;
    target->asked = true;
    target->baud = 0;
    if (!strncmp(text, "keep", 4))
        return text + 4;
    const char *end = number_parse(text, &baud);

    if (!end || !baud || baud > SERIAL_BAUD || SERIAL_BAUD % baud)
        return NULL;
    target->baud = (u32)baud;
    return end;
}

static bool ends(const char *text)
{
    return !*text || *text == '+';
}

/* Parses the first target of `text`; *rest is the text after it. */
static const char *parse_one(const char *text, struct serial_target *target, const char **rest)
{
    for_each_row (forms, form) {
        size_t length = strlen(form->prefix);
        if (strncmp(text, form->prefix, length))
            continue;
        text += length;
        *target = form->target;
        if (form->address)
            text = parse_address(text, target);
        if (!text)
            break;
        if (*text == ',' && target->kind != SERIAL_NONE) {
            text = parse_baud(text + 1, target);
            if (!text || !ends(text))
                return "option serial: the rate must divide 115200, or be keep";
        }
        if (!ends(text))
            break;
        *rest = text;
        return NULL;
    }
    return "option serial: not auto, none, com1 to com4, pci[:N], PORT[,BAUD] or mmio:ADDRESS[,BAUD]";
}

const char *serial_parse(const char *text, struct serial_target list[SERIAL_TARGETS], unsigned *count)
{
    struct serial_target found[SERIAL_TARGETS];
    unsigned n = 0;
    for (;;) {
        const char *rest, *error = parse_one(text, &found[n], &rest);
        if (error)
            return error;
        n++;
        if (!*rest)
            break;
        if (n == SERIAL_TARGETS)
            return "option serial: more than three UARTs";
        text = rest + 1;
    }
    for (unsigned i = 0; i < n; i++)
        list[i] = found[i];
    *count = n;
    return NULL;
}

bool serial_port_possible(u64 port)
{
    return port >= 0x100 && port <= 0x10000 - PORT_SIZE && (port + PORT_SIZE <= 0xcf8 || port > 0xcff);
}

/* ---- The rate */

#define BITS 16 /* ticks of the clock per bit */
#define DIVISOR_MOST 0xffffu
#define APART_MOST 3 /* per cent by which a receiver tolerates a wrong rate */

/* The divisor that comes nearest to `baud`; 0: not near enough, or the clock is unknown. */
static u32 divisor_of_clock(u32 baud, u32 clock)
{
    u64 unit = (u64)baud * BITS;
    u64 divisor = unit ? (clock + unit / 2) / unit : 0, made = divisor * unit;
    u64 apart = made > clock ? made - clock : clock - made;
    return divisor <= DIVISOR_MOST && apart * 100 <= (u64)clock * APART_MOST ? (u32)divisor : 0;
}

/* The divisor for a PC's clock: also for a UART in memory if firmware set no divisor and the clock is unknown. */
static u32 divisor_of_pc(u32 baud)
{
    return baud && baud <= SERIAL_BAUD ? SERIAL_BAUD / baud : 1;
}

/* Is its clock the PC's 1.8432 MHz? For a UART in memory the option says so, or it is a guess if no divisor was set. */
static bool has_pc_clock(const struct serial_target *target, u32 clock, u32 found)
{
    if (target->kind == SERIAL_PORT)
        return true;
    if (target->asked)
        return target->baud;
    return !found && !divisor_of_clock(target->baud, clock);
}

/* The divisor to write; 0: the one that was found stays. */
static u32 divisor_wanted(const struct serial_target *target, u32 clock, u32 found)
{
    if (target->asked ? !target->baud : target->kind != SERIAL_PORT && found)
        return 0;
    return has_pc_clock(target, clock, found) ? divisor_of_pc(target->baud) : divisor_of_clock(target->baud, clock);
}

/* The resulting rate; for a UART in memory the firmware's statement, if there is one. 0: unknown. */
static u32 rate_of(const struct serial_target *target, u32 clock, u32 found, u32 divisor)
{
    if (has_pc_clock(target, clock, found))
        clock = SERIAL_BAUD * BITS;
    else if (target->baud)
        return target->baud;
    return divisor ? clock / BITS / divisor : 0;
}

u32 serial_set_rate(const struct serial_target *target, u32 clock, const struct serial_access *access, const void *uart)
{
    access->put(uart, UART_LCR, LCR_DLAB);
    u32 found = access->get(uart, UART_DATA) | (u32)access->get(uart, UART_IER) << 8;
    u32 divisor = divisor_wanted(target, clock, found);
    if (divisor) {
        access->put(uart, UART_DATA, (u8)divisor);
        access->put(uart, UART_IER, (u8)(divisor >> 8));
    }
    access->put(uart, UART_LCR, LCR_8N1);
    return rate_of(target, clock, found, divisor ? divisor : found);
}
