/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Options of the command line. One table drives the parser, the error messages, and the README's list. OPTION()
 * registers a row anywhere in the tree; the linker collects the rows.
 */
#pragma once

#include "boot/bits.h"
#include "boot/boot_info.h"

enum option_kind {
    OPTION_FLAG,   /* a word: present or not */
    OPTION_TEXT,   /* name=text; bool set when given */
    OPTION_NUMBER, /* name=number, decimal or 0x; bounds checked */
    OPTION_CHOICE, /* name=one of choices (NULL-terminated) */
};

struct option {
    const char *name;
    enum option_kind kind;
    bool bare;                  /* OPTION_TEXT may also stand alone, without `=text` */
    const char *argument;       /* how the README shows it: "GLOB,...", NULL for a flag */
    const char *help;           /* one line */
    const char *const *choices; /* OPTION_CHOICE */
    u64 minimum, maximum;       /* OPTION_NUMBER */
    struct option_value *value;
};

struct option_value {
    bool given;
    const char *text; /* OPTION_TEXT, OPTION_CHOICE: points into the command line copy; "" if not given */
    u64 number;
};

/* OPTION(run, .kind = OPTION_TEXT, .argument = "GLOB,...", .help = "...") defines `struct option_value option_run`. */
#define OPTION(id, ...) OPTION_NAMED(id, #id, __VA_ARGS__)
/* The same for an option whose name is not a C identifier: OPTION_NAMED(prove_benign, "prove-benign", ...). */
#define OPTION_NAMED(id, spelt, ...)                                                                  \
    struct option_value option_##id = {.text = ""};                                                   \
    static const struct option option_row_##id = {.name = spelt, .value = &option_##id, __VA_ARGS__}; \
    static const struct option *const option_pointer_##id __attribute__((section("options"), used)) = &option_row_##id

#define OPTION_ERROR_SIZE 160
#define OPTIONS_SIZE 8192 /* characters of all command lines together */
/*
 * Parses a command line (words separated by blanks, no quoting; later words win) into the registered rows. Returns
 * true, or false with the first error in `error`: what is wrong and what to do; without an error `error` stays
 * unchanged. Words after an error are still parsed.
 */
bool options_parse(const char *line, char *error);
/* Is this word an option, as it stands on a command line? Its argument is not looked at. */
bool option_known(const char *word);

/*
 * pmucheck.cfg, the user's file of options, as it lies on the medium. GRUB reads it as a script and passes on what came
 * of it; what it does not understand it drops, with a message that is gone a moment later. So GRUB passes the file
 * itself, too, and the image says what of it was lost.
 */

#define SETTINGS_ERROR 160

/*
 * Pure: is this a script that GRUB understands? Else `error`, of SETTINGS_ERROR bytes, says what is wrong and what to
 * do. A file whose commands are not known here is good: its user knows GRUB.
 */
bool settings_good(const char *text, size_t size, char *error);

/* Looks at the files that the loader gave; call before anything is written to free memory. NULL, or what is wrong with
 * which. */
const char *settings_check(void);
/* The same, without the file's name. */
const char *settings_wrong(void);

/*
 * The steps of the start. Each logs a line before it begins, so that a machine that hangs shows where: on the serial
 * line, on the screen and at its next start. Steps that some machines do not survive can be left out, by the option
 * skip-step, or automatically after the previous start hung in them.
 */

/* The step after the last one: the tests. */
#define START_STEP_TESTS "tests"

/* Logs that a step begins. False: the step is to be left out; the log says so the first time. */
bool start_step(const char *name);
/* The previous start hung in `name`: this start leaves that step out, if the image can do without it. */
void start_step_hung(const char *name);
/* How many steps were left out although the option did not ask for it: the run lacks what they provide. */
unsigned start_steps_missing(void);
/* The first name in skip-step= that is not a step; NULL if there is none. */
const char *start_step_unknown(void);
