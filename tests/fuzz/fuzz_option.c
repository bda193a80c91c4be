/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any command line, and the next parsers for its options' values. The option parser keeps every word that it has seen,
 * so its source is included here, to forget them between inputs.
 */
#include "kernel/core/option.c"
#include "kernel/serial/serial.h"
#include "kernel/text/text.h"

#include <stdlib.h>
#include <string.h>

static const char *const colours[] = {"red", "green", NULL};

OPTION(quick, .kind = OPTION_FLAG, .help = "a flag");
OPTION(run, .kind = OPTION_TEXT, .argument = "GLOB,...", .help = "a text");
OPTION(prove, .kind = OPTION_TEXT, .bare = true, .argument = "K/N", .help = "a text that may stand alone");
OPTION(repeat, .kind = OPTION_NUMBER, .argument = "N", .minimum = 1, .maximum = 1000, .help = "a number");
OPTION(colour, .kind = OPTION_CHOICE, .argument = "red|green", .choices = colours, .help = "a choice");

static void use_values(void)
{
    const char *list = option_run.text;
    struct serial_target targets[SERIAL_TARGETS];
    unsigned count = 0;
    char item[8];
    if (!serial_parse(option_run.text, targets, &count) && (!count || count > SERIAL_TARGETS))
        abort();
    glob_list_match(option_run.text, "inuse.event-select");
    while (list_next(&list, item, sizeof(item)))
        ;
    if (option_repeat.given && (option_repeat.number < 1 || option_repeat.number > 1000))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char line[1024], error[OPTION_ERROR_SIZE] = "";
    bool good;
    if (size >= sizeof(line))
        return 0;
    memcpy(line, data, size);
    line[size] = 0;
    words_used = 0;
    for_each_option (row)
        *(*row)->value = (struct option_value){.text = ""};
    good = options_parse(line, error);
    if (good != !error[0] || strlen(error) >= sizeof(error))
        abort();
    use_values();
    return 0;
}
