#include "tools/proof/mutant.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct finding {
    const char *text;
    char *code; /* the text with blanks for everything that is left alone */
    struct mutant *mutants;
    size_t count, room;
    bool failed;
};

static void add(struct finding *f, const char *at, size_t length, const char *with)
{
    if (strlen(with) >= sizeof(f->mutants->with))
        return;
    if (f->count == f->room) {
        struct mutant *larger = realloc(f->mutants, (f->room * 2 + 64) * sizeof(*larger));
        f->failed |= !larger;
        if (!larger)
            return;
        f->mutants = larger;
        f->room = f->room * 2 + 64;
    }
    struct mutant *mutant = &f->mutants[f->count++];
    mutant->at = (size_t)(at - f->code);
    mutant->length = length;
    strcpy(mutant->with, with);
}

/* ---- What is left alone */

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static char *line_start(char *code, char *at)
{
    while (at > code && at[-1] != '\n')
        at--;
    return at;
}

static char *line_end(char *at)
{
    return at + strcspn(at, "\n");
}

static char *skip_blanks(char *at, const char *blanks)
{
    return at + strspn(at, blanks);
}

static void blank(char *from, const char *to)
{
    for (; from < to; from++)
        if (*from != '\n')
            *from = ' ';
}

static char *quote_end(char *at)
{
    char quote = *at++;
    for (; *at && *at != quote; at++)
        if (*at == '\\' && at[1])
            at++;
    return *at ? at + 1 : at;
}

static char *directive_end(char *at)
{
    char *end = line_end(at);
    while (*end && end[-1] == '\\')
        end = line_end(end + 1);
    return end;
}

/* Where that ends which begins here and is no code; `at` itself if code begins here. */
static char *other_end(char *code, char *at)
{
    if (strncmp(at, "/*", 2) == 0) {
        char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (strncmp(at, "//", 2) == 0)
        return line_end(at);
    if (*at == '"' || *at == '\'')
        return quote_end(at);
    if (*at == '#' && skip_blanks(line_start(code, at), " \t") == at)
        return directive_end(at);
    return at;
}

static void blank_what_is_no_code(char *code)
{
    for (char *at = code; *at;) {
        char *end = other_end(code, at);
        blank(at, end);
        at = end > at ? end : at + 1;
    }
}

/* Behind the bracket that closes the one here; the text's end if none does. */
static char *closed(char *at)
{
    char open = *at, close = open == '(' ? ')' : '}';
    for (unsigned depth = 0; *at; at++) {
        depth += *at == open;
        if (*at == close && --depth == 0)
            return at + 1;
    }
    return at;
}

/* The sizes of a function's array parameters are there for readers only. */
static void blank_heads(char *code)
{
    for (char *at = code; *at;) {
        char *end = line_end(at), *body = strstr(at, "\n{\n");
        if (isalpha((unsigned char)*at) && body && !memchr(at, ';', (size_t)(body - at))) {
            blank(at, body);
            end = body;
        }
        at = *end ? end + 1 : end;
    }
}

/* ---- What is changed */

static const struct {
    const char *token;
    const char *with[2];
} operators[] = {
    /* The longer ones first; those without a change only so that no shorter one is seen in them. */
    {"<<", {NULL, NULL}}, {">>", {NULL, NULL}}, {"->", {NULL, NULL}}, {"==", {"!=", NULL}},
    {"!=", {"==", NULL}}, {"<=", {"<", ">"}},   {">=", {">", "<"}},   {"<", {"<=", ">="}},
    {">", {">=", "<="}},  {"&&", {"||", NULL}}, {"||", {"&&", NULL}},
};

/* Each of these returns how many bytes it has dealt with, 0 if what it seeks does not begin here. */
static size_t flip_operator(struct finding *f, const char *at)
{
    for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
        size_t length = strlen(operators[i].token);
        if (strncmp(at, operators[i].token, length) != 0)
            continue;
        for (unsigned k = 0; k < 2 && operators[i].with[k]; k++)
            add(f, at, length, operators[i].with[k]);
        return length;
    }
    return 0;
}

static size_t negate_condition(struct finding *f, char *at)
{
    if (strncmp(at, "if (", 4) != 0)
        return 0;
    char *open = at + 3, *end = closed(open), with[160];
    int length = (int)(end - open);
    /* The original text, for a string may stand in it; not over a line's end. */
    int written = snprintf(with, sizeof(with), "(!%.*s)", length, f->text + (open - f->code));
    if (end <= line_end(open) && written < (int)sizeof(with))
        add(f, open, (size_t)length, with);
    return 3;
}

