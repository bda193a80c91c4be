/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/pmucheck/compare/sheet_errata.h"
#include "tools/docs/errata_table.h"
#include "tools/pmucheck/compare/sheet.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint32_t hexadecimal(const char *text)
{
    return (uint32_t)strtoull(text, NULL, 16);
}

/* SDM 2A, CPUID: bits 3 to 0 of the signature are the stepping. */
static struct sheet_cpu cpu_of_column(struct sheet *sheet, const struct sheet_source *from)
{
    const struct sheet_column *column = &sheet->columns.item[sheet->column];
    const struct sheet_machine *machine = &sheet->machines.item[column->machine];
    const char *signature = from->core ? log_value(from->core->record, "signature") : machine->signature,
               *microcode = from->core ? log_value(from->core->cpu, "microcode") : machine->microcode;
    struct sheet_cpu cpu = {.brand = machine->brand,
                            .signature = sheet_keep(sheet, signature),
                            .microcode = sheet_keep(sheet, microcode),
                            .pmu = machine->pmu,
                            .kind = column->kind};
    cpu.model = hexadecimal(cpu.signature) & ~0xfu;
    cpu.stepping = hexadecimal(cpu.signature) & 0xf;
    cpu.revision = hexadecimal(cpu.microcode);
    return cpu;
}

static unsigned need_cpu(struct sheet *sheet, const struct sheet_source *from)
{
    if (sheet->errata.column == sheet->column + 1)
        return sheet->errata.cpu;
    const struct sheet_cpu wanted = cpu_of_column(sheet, from);
    unsigned i = 0;
    for (; i < sheet->errata.cpus.count; i++) {
        const struct sheet_cpu *cpu = &sheet->errata.cpus.item[i];
        if (cpu->signature == wanted.signature && cpu->microcode == wanted.microcode && cpu->pmu == wanted.pmu &&
            cpu->kind == wanted.kind)
            break;
    }
    if (i == sheet->errata.cpus.count)
        *LIST_ADD(&sheet->arena, &sheet->errata.cpus) = wanted;
    struct sheet_cpu *cpu = &sheet->errata.cpus.item[i];
    *LIST_ADD(&sheet->arena, &cpu->columns) = sheet->column;
    cpu->damaged |= sheet->columns.item[sheet->column].damaged;
    sheet->errata.column = sheet->column + 1;
    return sheet->errata.cpu = i;
}

static struct sheet_erratum *need_row(struct sheet *sheet, const char *number)
{
    struct sheet_errata *errata = &sheet->errata;
    for (unsigned i = 0; i < errata->rows.count; i++) {
        errata->row = errata->row + 1 < errata->rows.count ? errata->row + 1 : 0;
        if (errata->rows.item[errata->row].number == number)
            return &errata->rows.item[errata->row];
    }
    const struct errata_row *row = errata_row_of(number);
    struct sheet_erratum *erratum = LIST_ADD(&sheet->arena, &errata->rows);
    errata->row = errata->rows.count - 1;
    erratum->number = number;
    erratum->what = row ? row->what : "";
    return erratum;
}

/* The greatest rate, per million, at which none of so many checks fails in 5 % of all cases. */
static uint64_t excluded_by(uint64_t asked)
{
    return asked ? (uint64_t)ceil(1e6 * (1 - pow(0.05, 1 / (double)asked))) : 1000000;
}

/* The states of the image are in the order of enum erratum_state; one that shows is graver than any other. */
static bool is_graver(const struct told_erratum *a, const struct told_erratum *b)
{
    return told_shows(a) != told_shows(b) ? told_shows(a) : a->state < b->state;
}

static void join(struct sheet_state *state, const struct told_erratum *told)
{
    uint64_t seen = state->told.seen + told->seen, asked = state->told.asked + told->asked;
    if (is_graver(told, &state->told))
        state->told = *told;
    state->told.seen = seen;
    state->told.asked = asked;
    state->told.per_million = asked ? seen * 1000000 / asked : 0;
    state->told.excluded = excluded_by(asked);
}

void sheet_errata_add(struct sheet *sheet, const struct sheet_source *from, const struct told_erratum *of_log)
{
    struct told_erratum told = *of_log; /* its texts are the log's, which is freed */
    told.number = sheet_keep(sheet, told.number);
    told.area = sheet_keep(sheet, told.area);
    told.word = sheet_keep(sheet, told.word);
    told.because = sheet_keep(sheet, told.because);
    told.test = sheet_keep(sheet, told.test);
    unsigned cpu = need_cpu(sheet, from);
    struct sheet_erratum *row = need_row(sheet, told.number);
    struct sheet_state *state = (struct sheet_state *)sheet_errata_state(row, cpu);
    if (state) {
        join(state, &told);
    } else {
        state = LIST_ADD(&sheet->arena, &row->states);
        *state = (struct sheet_state){.cpu = cpu, .told = told};
    }
    state->machines++;
    state->showing += told_shows(&told);
}

/* ---- Reading */

const struct sheet_state *sheet_errata_state(const struct sheet_erratum *erratum, unsigned cpu)
{
    for_each_item (erratum->states, state)
        if (state->cpu == cpu)
            return state;
    return NULL;
}

bool sheet_errata_akin(const struct sheet *sheet, unsigned a, unsigned b)
{
    const struct sheet_cpu *x = &sheet->errata.cpus.item[a], *y = &sheet->errata.cpus.item[b];
    return x->model == y->model && x->pmu == y->pmu && x->kind == y->kind;
}

bool sheet_errata_differ(const struct sheet *sheet, const struct sheet_erratum *erratum, unsigned a, unsigned b)
{
    const struct sheet_state *x = sheet_errata_state(erratum, a), *y = sheet_errata_state(erratum, b);
    if (x && y)
        return x->told.word != y->told.word || x->told.because != y->told.because;
    if (!x && !y)
        return false;
    return !sheet->errata.cpus.item[x ? b : a].damaged;
}

/* ---- Order */

static int by_model(const void *a, const void *b)
{
    const struct sheet_cpu *x = a, *y = b;
    if (x->model != y->model)
        return x->model < y->model ? -1 : 1;
    int order = strcmp(x->pmu, y->pmu);
    order = order ? order : strcmp(x->kind, y->kind);
    if (order)
        return order;
    if (x->stepping != y->stepping)
        return x->stepping < y->stepping ? -1 : 1;
    return x->revision < y->revision ? -1 : x->revision > y->revision;
}

static unsigned index_in(const struct sheet_errata *errata, const struct sheet_cpu *old)
{
    unsigned i = 0;
    while (by_model(&errata->cpus.item[i], old) != 0)
        i++;
    return i;
}

void sheet_errata_sort(struct sheet *sheet)
{
    struct sheet_errata *errata = &sheet->errata;
    unsigned count = errata->cpus.count;
    if (!count)
        return;
    struct sheet_cpu *old = arena_alloc(&sheet->arena, count * sizeof(*old));
    memcpy(old, errata->cpus.item, count * sizeof(*old));
    qsort(errata->cpus.item, count, sizeof(*old), by_model);
    for_each_item (errata->rows, row)
        for_each_item (row->states, state)
            state->cpu = index_in(errata, &old[state->cpu]);
}
