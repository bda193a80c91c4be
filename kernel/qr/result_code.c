/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The result code: eight characters that stand for what a log says about a machine, short enough to be read from a
 * photo or typed.
 */
#include "kernel/qr/qr.h"
#include "kernel/text/text.h"

#define FNV_START 0xcbf29ce484222325ul
#define FNV_PRIME 0x100000001b3ul
#define CHARACTERS 8
#define CHARACTER_BITS 5

static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

static const struct {
    const char *begins, *ends; /* ends NULL: the whole line */
} kinds[] = {
    {"pmucheck ", NULL},  {"machine ", " memory-kib="}, {"cpu ", NULL},        {"run ", NULL},
    {"core-type ", NULL}, {"outcomes ", NULL},          {"result ", " code="},
}; /* the line's text after "# " */

static bool begins(const char *line, size_t length, const char *with)
{
    return length >= strlen(with) && *line == *with && !memcmp(line, with, strlen(with));
}

void result_code_start(struct result_code *code)
{
    code->hash = FNV_START;
}

static void add(struct result_code *code, char byte)
{
    code->hash = (code->hash ^ (u8)byte) * FNV_PRIME;
}

static void add_up_to(struct result_code *code, const char *line, size_t length, const char *end)
{
    for (size_t i = 0; i < length && !(end && begins(line + i, length - i, end)); i++)
        add(code, line[i]);
    add(code, '\n');
}

void result_code_line(struct result_code *code, const char *line, size_t length)
{
    while (length && (line[length - 1] == '\n' || line[length - 1] == '\r'))
        length--;
    if (begins(line, length, "KTAP version 1"))
        result_code_start(code);
    while (length && *line == ' ') {
        line++;
        length--;
    }
    for_each_row (kinds, kind)
        if (begins(line, length, "# ") && begins(line + 2, length - 2, kind->begins))
            add_up_to(code, line, length, kind->ends);
}

const char *result_code_text(const struct result_code *code, char *text)
{
    u64 bits = code->hash ^ code->hash >> CHARACTERS * CHARACTER_BITS;
    unsigned used = 0;
    for (int shift = (CHARACTERS - 1) * CHARACTER_BITS; shift >= 0; shift -= CHARACTER_BITS) {
        if (used == CHARACTERS / 2)
            text[used++] = '-';
        text[used++] = alphabet[bits >> shift & 31];
    }
    text[used] = 0;
    return text;
}

/* The result code character that was meant; 0 if it can be none. */
static char meant(char c)
{
    if (c >= 'a' && c <= 'z')
        c = (char)(c - 'a' + 'A');
    if (c == 'O')
        c = '0';
    if (c == 'I' || c == 'L')
        c = '1';
    return c && strchr(alphabet, c) ? c : 0;
}

bool result_code_parse(const char *typed, char *text)
{
    unsigned used = 0;
    for (; *typed; typed++) {
        if (*typed == '-' || *typed == ' ')
            continue;
        if (!meant(*typed) || used == RESULT_CODE_SIZE - 1)
            return false;
        if (used == CHARACTERS / 2)
            text[used++] = '-';
        text[used++] = meant(*typed);
    }
    text[used] = 0;
    return used == RESULT_CODE_SIZE - 1;
}
