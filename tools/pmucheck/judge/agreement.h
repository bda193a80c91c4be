/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What several machines of one class say together: a check that holds on none of them is wrong for the class, and
 * tests/relied.txt has a line to change; one that holds on all others tells of this machine. Pure.
 */
#pragma once

#include "tools/pmucheck/log/facts.h"
#include <stdio.h>

/* A machine's log, with its facts read. */
struct witness {
    const char *path;
    struct facts facts;
};

/* So many machines must agree before a check is held to be wrong. */
#define AGREE_LEAST 3u

/* Writes a paragraph for each check that did not hold on some of these machines, and returns how many. */
unsigned agreement_write(FILE *out, const struct witness *list, unsigned count);
