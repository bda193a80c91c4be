/*
 * TI PC16550D data sheet: eight registers. Firmware, GRUB and BMCs share this UART with us, so it is set up anew, but
 * its interrupts stay off and its modem lines on.
 */
#include "kernel/serial.h"
#include "kernel/acpi.h"
#include "kernel/instructions.h"
#include "kernel/log.h"
#include "kernel/memory.h"
#include "kernel/option.h"
#include "kernel/serial_parse.h"
#include "kernel/time.h"

OPTION(serial, .kind = OPTION_TEXT, .argument = "auto|none|com1|PORT[,BAUD]|mmio:ADDRESS[,BAUD]",
       .help = "the log's UART; auto: the one that ACPI's SPCR names, else COM1 at 115200 baud");

#define UART_DATA 0 /* transmit; divisor's low byte while DLAB is set */
#define UART_IER 1  /* interrupt enable; divisor's high byte while DLAB is set */
#define UART_FCR 2  /* FIFO control, write only */
#define FCR_ENABLE 0x01
#define FCR_CLEAR 0x06
#define UART_IIR 2 /* interrupt identification, read only */
#define IIR_FIFO 0xc0
#define UART_LCR 3
#define LCR_8N1 0x03
#define LCR_DLAB 0x80
#define UART_MCR 4
#define MCR_DTR_RTS 0x03
#define UART_LSR 5
#define LSR_THRE 0x20 /* transmitter can take a FIFO's worth */
#define UART_SCRATCH 7
#define FIFO_SIZE 16

/* 16 characters at 1200 baud take 133 ms. */
#define READY_US 500000

struct uart {
    struct serial_target target;
    bool open, stuck;
    unsigned burst; /* characters that may be written once the transmitter is empty */
};

/* The first lines go to one UART; options and ACPI may then name another, which gets them replayed. */
static struct uart first, second;

static u8 get(const struct uart *uart, unsigned reg)
{
    u64 address = uart->target.address + reg * uart->target.stride;

    if (uart->target.kind == SERIAL_PORT)
        return inb((u16)address);
    if (uart->target.stride == 4)
        return (u8) * (volatile u32 *)address;
    return *(volatile u8 *)address;
}

static void put(const struct uart *uart, unsigned reg, u8 value)
{
    u64 address = uart->target.address + reg * uart->target.stride;

    if (uart->target.kind == SERIAL_PORT)
        outb((u16)address, value);
    else if (uart->target.stride == 4)
        *(volatile u32 *)address = value;
    else
        *(volatile u8 *)address = value;
}

/* Is there a UART at all? Its scratch register keeps any value and does nothing; an empty bus reads ones. */
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

static bool open(struct uart *uart, const struct serial_target *target)
{
    uart->target = *target;
    uart->stuck = false;
    if (!probe(uart))
        return false;
    put(uart, UART_IER, 0);
    if (target->baud) {
        u32 divisor = SERIAL_BAUD / target->baud;

        put(uart, UART_LCR, LCR_DLAB);
        put(uart, UART_DATA, (u8)divisor);
        put(uart, UART_IER, (u8)(divisor >> 8));
    }
    put(uart, UART_LCR, LCR_8N1);
    put(uart, UART_FCR, FCR_ENABLE | FCR_CLEAR);
    put(uart, UART_MCR, MCR_DTR_RTS);
    uart->burst = (get(uart, UART_IIR) & IIR_FIFO) == IIR_FIFO ? FIFO_SIZE : 1;
    uart->open = true;
    return true;
}

/* After one wait that ran out there is no more waiting, until the transmitter is seen empty again. */
static bool ready(struct uart *uart)
{
    struct deadline deadline = deadline_us(READY_US);

    while (!(get(uart, UART_LSR) & LSR_THRE))
        if (uart->stuck || deadline_passed(&deadline)) {
            uart->stuck = true;
            return false;
        }
    uart->stuck = false;
    return true;
}

static void write(struct uart *uart, const char *text, size_t length)
{
    while (uart->open && length && ready(uart))
        for (unsigned i = 0; i < uart->burst && length; i++, length--)
            put(uart, UART_DATA, (u8)*text++);
}

static void write_first(const char *text, size_t length)
{
    write(&first, text, length);
}

static void write_second(const char *text, size_t length)
{
    write(&second, text, length);
}

static struct sink first_sink = {.write = write_first}, second_sink = {.write = write_second};

static const struct serial_target com1 = {SERIAL_PORT, 0x3f8, 1, SERIAL_BAUD};

void serial_init(void)
{
    struct serial_target target = {.kind = SERIAL_AUTO};

    if (option_serial.given)
        serial_parse(option_serial.text, &target);
    if (target.kind == SERIAL_AUTO)
        target = com1;
    if (target.kind == SERIAL_PORT && open(&first, &target))
        log_add_sink(&first_sink);
}

/* The UART that firmware's own console uses, at firmware's own rate: what a BMC's serial-over-LAN is set to. */
static struct serial_target automatic(void)
{
    const struct acpi_info *info = acpi();
    struct serial_target target = com1;

    if (info->spcr) {
        target.kind = info->spcr_space == 1 ? SERIAL_PORT : SERIAL_MMIO;
        target.address = info->spcr_address;
        target.stride = target.kind == SERIAL_MMIO && info->spcr_width == 4 ? 4 : 1;
        if (info->spcr_baud && info->spcr_baud <= SERIAL_BAUD)
            target.baud = info->spcr_baud;
        else if (target.kind == SERIAL_MMIO)
            target.baud = 0;
    }
    return target;
}

static bool same(const struct serial_target *a, const struct serial_target *b)
{
    return a->kind == b->kind && a->address == b->address && a->stride == b->stride && a->baud == b->baud;
}

static const char *source; /* who named the UART */

static void log_target(const struct serial_target *target, const char *state)
{
    log_line("# serial %s=0x%lx stride=%u baud=%u source=%s state=%s", target->kind == SERIAL_PORT ? "port" : "mmio",
             (unsigned long)target->address, target->stride, target->baud, source, state);
}

static void open_second(const struct serial_target *target)
{
    if (target->kind == SERIAL_MMIO && !memory_map(target->address, 8 * target->stride, MEMORY_MMIO)) {
        log_target(target, "unmapped");
    } else if (!open(&second, target)) {
        log_target(target, "missing");
    } else {
        first.open = false;
        log_add_sink(&second_sink);
        log_target(target, "open");
    }
}

const char *serial_late_init(void)
{
    struct serial_target target = {.kind = SERIAL_AUTO};
    const char *error = option_serial.given ? serial_parse(option_serial.text, &target) : NULL;

    source = "option";
    if (target.kind == SERIAL_AUTO) {
        target = automatic();
        source = acpi()->spcr ? "spcr" : "default";
    }
    if (target.kind == SERIAL_NONE)
        first.open = false;
    else if (first.open && same(&first.target, &target))
        log_target(&target, "open");
    else
        open_second(&target);
    return error;
}
