/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/core/option.h"
#include "kernel/core/image.h"
#include "kernel/text/text.h"

/* The rows that OPTION() collected, between the linker's symbols. Weak, so that a host test without options links. */
extern const struct option *const __start_options[] OUTSIDE_WEAK;
extern const struct option *const __stop_options[] OUTSIDE_WEAK;

#define for_each_option(row) for (const struct option *const *row = __start_options; row < __stop_options; row++)

/* The words, each ended by a NUL, because values point into them; those of a second line follow those of the first. */
static char words[OPTIONS_SIZE];
static size_t words_used;

struct errors {
    char *text; /* the first error; OPTION_ERROR_SIZE bytes */
    bool any;
};

__attribute__((format(printf, 2, 3))) static void complain(struct errors *errors, const char *format, ...)
{
    va_list args;
    if (errors->any)
        return;
    errors->any = true;
    va_start(args, format);
    format_args(errors->text, OPTION_ERROR_SIZE, format, args);
    va_end(args);
}

static const struct option *find(const char *name)
{
    for_each_option (row)
        if (!strcmp((*row)->name, name))
            return *row;
    return NULL;
}

/* The registered name most similar to a mistyped one. */
static const char *nearest(const char *name)
{
    struct near near = near_to(name);
    for_each_option (row)
        near_try(&near, (*row)->name);
    return near.word;
}

static void set_number(const struct option *option, const char *text, struct errors *errors)
{
    u64 number = 0, maximum = option->maximum ? option->maximum : ~0ull;
    const char *end = number_parse(text, &number);
    if (!end || *end) {
        complain(errors, "option %s: \"%.24s\" is not a number (decimal or 0x...)", option->name, text);
    } else if (number < option->minimum || number > maximum) {
        complain(errors, "option %s: %lu is not within %lu to %lu", option->name, (unsigned long)number,
                 (unsigned long)option->minimum, (unsigned long)maximum);
    } else {
        option->value->number = number;
        option->value->given = true;
    }
}

static void set_choice(const struct option *option, const char *text, struct errors *errors)
{
    char list[96] = "";
    size_t used = 0;
    for (const char *const *choice = option->choices; *choice; choice++) {
        if (!strcmp(*choice, text)) {
            option->value->text = text;
            option->value->given = true;
            return;
        }
        if (used < sizeof(list))
            used += (size_t)format_text(list + used, sizeof(list) - used, "%s%s", used ? ", " : "", *choice);
    }
    complain(errors, "option %s: \"%.24s\" is not %s%s", option->name, text, option->choices[1] ? "one of " : "", list);
}

/* argument: what follows the '=', NULL if nothing does. */
static void set(const struct option *option, const char *argument, struct errors *errors)
{
    if (option->kind == OPTION_FLAG) {
        if (argument)
            complain(errors, "option %s takes no argument", option->name);
        else
            option->value->given = true;
        return;
    }
    if (!argument && option->bare) {
        option->value->given = true;
        option->value->text = "";
    } else if (!argument || !*argument) {
        complain(errors, "option %s needs an argument: %s=%s", option->name, option->name,
                 option->argument ? option->argument : "...");
    } else if (option->kind == OPTION_NUMBER) {
        set_number(option, argument, errors);
    } else if (option->kind == OPTION_CHOICE) {
        set_choice(option, argument, errors);
    } else {
        option->value->given = true;
        option->value->text = argument;
    }
}

static void parse_word(char *word, struct errors *errors)
{
    char *argument = strchr(word, '=');
    if (argument)
        *argument++ = 0;

    const struct option *option = find(word);
    const char *near = option ? NULL : nearest(word);

    if (option)
        set(option, argument, errors);
    else if (glob_list_match(build_left_out, word))
        complain(errors, "option %s: this image was built without the reference PMU: take one that has it", word);
    else if (near)
        complain(errors, "unknown option \"%.40s\": did you mean \"%s\"?", word, near);
    else
        complain(errors, "unknown option \"%.40s\": pmucheck help options lists them", word);
}

bool option_known(const char *word)
{
    const char *argument = strchr(word, '=');
    size_t length = argument ? (size_t)(argument - word) : strlen(word);
    for_each_option (row)
        if (strlen((*row)->name) == length && !strncmp((*row)->name, word, length) &&
            (argument || (*row)->kind == OPTION_FLAG))
            return true;
    return false;
}

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool options_parse(const char *line, char *error)
{
    struct errors errors = {.text = error};
    while (*line) {
        size_t length = 0;
        for (; blank(*line); line++)
            ;
        while (line[length] && !blank(line[length]))
            length++;
        if (!length)
            break;
        if (length >= sizeof(words) - words_used) {
            complain(&errors, "the options are too long: at most %zu characters in all", sizeof(words) - 1);
            break;
        }

        char *word = memcpy(words + words_used, line, length);

        word[length] = 0;
        words_used += length + 1;
        line += length;
        parse_word(word, &errors);
    }
    return !errors.any;
}
