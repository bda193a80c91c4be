/* SPDX-License-Identifier: BSD-2-Clause */
/* A made log, and the facts of its first run. */
#pragma once

#include "host/tools/log_maker.h"
#include "tools/pmucheck/log/facts.h"

static struct log_file file;
static struct arena arena;
static struct facts facts;

static void facts_of(const char *text)
{
    log_free(&file);
    arena_free(&arena);
    log_read(&file, "made.log", text, strlen(text));
    facts_read(&arena, &file.boots.item[0], &file.boots.item[0].runs.item[0], &facts);
}
