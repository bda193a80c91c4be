/* SPDX-License-Identifier: BSD-2-Clause */
/* Walks as text: one line for an option, and a program for people. */
#include "kernel/text/text.h"
#include "pmu/state/register.h"
#include "reference/lockstep/oracle.h"

/* How a step is written: its letter, and the fields that follow. */
static const struct {
    char letter;
    bool number, value;
    const char *name; /* for people */
} forms[OP_DRAWN] = {
    [OP_WRMSR] = {'w', true, true, "WRMSR"},
    [OP_RDMSR] = {'r', true, false, "RDMSR"},
    [OP_RDPMC] = {'p', true, false, "RDPMC"},
    [OP_LOOP] = {'l', true, false, "loop, turns:"},
    [OP_BRANCHES] = {'b', false, false, "a branch of each kind"},
    [OP_STRAIGHT] = {'s', false, false, "7 instructions"},
    [OP_MEMORY] = {'m', false, false, "3 loads, 2 stores"},
    [OP_READ_LVTPC] = {'v', false, false, "read LVTPC"},
    [OP_WRITE_LVTPC] = {'V', false, true, "write LVTPC"},
    [OP_CLI] = {'c', false, false, "CLI"},
    [OP_STI] = {'t', false, false, "STI"},
    [OP_SETTLE] = {'z', false, false, "wait for PMIs"},
    [OP_TO_USER] = {'u', false, false, "to CPL 3"},
    [OP_CPUID] = {'i', true, true, "CPUID"},
    [OP_POKE] = {'o', true, true, "memory at offset"},
    [OP_PEEK] = {'q', true, false, "read memory at offset"},
    [OP_TPR] = {'x', false, true, "CR8"},
    [OP_STRING] = {'g', false, false, "a REP string instruction"},
    [OP_FROM_USER] = {'k', false, false, "back to CPL 0"},
    [OP_SAMPLE] = {'e', true, true, "sample at the end as by"},
    [OP_TRACE] = {'y', true, true, "trace at the end as by"},
};

/* ---- Writing. */

static int put_step(const struct walk_step *step, char *text, size_t size)
{
    char number[12] = "", value[20] = "";
    if (forms[step->op].number)
        format_text(number, sizeof(number), "%x", step->number);
    if (forms[step->op].value)
        format_text(value, sizeof(value), "=%lx", step->value);
    return format_text(text, size, "%c%s%s", forms[step->op].letter, number, value);
}

static bool put_list(const struct walk_step *list, u32 count, char *text, size_t size)
{
    size_t length = 0;
    for (u32 i = 0; i < count; i++) {
        char one[40];
        int more = put_step(&list[i], one, sizeof(one));
        if (length + (size_t)more + 2 > size)
            return false;
        length += (size_t)format_text(text + length, size - length, "%s%s", i ? "." : "", one);
    }
    return true;
}

bool walk_text(const struct walk *walk, char *text, size_t size)
{
    *text = 0;
    if (!put_list(walk->body, walk->body_count, text, size))
        return false;
    size_t length = strlen(text);
    if (!walk->handler_count)
        return true;
    if (length + 2 > size)
        return false;
    text[length++] = '/';
    text[length] = 0;
    return put_list(walk->handler, walk->handler_count, text + length, size - length);
}

/* ---- Reading. */

static int digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* A hexadecimal number of at most `most` digits. NULL: no digit. */
static const char *take_hex(const char *text, unsigned most, u64 *number)
{
    const char *at = text;
    *number = 0;
    for (; digit(*at) >= 0 && at < text + most; at++)
        *number = *number << 4 | (u64)digit(*at);
    return at == text ? NULL : at;
}

static u32 op_of(char letter)
{
    for (u32 op = 0; op < OP_DRAWN; op++)
        if (forms[op].letter && forms[op].letter == letter)
            return op;
    return OP_DRAWN;
}