static size_t change_mask(struct finding *f, const char *at)
{
    unsigned high, low;
    int length = 0;
    if (sscanf(at, "MASK(%2u, %2u)%n", &high, &low, &length) != 2 || !length)
        return 0;
    char with[80];
    for (unsigned k = 0; k < 2; k++) {
        snprintf(with, sizeof(with), "(%.*s & ~(1ull << %u))", length, at, k ? low : high);
        add(f, at, (size_t)length, with);
    }
    return (size_t)length;
}

static void change_hexadecimal(struct finding *f, const char *at, size_t digits, uint64_t value)
{
    char with[40];
    uint64_t lowest = value & (value - 1), highest = value;
    while (highest & (highest - 1))
        highest &= highest - 1;
    snprintf(with, sizeof(with), "0x%llx", (unsigned long long)lowest);
    add(f, at, digits, with);
    if (!lowest)
        return;
    snprintf(with, sizeof(with), "0x%llx", (unsigned long long)(value & ~highest));
    add(f, at, digits, with);
}

static size_t change_number(struct finding *f, const char *at)
{
    if (!isdigit((unsigned char)*at))
        return 0;
    char *end, with[40];
    uint64_t value = strtoull(at, &end, 0);
    size_t digits = (size_t)(end - at);
    if (at[1] == 'x' && value) {
        change_hexadecimal(f, at, digits, value);
    } else {
        snprintf(with, sizeof(with), "%llu", (unsigned long long)value + 1);
        add(f, at, digits, with);
        snprintf(with, sizeof(with), "%llu", (unsigned long long)value - 1);
        if (value)
            add(f, at, digits, with);
    }
    while (in_word(at[digits]))
        digits++;
    return digits;
}

/* Does a statement begin at `at`, the first of its line that is not blank? By what stands before it. */
static bool begins_statement(const char *code, const char *at)
{
    while (at > code && isspace((unsigned char)at[-1]))
        at--;
    return at - code >= 4 && (strchr(";{}):", at[-1]) || strncmp(at - 4, "else", 4) == 0);
}

/* A statement of one line: a call, an assignment, ++ or --; no declaration, nothing that begins with a keyword. */
static void skip_statement(struct finding *f, char *at)
{
    char *start = line_start(f->code, at), *end = line_end(at), *word = at + strspn(at, "*+-");
    if (at == start || *at == ' ' || skip_blanks(start, " ") != at || end[-1] != ';' || !begins_statement(f->code, at))
        return;
    char *rest = word;
    while (in_word(*rest))
        rest++;
    rest = skip_blanks(rest, " ");
    bool declares = in_word(*rest) || (*rest == '*' && rest[1] != '=');
    bool keyword = *rest == ';' && word == at;
    if (rest > word && !declares && !keyword && strncmp(at, "for ", 4) != 0 && strncmp(at, "return", 6) != 0)
        add(f, at, (size_t)(end - at), ";");
}

static size_t change(struct finding *f, char *at, bool word_begins)
{
    size_t length = word_begins ? negate_condition(f, at) : 0;
    if (word_begins && !length)
        length = change_mask(f, at);
    if (word_begins && !length)
        length = change_number(f, at);
    return length ? length : flip_operator(f, at);
}

struct mutant *mutants_of(const char *text, size_t *count)
{
    struct finding f = {text, strdup(text), calloc(1, sizeof(struct mutant)), 0, 1, false};
    *count = 0;
    if (f.code && f.mutants) {
        blank_what_is_no_code(f.code);
        blank_heads(f.code);
        for (char *at = f.code; *at;) {
            skip_statement(&f, at);
            size_t length = change(&f, at, at == f.code || !in_word(at[-1]));
            at += length ? length : 1;
        }
        *count = f.count;
    }
    if (!f.code || f.failed) {
        free(f.mutants);
        f.mutants = NULL;
    }
    free(f.code);
    return f.mutants;
}

unsigned mutant_line(const char *text, size_t at)
{
    unsigned line = 1;
    for (size_t i = 0; i < at; i++)
        line += text[i] == '\n';
    return line;
}

char *mutant_apply(const char *text, const struct mutant *mutant)
{
    size_t size = strlen(text) - mutant->length + strlen(mutant->with) + 1;
    char *result = malloc(size);
    if (result)
        snprintf(result, size, "%.*s%s%s", (int)mutant->at, text, mutant->with, text + mutant->at + mutant->length);
    return result;
}

/* SplitMix64. */
size_t mutant_draw(unsigned long seed, unsigned long number, size_t limit)
{
    uint64_t z = seed * 0xd1342543de82ef95ull + (number + 1) * 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return (size_t)((z ^ z >> 31) % limit);
}
