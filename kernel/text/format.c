/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * snprintf for the image: %d %i %u %x %X %o %c %s %p %% with flags '-', '0', width, precision (also '*') and the length
 * modifiers hh, h, l, ll, z, j, t.
 */
#include "kernel/text/text.h"

/* Widths and precisions are limited to this, so that a wild '*' argument cannot keep the image busy for minutes. */
#define WIDTH_MAX 4096

struct output {
    char *text;
    size_t size, length; /* length continues to count beyond size */
    va_list args;
};

struct conversion {
    bool left, zero, alternate, plus, blank;
    int width, precision; /* precision -1: none given */
    int bytes;            /* size of an integer argument */
};

static void put(struct output *out, char c)
{
    if (out->length + 1 < out->size)
        out->text[out->length] = c;
    out->length++;
}

static void put_repeated(struct output *out, char c, int count)
{
    while (count-- > 0)
        put(out, c);
}

/* Writes prefix (sign or base), zeros, then length characters of body, padded to the width. */
static void put_field(struct output *out, const struct conversion *conversion, const char *prefix, int zeros,
                      const char *body, int length)
{
    int prefix_length = 0;
    while (prefix[prefix_length])
        prefix_length++;

    int padding = conversion->width - prefix_length - zeros - length;

    if (!conversion->left)
        put_repeated(out, ' ', padding);
    while (*prefix)
        put(out, *prefix++);
    put_repeated(out, '0', zeros);
    for (int i = 0; i < length; i++)
        put(out, body[i]);
    if (conversion->left)
        put_repeated(out, ' ', padding);
}

static void put_string(struct output *out, const struct conversion *conversion, const char *text)
{
    int length = 0;
    if (!text)
        text = "(null)";
    while ((conversion->precision < 0 || length < conversion->precision) && text[length])
        length++;
    put_field(out, conversion, "", 0, text, length);
}

static void put_number(struct output *out, const struct conversion *conversion, const char *prefix, u64 value,
                       unsigned base, const char *digits)
{
    char body[24]; /* 22 octal digits at most */
    int start = sizeof(body), prefix_length = 0;
    for (; value; value /= base)
        body[--start] = digits[value % base];
    while (prefix[prefix_length])
        prefix_length++;

    int length = (int)sizeof(body) - start, wanted = conversion->precision;

    if (wanted < 0) {
        wanted = 1; /* zero is printed as one digit */
        if (conversion->zero && !conversion->left && conversion->width - prefix_length > 1)
            wanted = conversion->width - prefix_length;
    }
    if (base == 8 && conversion->alternate && wanted <= length)
        wanted = length + 1; /* the octal prefix is one more digit */
    put_field(out, conversion, prefix, wanted > length ? wanted - length : 0, body + start, length);
}

static u64 unsigned_argument(struct output *out, const struct conversion *conversion)
{
    u64 value = conversion->bytes == 8 ? va_arg(out->args, u64) : va_arg(out->args, u32);
    return value & MASK(conversion->bytes * 8 - 1, 0);
}

static void put_signed(struct output *out, const struct conversion *conversion)
{
    unsigned shift = 64 - (unsigned)conversion->bytes * 8;
    s64 value = (s64)(unsigned_argument(out, conversion) << shift) >> shift;
    const char *sign = value < 0 ? "-" : conversion->plus ? "+" : conversion->blank ? " " : "";
    put_number(out, conversion, sign, value < 0 ? 0 - (u64)value : (u64)value, 10, "0123456789");
}

static void put_unsigned(struct output *out, const struct conversion *conversion, char letter)
{
    u64 value = unsigned_argument(out, conversion);
    bool prefixed = conversion->alternate && value;
    if (letter == 'x')
        put_number(out, conversion, prefixed ? "0x" : "", value, 16, "0123456789abcdef");
    else if (letter == 'X')
        put_number(out, conversion, prefixed ? "0X" : "", value, 16, "0123456789ABCDEF");
    else
        put_number(out, conversion, "", value, letter == 'o' ? 8 : 10, "0123456789");
}

static void put_conversion(struct output *out, struct conversion *conversion, char letter)
{
    char c;
    switch (letter) {
    case 'd':
    case 'i':
        put_signed(out, conversion);
        break;
    case 'u':
    case 'x':
    case 'X':
    case 'o':
        put_unsigned(out, conversion, letter);
        break;
    case 'p':
        put_number(out, conversion, "0x", (u64)(uintptr_t)va_arg(out->args, void *), 16, "0123456789abcdef");
        break;
    case 'c':
        c = (char)va_arg(out->args, int);
        put_field(out, conversion, "", 0, &c, 1);
        break;
    case 's':
        put_string(out, conversion, va_arg(out->args, const char *));
        break;
    case '%':
        put(out, '%');
        break;
    default: /* unsupported: printed as it is, so that the mistake shows; its argument's size is unknown */
        put(out, '%');
        put(out, letter);
    }
}

