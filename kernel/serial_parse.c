#include "kernel/serial_parse.h"
#include "kernel/number.h"
#include "kernel/string.h"

struct form {
    const char *prefix;
    struct serial_target target;
    bool address; /* a number follows the prefix */
};

static const struct form forms[] = {
    {"auto", {.kind = SERIAL_AUTO}, false},
    {"none", {.kind = SERIAL_NONE}, false},
    {"com1", {SERIAL_PORT, 0x3f8, 1, SERIAL_BAUD}, false},
    {"com2", {SERIAL_PORT, 0x2f8, 1, SERIAL_BAUD}, false},
    {"com3", {SERIAL_PORT, 0x3e8, 1, SERIAL_BAUD}, false},
    {"com4", {SERIAL_PORT, 0x2e8, 1, SERIAL_BAUD}, false},
    /* The clock of a memory-mapped UART is anyone's guess: firmware's divisor stays unless a rate is asked for. */
    {"mmio:", {SERIAL_MMIO, 0, 1, 0}, true},
    {"mmio32:", {SERIAL_MMIO, 0, 4, 0}, true},
    {"", {SERIAL_PORT, 0, 1, SERIAL_BAUD}, true},
};

static const char *parse_address(const char *text, struct serial_target *target)
{
    const char *end = number_parse(text, &target->address);

    if (!end)
        return NULL;
    if (target->kind == SERIAL_PORT)
        return target->address && target->address <= 0xfff8 ? end : NULL;
    return target->address && target->address % target->stride == 0 && target->address < BIT(52) ? end : NULL;
}

static bool parse_baud(const char *text, struct serial_target *target)
{
    u64 baud = 0;
    const char *end = number_parse(text, &baud);

    if (!end || *end || !baud || baud > SERIAL_BAUD || SERIAL_BAUD % baud)
        return false;
    target->baud = (u32)baud;
    return true;
}

const char *serial_parse(const char *text, struct serial_target *target)
{
    for_each_row (forms, form) {
        size_t length = strlen(form->prefix);
        struct serial_target wanted = form->target;

        if (strncmp(text, form->prefix, length))
            continue;
        text += length;
        if (form->address)
            text = parse_address(text, &wanted);
        if (!text)
            break;
        if (*text == ',' && form->target.stride) {
            if (!parse_baud(text + 1, &wanted))
                return "option serial: the rate must divide 115200";
        } else if (*text) {
            break;
        }
        *target = wanted;
        return NULL;
    }
    return "option serial: not auto, none, com1 to com4, PORT[,BAUD] or mmio:ADDRESS[,BAUD]";
}
