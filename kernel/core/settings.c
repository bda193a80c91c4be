/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads words as GRUB does: GNU GRUB Manual, "Writing full configuration files directly". */
#include "kernel/core/option.h"
#include "kernel/text/text.h"

#define WORD_SIZE 48 /* enough to know a word by; the rest of it is read and dropped */

struct script {
    const char *at, *end;
    unsigned line;       /* of `at`, from 1 */
    unsigned quote_line; /* where a quote begins that is not closed; 0: none */
    char *error;
};

/* A command of the script, without the words that only lead to it. */
struct command {
    unsigned line, words;
    char word[2][WORD_SIZE]; /* the first two, without their quotes */
};

/* Only the first fault is told. */
__attribute__((format(printf, 2, 3))) static void complain(struct script *s, const char *format, ...)
{
    va_list args;
    if (s->error[0])
        return;
    va_start(args, format);
    format_args(s->error, SETTINGS_ERROR, format, args);
    va_end(args);
}

static char take(struct script *s)
{
    s->line += *s->at == '\n';
    return *s->at++;
}

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool ends_command(char c)
{
    return c == '\n' || c == ';' || c == '{' || c == '}' || c == '|' || c == '&';
}

/* Is a backslash the line's last character? Then the next line goes on with it. GRUB drops carriage returns. */
static bool goes_on(const struct script *s)
{
    const char *at = s->at;
    if (at == s->end || *at != '\\')
        return false;
    do
        at++;
    while (at < s->end && *at == '\r');
    return at < s->end && *at == '\n';
}

static void join_lines(struct script *s)
{
    while (take(s) != '\n')
        ;
}

/* After the opening quote, up to the closing one. */
static char *take_quoted(struct script *s, char quote, char *to, const char *room)
{
    s->quote_line = s->line;
    while (s->at < s->end) {
        char c = take(s);
        if (c == quote) {
            s->quote_line = 0;
            break;
        }
        if (c == '\\' && quote == '"' && s->at < s->end)
            c = take(s);
        if (to < room)
            *to++ = c;
    }
    return to;
}

/* `braces`: within those of ${name}. */
static bool ends_word(const struct script *s, bool braces)
{
    char c = *s->at;
    return blank(c) || (ends_command(c) && !(braces && (c == '{' || c == '}')));
}

static void take_word(struct script *s, char word[WORD_SIZE])
{
    char *to = word;
    const char *room = word + WORD_SIZE - 1;
    bool braces = false;
    while (s->at < s->end && !ends_word(s, braces)) {
        if (goes_on(s)) {
            join_lines(s);
            continue;
        }
        char c = take(s);
        if (c == '"' || c == '\'') {
            to = take_quoted(s, c, to, room);
            continue;
        }
        braces = (c == '$' && s->at < s->end && *s->at == '{') || (braces && c != '}');
        if (c == '\\' && s->at < s->end)
            c = take(s);
        if (to < room)
            *to++ = c;
    }
    *to = 0;
}

static void skip(struct script *s)
{
    while (s->at < s->end && (blank(*s->at) || goes_on(s)))
        take(s);
    if (s->at < s->end && *s->at == '#')
        while (s->at < s->end && *s->at != '\n')
            take(s);
}

static bool leads_to_command(const char *word)
{
    static const char *const words[] = {"if", "elif", "then", "else", "while", "until", "do"};
    for_each_row (words, known)
        if (!strcmp(*known, word))
            return true;
    return false;
}

/* The next command, empty ones too; false at the script's end. */
static bool next_command(struct script *s, struct command *command)
{
    *command = (struct command){.line = s->line};
    for (skip(s); s->at < s->end && !ends_command(*s->at); skip(s)) {
        char more[WORD_SIZE], *word = command->words < 2 ? command->word[command->words] : more;
        command->line = command->words ? command->line : s->line;
        take_word(s, word);
        command->words += command->words || !leads_to_command(word);
    }
    bool more = s->at < s->end;
    if (more)
        take(s);
    return more || command->words;
}

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

#define VARIABLE "pmucheck_options"
#define ONE_WORD "line %u: GRUB takes only the first word: put all of them in double quotes, " VARIABLE "=\"...\""

static void check_set(struct script *s, const struct command *command)
{
    const char *what = command->word[1];
    if (!strchr(what, '='))
        complain(s, "line %u: set is followed by NAME=VALUE, without blanks around the =", command->line);
    else if (command->words > 2)
        complain(s, ONE_WORD, command->line);
    else if (begins(what, "pmucheck") && !begins(what, VARIABLE "="))
        complain(s, "line %u: the variable is called " VARIABLE, command->line);
}

static void check_command(struct script *s, const struct command *command)
{
    const char *word = command->word[0];
    if (!command->words)
        return;
    bool assigns = begins(word, VARIABLE "=");
    if ((u8)word[0] >= 0x80)
        complain(s,
                 "line %u begins with a character that GRUB does not know, perhaps a byte-order mark: save the file as "
                 "UTF-8 without it, or begin it with a line # comment",
                 command->line);
    else if (!strcmp(word, "set") && command->words > 1)
        check_set(s, command);
    else if (assigns && command->words > 1)
        complain(s, ONE_WORD, command->line);
    else if (option_known(word) || (begins(word, "pmucheck") && !assigns) || !strcmp(word, "Set") ||
             !strcmp(word, "SET"))
        complain(s, "line %u: options are given by set " VARIABLE "=\"...\"", command->line);
}

#define BYTE_ORDER_MARK "\xef\xbb\xbf"

/*
 * A mark that is a command of its own, or the begin of one, does no harm where that command lost nothing: GRUB knows no
 * command of that name. A # right behind it begins no comment, and what follows is read: a quote is opened there, too.
 */
static void skip_mark(struct script *s)
{
    struct command lost;
    const char *at = s->at + 3;
    if (s->end - s->at < 3 || memcmp(s->at, BYTE_ORDER_MARK, 3))
        return;
    if (at < s->end && *at == '#') {
        s->at = at + 1;
        next_command(s, &lost);
        return;
    }
    while (at < s->end && blank(*at))
        at++;
    if (at == s->end || *at == '\n' || *at == '#')
        s->at = at;
}

bool settings_good(const char *text, size_t size, char *error)
{
    struct script s = {.at = text, .end = text + size, .line = 1, .error = error};
    struct command command;
    error[0] = 0;
    for (size_t i = 0; i < size; i++)
        if (!text[i])
            complain(&s, "it is in UTF-16, or no text: save it as UTF-8 or ASCII (in Notepad: ANSI)");
    skip_mark(&s);
    while (!s.error[0] && next_command(&s, &command))
        check_command(&s, &command);
    if (s.quote_line)
        complain(&s, "line %u: a quote is opened there and never closed: close it at the end of the options",
                 s.quote_line);
    return !error[0];
}

static char wrong[SETTINGS_ERROR], error[SETTINGS_ERROR + sizeof(BOOT_SETTINGS)];

const char *settings_check(void)
{
    const struct boot_info *boot = boot_info();
    for (unsigned i = 0; i < boot->settings && !wrong[0]; i++)
        settings_good((const char *)boot->setting[i].start, boot->setting[i].end - boot->setting[i].start, wrong);
    format_text(error, sizeof(error), BOOT_SETTINGS ", %s", wrong);
    return wrong[0] ? error : NULL;
}

const char *settings_wrong(void)
{
    return wrong[0] ? wrong : NULL;
}