static const char *parse_flags(const char *format, struct conversion *conversion)
{
    for (;; format++) {
        if (*format == '-')
            conversion->left = true;
        else if (*format == '0')
            conversion->zero = true;
        else if (*format == '#')
            conversion->alternate = true;
        else if (*format == '+')
            conversion->plus = true;
        else if (*format == ' ')
            conversion->blank = true;
        else
            return format;
    }
}

static const char *parse_count(const char *format, struct output *out, int *count)
{
    if (*format == '*') {
        *count = va_arg(out->args, int);
        format++;
    } else {
        for (*count = 0; *format >= '0' && *format <= '9'; format++)
            *count = *count < WIDTH_MAX ? *count * 10 + (*format - '0') : WIDTH_MAX;
    }
    if (*count > WIDTH_MAX)
        *count = WIDTH_MAX;
    return format;
}

static const char *parse_width(const char *format, struct output *out, struct conversion *conversion)
{
    format = parse_count(format, out, &conversion->width);
    if (conversion->width < 0) {
        conversion->left = true;
        conversion->width = conversion->width < -WIDTH_MAX ? WIDTH_MAX : -conversion->width;
    }
    if (*format == '.')
        format = parse_count(format + 1, out, &conversion->precision);
    return format;
}

static const char *parse_length(const char *format, struct conversion *conversion)
{
    if (*format == 'h') {
        conversion->bytes = format[1] == 'h' ? 1 : 2;
        return format + (format[1] == 'h' ? 2 : 1);
    }
    if (*format == 'l' || *format == 'z' || *format == 'j' || *format == 't') {
        conversion->bytes = 8;
        return format + (format[0] == 'l' && format[1] == 'l' ? 2 : 1);
    }
    return format;
}

int format_args(char *text, size_t size, const char *format, va_list args)
{
    struct output out = {.text = text, .size = size};
    va_copy(out.args, args);
    while (*format) {
        struct conversion conversion = {.precision = -1, .bytes = 4};
        if (*format != '%') {
            put(&out, *format++);
            continue;
        }
        format = parse_flags(format + 1, &conversion);
        format = parse_width(format, &out, &conversion);
        format = parse_length(format, &conversion);
        if (*format)
            put_conversion(&out, &conversion, *format++);
    }
    va_end(out.args);
    if (size)
        text[out.length < size ? out.length : size - 1] = 0;
    return (int)out.length;
}

int format_text(char *text, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = format_args(text, size, format, args);
    va_end(args);
    return length;
}

static bool plain(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
           c == ':' || c == '+' || c == '/' || c == '-';
}

const char *format_quoted(char *text, size_t size, const char *value)
{
    size_t length = 0, used = 0;
    while (plain(value[length]))
        length++;
    if (length && !value[length] && length < size) {
        format_text(text, size, "%s", value);
        return text;
    }
    if (size < 3) { /* no room for a pair of quotes */
        if (size)
            text[0] = 0;
        return text;
    }
    text[used++] = '"';
    for (; *value; value++) {
        bool escaped = *value == '"' || *value == '\\';
        if (used + escaped + 3 > size) /* the character itself, the closing quote and the end */
            break;
        if (escaped)
            text[used++] = '\\';
        text[used++] = *value;
    }
    text[used++] = '"';
    text[used] = 0;
    return text;
}

/* ---- Numbers as users write them. */

#define NO_DIGIT 99u

static unsigned digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'f')
        return (unsigned)(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return (unsigned)(c - 'A') + 10;
    return NO_DIGIT;
}

const char *number_parse(const char *text, u64 *number)
{
    unsigned base = text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
    const char *digit = base == 16 ? text + 2 : text;
    u64 value = 0;
    if (digit_value(*digit) >= base)
        return NULL;
    for (; digit_value(*digit) < base; digit++) {
        if (value > (~0ull - digit_value(*digit)) / base)
            return NULL;
        value = value * base + digit_value(*digit);
    }
    *number = value;
    return digit;
}

bool number_take(const char **text, u32 *number)
{
    u64 value;
    const char *rest = number_parse(*text, &value);
    if (!rest || value >= 1000000000)
        return false;
    *text = rest;
    *number = (u32)value;
    return true;
}
