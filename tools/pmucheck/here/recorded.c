/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/here/recorded.h"
#include "tools/pmucheck/here/source.h"
#include "tools/span.h"
#include "tools/text_file.h"
#include <stdlib.h>
#include <unistd.h>

/* ---- Words of a line */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static struct span next_word(struct span *line)
{
    while (line->length && is_blank(*line->text))
        line->text++, line->length--;
    struct span word = {line->text, 0};
    while (word.length < line->length && !is_blank(word.text[word.length]))
        word.length++;
    span_step(line, word.length);
    return word;
}

static bool take_cpu(struct span *line, unsigned *cpu)
{
    struct span word = next_word(line);
    *cpu = RECORDED_EVERY;
    if (word.length == 1 && *word.text == '*')
        return true;
    return span_number(&word, cpu) && word.length == 0;
}

/* A number of at most `digits` hexadecimal digits. */
static bool hex_of(struct span word, unsigned digits, u64 *value)
{
    char text[20];
    if (!word.length || word.length > digits)
        return false;
    span_copy(text, sizeof(text), word);
    *value = strtoull(text, NULL, 16);
    return strspn(text, "0123456789abcdefABCDEF") == word.length;
}

static bool take_u32(struct span *line, u32 *value)
{
    u64 wide = 0;
    bool good = hex_of(next_word(line), 8, &wide);
    *value = (u32)wide;
    return good;
}

/* ---- Lines */

static bool read_leaf(struct arena *arena, struct recorded_cpus *cpus, struct span line)
{
    struct recorded_leaf row = {0};
    bool good = take_cpu(&line, &row.cpu) && take_u32(&line, &row.leaf) && take_u32(&line, &row.subleaf) &&
                take_u32(&line, &row.regs.eax) && take_u32(&line, &row.regs.ebx) && take_u32(&line, &row.regs.ecx) &&
                take_u32(&line, &row.regs.edx) && next_word(&line).length == 0;
    if (good)
        *LIST_ADD(arena, &cpus->leaves) = row;
    return good;
}

static bool read_msr(struct arena *arena, struct recorded_cpus *cpus, struct span line)
{
    struct recorded_msr row = {0};
    if (!take_cpu(&line, &row.cpu) || !take_u32(&line, &row.msr))
        return false;
    struct span word = next_word(&line), fault = word;
    row.fault = span_skip(&fault, "fault") && fault.length == 0;
    if ((!row.fault && !hex_of(word, 16, &row.value)) || next_word(&line).length)
        return false;
    *LIST_ADD(arena, &cpus->msrs) = row;
    return true;
}

static unsigned read_lines(struct arena *arena, struct recorded_cpus *cpus, const char *text, size_t size,
                           bool (*read)(struct arena *, struct recorded_cpus *, struct span))
{
    struct span rest = {text, size}, line;
    for (unsigned number = 1; span_line(&rest, &line); number++) {
        struct span first = line;
        bool empty = next_word(&first).length == 0 || *line.text == '#';
        if (!empty && !read(arena, cpus, line))
            return number;
    }
    return 0;
}

unsigned recorded_read_cpuid(struct arena *arena, struct recorded_cpus *cpus, const char *text, size_t size)
{
    return read_lines(arena, cpus, text, size, read_leaf);
}

unsigned recorded_read_msr(struct arena *arena, struct recorded_cpus *cpus, const char *text, size_t size)
{
    return read_lines(arena, cpus, text, size, read_msr);
}

const struct recorded_leaf *recorded_leaf(const struct recorded_cpus *cpus, unsigned cpu, u32 leaf, u32 subleaf)
{
    const struct recorded_leaf *every = NULL;
    for_each_item (cpus->leaves, row) {
        if (row->leaf != leaf || row->subleaf != subleaf)
            continue;
        if (row->cpu == cpu)
            return row;
        if (row->cpu == RECORDED_EVERY)
            every = row;
    }
    return every;
}

const struct recorded_msr *recorded_msr(const struct recorded_cpus *cpus, unsigned cpu, u32 msr)
{
    const struct recorded_msr *every = NULL;
    for_each_item (cpus->msrs, row) {
        if (row->msr != msr)
            continue;
        if (row->cpu == cpu)
            return row;
        if (row->cpu == RECORDED_EVERY)
            every = row;
    }
    return every;
}

/* ---- The source */

static struct cpuid_regs folder_cpuid(void *context, unsigned cpu, u32 leaf, u32 subleaf)
{
    const struct recorded_leaf *row = recorded_leaf(context, cpu, leaf, subleaf);
    return row ? row->regs : (struct cpuid_regs){0};
}

/* Without any register the driver was not there; a register without a line faulted. */
static enum here_answer folder_msr(void *context, unsigned cpu, u32 msr, u64 *value)
{
    const struct recorded_cpus *cpus = context;
    const struct recorded_msr *row = recorded_msr(cpus, cpu, msr);
    if (!cpus->msrs.count)
        return HERE_CLOSED;
    if (!row || row->fault)
        return HERE_FAULT;
    *value = row->value;
    return HERE_READ;
}

static bool read_text(struct arena *arena, struct recorded_cpus *cpus, const char *path,
                      unsigned (*read)(struct arena *, struct recorded_cpus *, const char *, size_t),
                      const char **error)
{
    size_t size;
    char *text = text_file_read("pmucheck here", path, &size);
    unsigned wrong = text ? read(arena, cpus, text, size) : 0;
    *error = text ? arena_print(arena, "%s, line %u: not a recorded answer", path, wrong) : "it cannot be read";
    free(text);
    return text && !wrong;
}

bool here_recorded(struct arena *arena, const char *directory, struct here_source *source, const char **error)
{
    struct recorded_cpus *cpus = arena_alloc(arena, sizeof(*cpus));
    const char *msr = arena_print(arena, "%s/msr", directory);
    if (!read_text(arena, cpus, arena_print(arena, "%s/cpuid", directory), recorded_read_cpuid, error))
        return false;
    if (access(msr, F_OK) == 0 && !read_text(arena, cpus, msr, recorded_read_msr, error))
        return false;
    *source = (struct here_source){directory, cpus, folder_cpuid, folder_msr};
    return true;
}
