/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any lines as a log with right check sums and totals, prepared for sharing: the shared log is whole, has the same
 * results and no machine's name, and sharing it again changes nothing.
 */
#include "tools/pmucheck/log/write.h"
#include "tools/pmucheck/share/share.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct text {
    char *bytes;
    size_t size;
};

static void require(bool condition)
{
    if (!condition)
        abort();
}

static FILE *open_text(struct text *text)
{
    FILE *out = open_memstream(&text->bytes, &text->size);
    require(out);
    return out;
}

/* Puts the lines between a start and an END line with these totals. */
static struct text written(const char *lines, const char *totals)
{
    struct text text;
    struct written_log writer;
    FILE *out = open_text(&text);
    log_write_begin(&writer, out);
    log_write_start(&writer);
    for (const char *line = lines; *line;) {
        size_t length = strcspn(line, "\n");
        log_write_line(&writer, "%.*s", (int)length, line);
        line += length + (line[length] != 0);
    }
    log_write_result(&writer, totals);
    log_write_end(&writer, totals);
    fclose(out);
    return text;
}

/* The verdict and the totals of the results. */
static const char *totals_of(struct arena *arena, const struct text *text)
{
    struct log_file file;
    log_read(&file, "fuzz", text->bytes, text->size);
    const struct log_boot *boot = &file.boots.item[0];
    const char *totals =
        arena_print(arena, "verdict=%s", boot->runs.count ? log_run_verdict(boot, &boot->runs.item[0]) : "untested");
    for (unsigned i = 0; i < LOG_OUTCOMES; i++)
        totals = arena_print(arena, "%s %s=%u", totals, log_outcome_name[i], boot->top[i]);
    log_free(&file);
    return totals;
}

static void require_same_results(const struct log_run *was, const struct log_run *is)
{
    require(is->results.count == was->results.count && is->plan == was->plan);
    for (unsigned i = 0; i < is->results.count; i++) {
        const struct log_result *x = &was->results.item[i], *y = &is->results.item[i];
        require(x->number == y->number && x->outcome == y->outcome);
        require(strcmp(x->id, y->id) == 0 && strcmp(x->reason, y->reason) == 0);
    }
}

static bool is_name(const struct log_record *r, const struct log_field *field)
{
    return strcmp(r->kind, "machine") == 0 && strcmp(field->key, "name") == 0;
}

static void require_nameless(const struct log_boot *boot)
{
    for (unsigned i = 0; i < boot->records.count; i++)
        for (unsigned k = 0; k < boot->records.item[i].fields; k++) {
            const struct log_record *r = &boot->records.item[i];
            require(!is_name(r, &r->field[k]) || !r->field[k].value[0]);
        }
}

static struct text shared(struct arena *arena, const struct log_boot *boot, struct share_left *left)
{
    struct text text;
    FILE *out = open_text(&text);
    share_write(out, arena, boot, false, left);
    fclose(out);
    return text;
}

static void share(struct arena *arena, const struct log_boot *boot)
{
    struct share_left left;
    struct log_file again;
    struct text text = shared(arena, boot, &left);
    log_read(&again, "shared", text.bytes, text.size);
    const struct log_boot *is = &again.boots.item[0];
    require(again.boots.count == 1 && !share_refusal(is));
    require(log_boot_status(is) == log_boot_status(boot));
    require_same_results(&boot->runs.item[0], &is->runs.item[0]);
    require_nameless(is);
    struct text twice = shared(arena, is, &left);
    require(left.removed.count == 0 && left.lines == 1); /* the line about omitted lines */
    free(twice.bytes);
    log_free(&again);
    free(text.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena = {0};
    struct log_file file;
    const char *lines = arena_copy(&arena, (const char *)data, size);
    struct text text = written(lines, "verdict=untested");
    const char *totals = totals_of(&arena, &text);
    free(text.bytes);
    text = written(lines, totals);
    log_read(&file, "fuzz", text.bytes, text.size);
    const struct log_boot *boot = log_last_whole(&file);
    if (boot && !share_refusal(boot))
        share(&arena, boot);
    log_free(&file);
    free(text.bytes);
    arena_free(&arena);
    return 0;
}
