/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * TI PC16550D data sheet: eight registers. Firmware, GRUB and BMCs use this UART too, so it is set up anew, with its
 * interrupts off and its modem lines on.
 */
#include "kernel/serial/serial.h"
#include "kernel/core/memory.h"
#include "kernel/core/option.h"
#include "kernel/core/time.h"
#include "kernel/firmware/acpi.h"
#include "kernel/firmware/pci.h"
#include "kernel/log/log.h"
#include "kernel/register/instructions.h"
#include "kernel/text/text.h"

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

/*
 * May a UART be at this I/O port, judging by the number? Not where every PC has something else: the first 100H ports
 * belong to the board, and CF8H to CFFH lead to PCI's configuration space and the reset register.
 */
static bool port_possible(u64 port)
{
    return port >= 0x100 && port <= 0x10000 - PORT_SIZE && (port + PORT_SIZE <= 0xcf8 || port > 0xcff);
}

static const char *parse_address(const char *text, struct serial_target *target)
{
    const char *end = number_parse(text, &target->address);
    if (!end)
        return NULL;
    switch (target->kind) {
    case SERIAL_PORT:
        return port_possible(target->address) ? end : NULL;
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

OPTION(
    serial, .kind = OPTION_TEXT,
    .argument = "auto|none|com1|pci[:N]|PORT|mmio:ADDRESS[/STRIDE]|mmio32:ADDRESS[,BAUD|,keep][+...]",
    .help =
        "the log's UARTs, up to three; auto: the one that ACPI's SPCR or DBG2 names, else COM1, else the first on PCI; "
        "at 115200 baud (SPCR's: at the rate it names; in memory: as firmware set it), a rate that divides it, or "
        "(keep) the one found");
OPTION(pace, .kind = OPTION_NUMBER, .argument = "N", .minimum = 100, .maximum = 1000000,
       .help = "at most N characters a second on the UARTs, and the END line twice: for consoles that lose some");

#define UART_FCR 2 /* FIFO control, write only */
#define FCR_ENABLE 0x01
#define FCR_CLEAR 0x06
#define UART_IIR 2 /* interrupt identification, read only */
#define IIR_FIFO 0xc0
#define UART_MCR 4
#define MCR_DTR_RTS 0x03
#define MCR_RTS_OUT2 0x0a
#define MCR_LOOP 0x10
#define UART_LSR 5
#define LSR_DR 0x01   /* a byte has been received */
#define LSR_THRE 0x20 /* the transmitter can take a whole FIFO */
#define LSR_TEMT 0x40 /* the transmitter has sent its last bit */
#define UART_MODEM 6
#define MODEM_INPUTS 0xf0
#define MODEM_CTS_DCD 0x90
#define UART_SCRATCH 7
#define UART_REGISTERS 8
#define FIFO_SIZE 16

#define ACPI_BLOCK 128 /* ports: chipsets have power management in an aligned block of this size */

/* A wait for the transmitter: 16 characters at 1200 baud take 133 ms. */
#define READY_US 500000
#define AGAIN_US 300000    /* until the END line is repeated: losses come in runs */
#define RESUME_US 10000000 /* at the end, for a reader that pauses: the longest time without one character */

struct uart {
    struct serial_target target;
    bool open, stuck;
    unsigned burst; /* characters that may be written once the transmitter is empty */
    size_t sent;    /* characters of log_kept() that have been sent */
    u32 lost_lines; /* lines that came while the transmitter was stuck and the log's memory full; not yet reported */
};

/* The first lines go to one UART; options and ACPI may then name others, to which they are replayed. */
static struct uart uarts[1 + SERIAL_TARGETS];

static u8 get(const void *at, unsigned reg)
{
    const struct uart *uart = at;
    u64 address = uart->target.address + reg * uart->target.stride;
    if (uart->target.kind == SERIAL_PORT)
        return inb((u16)address);
    if (uart->target.width == 4)
        return (u8) * (volatile u32 *)address;
    return *(volatile u8 *)address;
}

static void put(const void *at, unsigned reg, u8 value)
{
    const struct uart *uart = at;
    u64 address = uart->target.address + reg * uart->target.stride;
    if (uart->target.kind == SERIAL_PORT)
        outb((u16)address, value);
    else if (uart->target.width == 4)
        *(volatile u32 *)address = value;
    else
        *(volatile u8 *)address = value;
}

/* Is there a UART at all? Its scratch register keeps any value and has no other effect; an empty bus reads ones. */
static bool probe(const struct uart *uart)
{
    static const u8 patterns[] = {0x5a, 0xa5};
    for_each_row (patterns, pattern) {
        put(uart, UART_SCRATCH, *pattern);
        if (get(uart, UART_SCRATCH) != *pattern)
            return false;
    }
    return true;
}

/* Is it a UART? Either its FIFOs say so, or its modem outputs can be looped back to its inputs. Some UARTs behind a BMC
 * lack one of these, but no other device has either. */
static bool is_uart(const struct uart *uart)
{
    u8 identification = get(uart, UART_IIR);
    if (identification == (FCR_ENABLE | FCR_CLEAR))
        return false; /* no UART reads back this value: it is memory */
    put(uart, UART_MCR, MCR_LOOP | MCR_RTS_OUT2);
    bool looped = (get(uart, UART_MODEM) & MODEM_INPUTS) == MODEM_CTS_DCD;
    put(uart, UART_MCR, MCR_DTR_RTS);
    return looped || (identification & IIR_FIFO) == IIR_FIFO;
}

static const struct serial_access registers = {get, put};

/* SPCR states the clock, for its own UART only. */
static u32 clock_of(const struct serial_target *target)
{
    const struct acpi_info *info = acpi();
    bool same = info->spcr && info->spcr_space == 0 && target->kind == SERIAL_MMIO;
    return same && info->spcr_address == target->address ? info->spcr_clock : 0;
}

static bool open(struct uart *uart, const struct serial_target *target)
{
    uart->target = *target;
    uart->stuck = false;
    if (!probe(uart))
        return false;
    put(uart, UART_IER, 0);
    uart->target.baud = serial_set_rate(target, clock_of(target), &registers, uart);
    put(uart, UART_FCR, FCR_ENABLE | FCR_CLEAR);
    if (!is_uart(uart))
        return false;
    uart->burst = (get(uart, UART_IIR) & IIR_FIFO) == IIR_FIFO ? FIFO_SIZE : 1;
    uart->open = true;
    return true;
}

/* After one wait that timed out it does not wait again until the transmitter has been seen empty. */
static bool ready(struct uart *uart, u8 status)
{
    struct deadline deadline = deadline_us(READY_US);
    while (!(get(uart, UART_LSR) & status))
        if (uart->stuck || deadline_passed(&deadline)) {
            uart->stuck = true;
            return false;
        }
    uart->stuck = false;
    return true;
}

/* Returns how many characters were sent: all, unless the transmitter stopped taking them. */
static size_t write(struct uart *uart, const char *text, size_t length)
{
    size_t sent = 0;
    while (sent < length && ready(uart, LSR_THRE)) {
        unsigned i = 0;
        for (; i < uart->burst && sent < length; i++)
            put(uart, UART_DATA, (u8)text[sent++]);
        if (option_pace.given)
            time_delay_us(i * 1000000ul / option_pace.number);
    }
    return sent;
}

/* Sends what the log's memory holds and was not sent yet: a reader that pauses loses nothing. True once all is sent. */
static bool catch_up(struct uart *uart)
{
    struct log_kept kept = log_kept();
    uart->sent += write(uart, kept.text + uart->sent, kept.length - uart->sent);
    return uart->sent == kept.length;
}

static bool tell_lost(struct uart *uart)
{
    char text[64];
    size_t length = (size_t)format_text(text, sizeof(text), "\r\n# log lost-lines=%u\r\n", uart->lost_lines);
    if (uart->lost_lines && write(uart, text, length) < length)
        return false;
    uart->lost_lines = 0;
    return true;
}

static bool is_end(const char *text, size_t length)
{
    static const char end[] = "# end ";
    return length >= sizeof(end) && !strncmp(text, end, sizeof(end) - 1);
}

static char end_line[LOG_LINE_SIZE + 3]; /* empty until the END line was written */

/* A line without room in the log's memory is sent now or never; only the END line is stored to be sent later. */
static void send_unkept(struct uart *uart, bool all, const char *text, size_t length)
{
    if (is_end(text, length) && length < sizeof(end_line))
        memcpy(end_line, text, length);
    if (all && tell_lost(uart) && write(uart, text, length) == length)
        return;
    uart->lost_lines++;
}

/* Takes a sink's text: whole lines. */
static void send(struct uart *uart, const char *text, size_t length)
{
    if (!uart->open)
        return;
    struct log_kept kept = log_kept();
    bool all = catch_up(uart);
    if (text < kept.text || text >= kept.text + kept.length)
        send_unkept(uart, all, text, length);
    if (!option_pace.given || !is_end(text, length))
        return;
    time_delay_us(AGAIN_US);
    write(uart, text, length);
}

#define SINK(n)                                           \
    static void send_##n(const char *text, size_t length) \
    {                                                     \
        send(&uarts[n], text, length);                    \
    }
SINK(0)
SINK(1)
SINK(2)
SINK(3)

/* Waits for a reader that pauses, as long as it takes some text at least every RESUME_US. */
static void resume(struct uart *uart)
{
    struct deadline deadline = deadline_us(RESUME_US);
    size_t sent = uart->sent;
    while (!catch_up(uart) && !deadline_passed(&deadline))
        if (uart->sent != sent) {
            sent = uart->sent;
            deadline = deadline_us(RESUME_US);
        }
    if (uart->lost_lines && tell_lost(uart))
        write(uart, end_line, strlen(end_line));
}

/* Waits until the last bits are sent. Serves as drain() of each of the sinks. */
static void drain(void)
{
    for (struct uart *uart = uarts; uart < uarts + ARRAY_SIZE(uarts); uart++)
        if (uart->open) {
            resume(uart);
            ready(uart, LSR_TEMT);
        }
}

static struct sink sinks[] = {{.name = "serial0", .write = send_0, .drain = drain},
                              {.name = "serial1", .write = send_1, .drain = drain},
                              {.name = "serial2", .write = send_2, .drain = drain},
                              {.name = "serial3", .write = send_3, .drain = drain}};
_Static_assert(ARRAY_SIZE(sinks) == ARRAY_SIZE(uarts), "one each");

#define RECEIVED_MOST 64 /* at once; a UART that reads all ones would never be empty */

static bool received(struct uart *uart)
{
    unsigned n = 0;
    for (; uart->open && n < RECEIVED_MOST && get(uart, UART_LSR) & LSR_DR; n++)
        get(uart, UART_DATA);
    return n;
}

bool serial_received(void)
{
    bool any = false;
    for (struct uart *uart = uarts; uart < uarts + ARRAY_SIZE(uarts); uart++)
        any |= received(uart);
    return any;
}

static const struct serial_target com1 = {SERIAL_PORT, 0x3f8, 1, 1, SERIAL_BAUD, false};

/* The option's list; `auto` without the option. */
static const char *wanted(struct serial_target list[SERIAL_TARGETS], unsigned *count)
{
    list[0] = (struct serial_target){.kind = SERIAL_AUTO};
    *count = 1;
    return option_serial.given ? serial_parse(option_serial.text, list, count) : NULL;
}

static struct serial_target with_rate_of(struct serial_target target, const struct serial_target *asked)
{
    if (asked->asked) {
        target.baud = asked->baud;
        target.asked = true;
    }
    return target;
}

void serial_init(void)
{
    struct serial_target list[SERIAL_TARGETS];
    unsigned count;
    wanted(list, &count);
    if (list[0].kind == SERIAL_AUTO)
        list[0] = with_rate_of(com1, &list[0]);
    if (list[0].kind == SERIAL_PORT && open(&uarts[0], &list[0]))
        log_add_sink(&sinks[0]);
}

/* ---- Where `auto` looks, in this order; each with its name in the log. */

static struct serial_target named(u8 space, u64 address, u8 width, u32 baud)
{
    bool port = space == 1;
    return (struct serial_target){
        port ? SERIAL_PORT : SERIAL_MMIO, address, port ? 1 : width, port ? 1 : width, baud, false};
}

/* The UART of the firmware's own console, at its rate: a BMC's serial-over-LAN is set to that. */
static bool by_spcr(struct serial_target *target)
{
    const struct acpi_info *info = acpi();
    u32 baud = info->spcr_baud;
    if (info->spcr_space == 1 && (!baud || SERIAL_BAUD % baud))
        baud = SERIAL_BAUD;
    *target = named(info->spcr_space, info->spcr_address, info->spcr_width, baud);
    return info->spcr;
}

static bool by_dbg2(struct serial_target *target)
{
    const struct acpi_info *info = acpi();
    *target = named(info->dbg2_space, info->dbg2_address, info->dbg2_width, info->dbg2_space == 1 ? SERIAL_BAUD : 0);
    return info->dbg2;
}

static bool by_default(struct serial_target *target)
{
    *target = com1;
    return true;
}

static char pci_place[PCI_PLACE];

static bool by_pci(struct serial_target *target)
{
    return pci_find_serial(0, target, pci_place);
}

static const struct source {
    const char *name;
    bool (*find)(struct serial_target *target);
} sources[] = {{"spcr", by_spcr}, {"dbg2", by_dbg2}, {"default", by_default}, {"pci", by_pci}};

/* ---- All UARTs, once ACPI and PCI can be read. */

static bool same_place(const struct serial_target *a, const struct serial_target *b)
{
    return a->kind == b->kind && a->address == b->address && a->stride == b->stride && a->width == b->width;
}

static void log_target(const struct serial_target *target, const char *source, const char *state)
{
    log_line("# serial %s=0x%lx stride=%u baud=%u source=%s state=%s", target->kind == SERIAL_PORT ? "port" : "mmio",
             (unsigned long)target->address, target->stride, target->baud, source, state);
}

/* The UART of the first lines is wanted: they are not sent again, although its rate may change now. */
static void set_first(const struct serial_target *target)
{
    if (!target->baud || target->baud == uarts[0].target.baud)
        return;
    ready(&uarts[0], LSR_TEMT);
    open(&uarts[0], target);
}

void serial_resume(void)
{
    for (struct uart *uart = uarts; uart < uarts + ARRAY_SIZE(uarts); uart++) {
        struct serial_target target = uart->target;
        if (uart->open)
            open(uart, &target);
    }
}

/* Nothing is written to a port of another device: PCI tells most of them, and ACPI the chipset's power management. */
static bool is_foreign(const struct serial_target *target)
{
    const struct acpi_info *info = acpi();
    u64 port = target->address;
    if (target->kind != SERIAL_PORT)
        return false;
    return !port_possible(port) || port / ACPI_BLOCK == info->pm1a_control / ACPI_BLOCK ||
           port / ACPI_BLOCK == info->pm_timer / ACPI_BLOCK || pci_port_is_foreign((u16)port);
}

/* Returns the UART, which may be one that is already open, so that no line is sent twice; NULL if there is none. */
static struct uart *open_late(unsigned n, const struct serial_target *target, const char *source)
{
    for (struct uart *known = uarts; known < &uarts[n]; known++)
        if (known->open && same_place(&known->target, target)) {
            if (known == uarts)
                set_first(target);
            log_target(&known->target, source, "open");
            return known;
        }
    if (is_foreign(target)) {
        log_target(target, source, "refused");
    } else if (target->kind == SERIAL_MMIO &&
               !memory_map(target->address, UART_REGISTERS * target->stride, MEMORY_MMIO)) {
        log_target(target, source, "unmapped");
    } else if (open(&uarts[n], target)) {
        log_add_sink(&sinks[n]);
        log_target(&uarts[n].target, source, "open");
        return &uarts[n];
    } else {
        log_target(target, source, "missing");
    }
    return NULL;
}

static struct uart *open_automatic(unsigned n, const struct serial_target *asked)
{
    struct serial_target target;
    for_each_row (sources, source)
        if (source->find(&target)) {
            target = with_rate_of(target, asked);
            struct uart *uart = open_late(n, &target, source->find == by_pci ? pci_place : source->name);

            if (uart)
                return uart;
        }
    return NULL;
}

static struct uart *open_wanted(unsigned n, const struct serial_target *asked)
{
    struct serial_target target = *asked;
    if (asked->kind == SERIAL_NONE)
        return NULL;
    if (asked->kind == SERIAL_AUTO)
        return open_automatic(n, asked);
    if (asked->kind != SERIAL_PCI)
        return open_late(n, asked, "option");
    if (!pci_find_serial((unsigned)asked->address, &target, pci_place)) {
        log_line("# serial pci=%lu source=option state=missing", (unsigned long)asked->address);
        return NULL;
    }
    target = with_rate_of(target, asked);
    return open_late(n, &target, pci_place);
}

/* The UART of the first lines stays in use if it is wanted, or if none of the wanted ones exists. If it does not exist
 * either, the log goes where `auto` finds a UART: better there than nowhere. */
const char *serial_late_init(void)
{
    struct serial_target list[SERIAL_TARGETS];
    unsigned count;
    const char *error = wanted(list, &count);
    bool first = false, others = false, none = false;
    for (unsigned i = 0; i < count; i++) {
        const struct uart *uart = open_wanted(1 + i, &list[i]);
        others |= uart && uart != uarts;
        first |= uart == uarts;
        none |= list[i].kind == SERIAL_NONE;
    }
    if (!first && (others || none))
        uarts[0].open = false;
    if (!others && !none && !uarts[0].open)
        open_automatic(1, &(const struct serial_target){.kind = SERIAL_AUTO});
    return error;
}
