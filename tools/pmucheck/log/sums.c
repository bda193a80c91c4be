/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The check sums of a log: CRC-32 over each line's text and an LF. A sync line has the sum of the lines since the last
 * one, the END line of all lines.
 */
#include "tools/pmucheck/log/parse.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static unsigned long sum_text(unsigned long crc, const char *text, size_t length)
{
    return crc32(crc, (const unsigned char *)text, (unsigned)length);
}

struct log_sum log_sum_line(struct log_sum sum, struct span line)
{
    unsigned long crc = line.length ? sum_text(sum.crc, line.text, line.length) : sum.crc;
    return (struct log_sum){sum_text(crc, "\n", 1), sum.length + line.length + 1};
}

struct log_sum log_sum_joined(const struct log_sum *a, const struct log_sum *b)
{
    return (struct log_sum){crc32_combine(a->crc, b->crc, (z_off_t)b->length), a->length + b->length};
}

bool log_sum_holds(struct span line, unsigned long before, unsigned long *want)
{
    struct span value = span_value(line, "crc32");
    char digits[9] = "", *end;
    *want = sum_text(before, line.text, (size_t)(value.text - line.text));
    if (value.length != 8 || value.text + 8 != line.text + line.length)
        return false;
    memcpy(digits, value.text, 8);
    unsigned long sum = strtoul(digits, &end, 16);
    return *end == 0 && sum == *want;
}

static void add_damaged(struct log_reader *r, unsigned first, unsigned last)
{
    struct log_range *range = LIST_ADD(&r->file->arena, &r->boot->damaged);
    *range = (struct log_range){first, last};
}

/* The block's first lines are lost with the log's beginning: its sum cannot hold. */
static void tell_damage(struct log_reader *r, unsigned long want)
{
    add_damaged(r, r->block_line, r->line);
    if (r->head == HEAD_LOST && r->whole.length == 0)
        return;
    log_problem(r, r->block_line, "lines %u to %u are damaged: their crc32 is %08lx", r->block_line, r->line, want);
}

void log_read_sync(struct log_reader *r, struct span line)
{
    unsigned seq = 0;
    unsigned long want;
    struct span number = span_value(line, "seq");
    r->syncs++;
    if (!span_number(&number, &seq) || seq != r->syncs)
        log_problem(r, r->line, "this should be sync line %u: lines are missing before it", r->syncs);
    bool holds = log_sum_holds(line, r->block.crc, &want);
    r->good += holds;
    r->wrong += !holds;
    if (!holds)
        tell_damage(r, want);
    /* A number that is far off is damaged itself. */
    if (seq > r->syncs && seq - r->syncs < 1000)
        r->syncs = seq;
    r->boot->checked_line = r->line;
    r->block = log_sum_line(r->block, line);
    r->whole = log_sum_joined(&r->whole, &r->block);
    r->block = (struct log_sum){0};
    r->block_line = r->line + 1;
}

/* The sum is over the whole log, and so says nothing without its beginning. */
static void check_end(struct log_reader *r, struct span line)
{
    struct log_boot *boot = r->boot;
    unsigned long want;
    const struct log_sum whole = log_sum_joined(&r->whole, &r->block);
    bool holds = log_sum_holds(line, whole.crc, &want);
    r->end.doubtful = !holds && r->head != HEAD_LOST;
    r->good += holds;
    r->wrong += r->end.doubtful;
    if (holds) {
        boot->checked_line = r->line;
        boot->damaged.count = 0;
    } else if (r->end.doubtful) {
        log_problem(r, r->line, "the END line's sum is wrong for the lines before it: their crc32 is %08lx", want);
        if (!boot->damaged.count && r->block_line)
            add_damaged(r, r->block_line, r->line);
    }
}

void log_read_end(struct log_reader *r, struct span line)
{
    struct log_boot *boot = r->boot;
    struct span verdict = span_value(line, "verdict");
    if (r->end.doubtful) { /* slow consoles get it twice */
        boot->problems.count = r->end.problems;
        boot->damaged.count = r->end.damaged;
    }
    r->end.problems = boot->problems.count;
    r->end.damaged = boot->damaged.count;
    r->end.sum = sum_text(0, line.text, line.length);
    check_end(r, line);
    boot->verdict = log_text(&r->file->arena, verdict);
    for (unsigned i = 0; i < LOG_OUTCOMES; i++) {
        struct span total = span_value(line, log_outcome_name[i]);
        span_number(&total, &boot->end_total[i]);
    }
    boot->ended = true;
    boot->last_line = r->line;
}