/* Reads one step; NULL: it is not a step. */
static const char *take_step(const char *text, struct walk_step *step)
{
    u64 number = 0;
    *step = (struct walk_step){.op = op_of(*text)};
    if (step->op == OP_DRAWN)
        return NULL;
    text++;
    if (forms[step->op].number && !(text = take_hex(text, 8, &number)))
        return NULL;
    step->number = (u32)number;
    if (!forms[step->op].value)
        return text;
    return *text == '=' ? take_hex(text + 1, 16, &step->value) : NULL;
}

static bool wrong(char *error, const char *what, const char *where)
{
    format_text(error, WALK_ERROR, "%s at \"%.30s\"", what, where);
    return false;
}

/* A loop of 0 turns would run 2^32 of them. */
static bool sensible(const struct walk_step *step)
{
    bool in_memory = step->number <= LOCKSTEP_MEMORY - 8 && !(step->number % 8);
    return (step->op != OP_LOOP || (step->number && step->number <= 1000000)) &&
           ((step->op != OP_POKE && step->op != OP_PEEK) || in_memory);
}

bool walk_parse(const char *text, struct walk *walk, char *error)
{
    bool handler = false;
    *walk = (struct walk){0};
    while (*text) {
        struct walk_step step;
        const char *rest = take_step(text, &step);
        u32 *count = handler ? &walk->handler_count : &walk->body_count;
        if (!rest || !sensible(&step))
            return wrong(error, "not a step of a walk", text);
        if (*count == (handler ? WALK_HANDLER : WALK_BODY))
            return wrong(error, "too many steps", text);
        (handler ? walk->handler : walk->body)[(*count)++] = step;
        if (*rest == '/' && !handler)
            handler = true;
        else if (*rest && *rest != '.')
            return wrong(error, "expected a dot between steps, or one slash before the handler's", rest);
        text = *rest ? rest + 1 : rest;
    }
    return walk->body_count || wrong(error, "no step", text);
}

/* ---- For people. */

const char *step_text(u32 op, u32 number, u64 value, char *text)
{
    char name[REGISTER_NAME_SIZE] = "", more[24] = "";
    if (op == OP_X2_READ_LVTPC || op == OP_X2_WRITE_LVTPC)
        op = op == OP_X2_READ_LVTPC ? OP_READ_LVTPC : OP_WRITE_LVTPC;
    if (op >= OP_DRAWN || !forms[op].name)
        return "end";
    if (op == OP_WRMSR || op == OP_RDMSR)
        register_name_on_any(number, name);
    else if (forms[op].number)
        format_text(name, sizeof(name), op == OP_LOOP ? "%u" : "%xH", number);
    if (forms[op].value)
        format_text(more, sizeof(more), " 0x%lx", value);
    format_text(text, STEP_TEXT, "%s%s%s%s", forms[op].name, name[0] ? " " : "", name, more);
    return text;
}

const char *difference_text(const struct difference *d, char *text)
{
    char step[STEP_TEXT];
    const char *what = step_text(d->op, d->number, 0, step);
    switch (d->kind) {
    case DIFFERENCE_VALUE:
        format_text(text, STEP_TEXT, "%s gave 0x%lx and not 0x%lx", what, d->got, d->want);
        break;
    case DIFFERENCE_FAULT:
        format_text(text, STEP_TEXT, "%s: unexpected #GP", what);
        break;
    case DIFFERENCE_NO_FAULT:
        format_text(text, STEP_TEXT, "%s: no #GP, though it has to fault", what);
        break;
    case DIFFERENCE_PMI:
        format_text(text, STEP_TEXT, "a PMI at vector %lu that nothing has raised, or that was blocked", d->got);
        break;
    case DIFFERENCE_NO_PMI:
        format_text(text, STEP_TEXT, "no PMI at vector %lu by now%s", d->want, d->got ? ", but later" : "");
        break;
    case DIFFERENCE_PLACE:
        format_text(text, STEP_TEXT, "a PMI or a fault came at an impossible place");
        break;
    case DIFFERENCE_RECORD:
        format_text(text, STEP_TEXT, "memory at offset 0x%x holds 0x%lx and not 0x%lx", d->step, d->got, d->want);
        break;
    case DIFFERENCE_STORM:
        format_text(text, STEP_TEXT, "PMIs without an end");
        break;
    default:
        text[0] = 0;
    }
    return text;
}
