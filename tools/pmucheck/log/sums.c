/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The check sums of a log: CRC-32 over each line's text and an LF. A sync line has the sum of the lines since the last
 * one, the END line of all lines. Lines of others on the wire may have come between: if the sum is right without them,
 * nothing is damaged.
 */
#include "tools/pmucheck/log/parse.h"
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static unsigned long crc_add(unsigned long crc, const char *text, size_t length)
{
    return crc32(crc, (const unsigned char *)text, (unsigned)length);
}

static unsigned long line_added(unsigned long crc, struct span line)
{
    return crc_add(crc_add(crc, line.text, line.length), "\n", 1);
}

/* Most logs have only lines of the image: then both sums are equal. */
static void sum_add(struct log_sum *sum, struct span line, bool plausible)
{
    bool same = plausible && sum->plausible_length == sum->all_length;
    unsigned long before = sum->plausible;
    sum->all = line_added(sum->all, line);
    sum->all_length += line.length + 1;
    if (plausible) {
        sum->plausible = same ? sum->all : line_added(before, line);
        sum->plausible_length += line.length + 1;
    }
}

/* The sum of two texts, one after the other. */
static struct log_sum joined(const struct log_sum *a, const struct log_sum *b)
{
    return (struct log_sum){
        .all = crc32_combine(a->all, b->all, (z_off_t)b->all_length),
        .plausible = crc32_combine(a->plausible, b->plausible, (z_off_t)b->plausible_length),
        .all_length = a->all_length + b->all_length,
        .plausible_length = a->plausible_length + b->plausible_length,
    };
}

void log_sum_add(struct log_reader *r, struct span line, bool plausible)
{
    sum_add(&r->block, line, plausible);
    if (r->block_line == 0) {
        r->whole = joined(&r->whole, &r->block);
        memset(&r->block, 0, sizeof(r->block));
        r->block_line = r->line + 1;
    }
}

/* Is the number at the end of this line, after "crc32=", the sum of the lines before it? *want: the right sum. */
static bool sum_holds(struct span line, const struct log_sum *before, unsigned long *want)
{
    struct span value = span_value(line, "crc32");
    char digits[9] = "", *end;
    size_t length = (size_t)(value.text - line.text);
    *want = crc_add(before->all, line.text, length);
    if (value.length != 8 || value.text + 8 != line.text + line.length)
        return false;
    memcpy(digits, value.text, 8);
    unsigned long sum = strtoul(digits, &end, 16);
    return *end == 0 && (sum == *want || sum == crc_add(before->plausible, line.text, length));
}

static void add_damaged(struct log_reader *r, unsigned first, unsigned last)
{
    struct log_range *range = LIST_ADD(&r->file->arena, &r->boot->damaged);
    *range = (struct log_range){first, last};
}

void log_read_sync(struct log_reader *r, struct span line)
{
    unsigned seq = 0;
    unsigned long want;
    struct span number = span_value(line, "seq");
    r->syncs++;
    if (!span_number(&number, &seq) || seq != r->syncs)
        log_problem(r, r->line, "this should be sync line %u: lines are missing before it", r->syncs);
    if (!sum_holds(line, &r->block, &want)) {
        log_problem(r, r->block_line, "lines %u to %u are damaged: their crc32 is %08lx", r->block_line, r->line, want);
        add_damaged(r, r->block_line, r->line);
    }
    /* A number that is far off is damaged itself. */
    if (seq > r->syncs && seq - r->syncs < 1000)
        r->syncs = seq;
    r->boot->checked_line = r->line;
    r->block_line = 0; /* the next block begins after this line */
}

void log_read_end(struct log_reader *r, struct span line)
{
    struct log_boot *boot = r->boot;
    unsigned long want;
    struct span verdict = span_value(line, "verdict");
    if (r->end.doubtful) { /* slow consoles get it twice */
        boot->problems.count = r->end.problems;
        boot->damaged.count = r->end.damaged;
    }
    r->end.problems = boot->problems.count;
    r->end.damaged = boot->damaged.count;
    const struct log_sum whole = joined(&r->whole, &r->block);
    r->end.doubtful = !sum_holds(line, &whole, &want);
    if (!r->end.doubtful) {
        boot->checked_line = r->line;
        boot->damaged.count = 0;
    } else {
        log_problem(r, r->line, "the END line's sum is wrong for the lines before it: their crc32 is %08lx", want);
        if (!boot->damaged.count && r->block_line)
            add_damaged(r, r->block_line, r->line);
    }
    boot->verdict = log_text(&r->file->arena, verdict);
    for (unsigned i = 0; i < LOG_OUTCOMES; i++) {
        struct span total = span_value(line, log_outcome_name[i]);
        span_number(&total, &boot->end_total[i]);
    }
    boot->ended = true;
    boot->last_line = r->line;
}
