#include "pmu/reference/proof/mutant.h"
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

static void add(struct finding *f, const char *kind, const char *at, size_t length, const char *with)
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
    mutant->kind = kind;
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
            add(f, "operator", at, length, operators[i].with[k]);
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
        add(f, "condition", open, (size_t)length, with);
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
        add(f, "mask", at, (size_t)length, with);
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
    add(f, "number", at, digits, with);
    if (!lowest)
        return;
    snprintf(with, sizeof(with), "0x%llx", (unsigned long long)(value & ~highest));
    add(f, "number", at, digits, with);
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
        add(f, "number", at, digits, with);
        snprintf(with, sizeof(with), "%llu", (unsigned long long)value - 1);
        if (value)
            add(f, "number", at, digits, with);
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
        add(f, "statement", at, (size_t)(end - at), ";");
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

/* ---- What is changed in what judges */

#define ARGUMENTS_MAX 8

/* The arguments of a call, by its opening bracket, without blanks around. Returns how many; 0 if there are too many. */
static unsigned arguments_of(char *open, char *end, char *from[ARGUMENTS_MAX], char *to[ARGUMENTS_MAX])
{
    unsigned count = 0;
    int depth = 0;
    char *at = open + 1;
    for (char *begun = at; at < end; at++) {
        depth += (*at == '(' || *at == '{') - (*at == ')' || *at == '}');
        if (depth > 0 || (depth == 0 && *at != ','))
            continue;
        if (count == ARGUMENTS_MAX)
            return 0;
        from[count] = skip_blanks(begun, " \n");
        char *last = at;
        while (last > from[count] && isspace((unsigned char)last[-1]))
            last--;
        to[count++] = last;
        begun = at + 1;
    }
    return count;
}

/* The forms of checks: which argument is what was got, which what is wanted, which the two of a range or of bits. */
static const struct {
    const char *name;
    unsigned count;
    signed char got, want, pair; /* -1: none */
    const char *kind, *any;      /* the pair's, and what makes any value pass */
} checks[] = {
    {"check_equal(", 5, 2, 3, -1, NULL, NULL},
    {"check_count(", 5, 2, 3, -1, NULL, NULL},
    {"check_fault(", 5, 2, 3, -1, NULL, NULL},
    {"check_range(", 6, -1, -1, 3, "range widened", "0, ~0ull"},
    {"check_bits(", 5, -1, -1, 3, "compared with itself", "0, 0"},
};

static void replace_argument(struct finding *f, const char *kind, char *from, char *to, const char *before, char *by,
                             char *by_end, const char *after)
{
    char with[200];
    int written = snprintf(with, sizeof(with), "%s%.*s%s", before, (int)(by_end - by), f->text + (by - f->code), after);
    if (written < (int)sizeof(with))
        add(f, kind, from, (size_t)(to - from), with);
}

static void weaken_check(struct finding *f, char *at, char *open, char *end)
{
    char *from[ARGUMENTS_MAX], *to[ARGUMENTS_MAX];
    unsigned count = arguments_of(open, end, from, to);
    if (strncmp(at, "check_true(", 11) == 0 && count == 6)
        add(f, "compared with itself", from[2], (size_t)(to[2] - from[2]), "true");
    for (size_t i = 0; i < sizeof(checks) / sizeof(checks[0]); i++) {
        int got = checks[i].got, want = checks[i].want, pair = checks[i].pair;
        if (strncmp(at, checks[i].name, strlen(checks[i].name)) != 0 || count != checks[i].count)
            continue;
        if (got >= 0) {
            replace_argument(f, "compared with itself", from[got], to[got], "", from[want], to[want], "");
            replace_argument(f, "expectation off by one", from[want], to[want], "(", from[want], to[want], ") + 1");
        } else {
            add(f, checks[i].kind, from[pair], (size_t)(to[pair + 1] - from[pair]), checks[i].any);
        }
    }
}

/* A check as a statement is deleted; as a condition it holds. */
static size_t change_check(struct finding *f, char *at)
{
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
    if (strncmp(at, "check_", 6) != 0 || at[length] != '(')
        return 0;
    char *open = at + length, *end = closed(open);
    if (*end == ';' && begins_statement(f->code, at))
        add(f, "check deleted", at, (size_t)(end - at), "");
    else
        add(f, "check deleted", at, (size_t)(end - at), "true");
    weaken_check(f, at, open, end);
    return length;
}

/* A loop ends after its first turn: one that is made once around it, and a condition that holds once in it. */
static size_t end_loop(struct finding *f, char *at)
{
    size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
    char *open = at + length + 1;
    if (strncmp(at, "for", 3) != 0 || (length > 3 && at[3] != '_') || at[length] != ' ' || *open != '(')
        return 0;
    replace_argument(f, "loop ended", at, closed(open), "for (unsigned once_ = 0; !once_; once_ = 1) ", at,
                     closed(open), " if (!once_++)");
    return length;
}

static void change_code(struct finding *f)
{
    for (char *at = f->code; *at;) {
        skip_statement(f, at);
        size_t length = change(f, at, at == f->code || !in_word(at[-1]));
        at += length ? length : 1;
    }
}

static void change_judgement(struct finding *f)
{
    for (char *at = f->code; *at;) {
        bool word_begins = at == f->code || !in_word(at[-1]);
        size_t length = word_begins ? negate_condition(f, at) : 0;
        if (word_begins && !length)
            length = change_check(f, at);
        if (word_begins && !length)
            length = end_loop(f, at);
        at += length ? length : 1;
    }
}

static struct mutant *find(const char *text, size_t *count, void (*change_all)(struct finding *f))
{
    struct finding f = {text, strdup(text), calloc(1, sizeof(struct mutant)), 0, 1, false};
    *count = 0;
    if (f.code && f.mutants) {
        blank_what_is_no_code(f.code);
        blank_heads(f.code);
        change_all(&f);
        *count = f.count;
    }
    if (!f.code || f.failed) {
        free(f.mutants);
        f.mutants = NULL;
    }
    free(f.code);
    return f.mutants;
}

struct mutant *mutants_of(const char *text, size_t *count)
{
    return find(text, count, change_code);
}

struct mutant *mutants_of_judgement(const char *text, size_t *count)
{
    return find(text, count, change_judgement);
}

/* ---- Places */

static bool is_head(const char *line)
{
    return isalpha((unsigned char)*line) || (line[0] == '}' && line[1] == ' ');
}

bool mutant_within(const char *text, size_t at, const char *name)
{
    size_t length = strlen(name);
    const char *line = text + at;
    do {
        while (line > text && line[-1] != '\n')
            line--;
    } while (!is_head(line) && line > text && line--);
    const char *end = line + strcspn(line, "\n");
    for (const char *found = strstr(line, name); found && found < end; found = strstr(found + 1, name))
        if ((found == line || !in_word(found[-1])) && !in_word(found[length]))
            return true;
    return false;
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
