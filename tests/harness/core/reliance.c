/* SPDX-License-Identifier: BSD-2-Clause */
/* What is known of a check on a class of CPUs of which no log has shown it holding. */
#include "harness/core/judge.h"
#include "kernel/text/text.h"

/* RELIED(line, kind, classes, test, label, words), which the build makes from tests/relied.txt. */
#define RELIED(line, kind, classes, test, label, words) {line, RELIED_##kind, classes, test, label, words},
const struct reliance reliance_rows[] = {
#include "relied.def"
};
#undef RELIED
const unsigned reliance_count = ARRAY_SIZE(reliance_rows);

const struct reliance *reliance_for(const struct reliance *rows, unsigned count, enum cpu_class class, const char *test,
                                    const char *label)
{
    for (const struct reliance *row = rows; row < rows + count; row++)
        if (row->classes >> class & 1 && glob_match(row->test, test) && glob_match(row->label, label))
            return row;
    return NULL;
}
