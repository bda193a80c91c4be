/* The comparison for a terminal, and as Markdown. */
#include "tools/pmucheck/compare/compare.h"
#include <string.h>

#define OUTLIER_ROWS 6   /* named for each machine */
#define OUTLIERS_MOST 20 /* machines */
#define MODELS_MOST 40
#define CAUSE_ROWS 12  /* of one cause that matters */
#define CAUSES_MOST 14 /* of those that do not matter */
#define FINDINGS_MOST 60
#define VALUES_MOST 12 /* of one row */

struct writer {
    FILE *out;
    struct sheet *sheet;
    const struct compare_options *options;
    struct overview overview;
    bool markdown;
};

/* ---- Text that Markdown would take for its own */

static void put(struct writer *w, const char *text)
{
    for (; *text; text++) {
        if (w->markdown && strchr("|*_`<>[]\\#", *text))
            fputc('\\', w->out);
        fputc(*text == '\n' ? ' ' : *text, w->out);
    }
}

static void heading(struct writer *w, const char *text)
{
    fprintf(w->out, w->markdown ? "\n## %s\n\n" : "\n%s\n", text);
}

/* ---- Colours, of a terminal that has them */

static const char *colour_of(enum overview_outcome outcome)
{
    static const char *const colour[OVERVIEW_OUTCOMES] = {
        [OVERVIEW_FAIL] = "1;31", [OVERVIEW_ERROR] = "1;31", [OVERVIEW_LOST] = "1;31", [OVERVIEW_REVIEW] = "1;33",
        [OVERVIEW_KNOWN] = "36",  [OVERVIEW_PASS] = "32",    [OVERVIEW_SKIP] = "2",
    };
    return outcome < OVERVIEW_OUTCOMES ? colour[outcome] : "0";
}

static void colour(struct writer *w, const char *code)
{
    if (w->options->colour)
        fprintf(w->out, "\033[%sm", code);
}

/* ---- Machines */

static const char *plural(unsigned count)
{
    return count == 1 ? "" : "s";
}

static void write_head(struct writer *w)
{
    struct sheet *sheet = w->sheet;
    fprintf(w->out, "%s%u machine%s, %u model%s: ", w->markdown ? "# " : "", sheet->machines.count,
            plural(sheet->machines.count), sheet->models.count, plural(sheet->models.count));
    put(w, overview_verdicts(sheet, -1));
    fprintf(w->out, "\n");
}

static void write_columns(struct writer *w)
{
    struct sheet *sheet = w->sheet;
    if (sheet->columns.count > COMPARE_WIDE)
        return;
    if (w->markdown)
        fprintf(w->out, "\n| | machine | what it is |\n|---|---|---|\n");
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        fprintf(w->out, w->markdown ? "| %s | " : "  %s  ", compare_key(sheet, c));
        put(w, sheet->columns.item[c].name);
        fprintf(w->out, w->markdown ? " | " : ": ");
        put(w, compare_about(sheet, sheet->columns.item[c].machine));
        fprintf(w->out, w->markdown ? " |\n" : "\n");
    }
}

/* A line for each model, with how many came out how; never one verdict for several. */
static void write_models(struct writer *w)
{
    struct sheet *sheet = w->sheet;
    if (sheet->columns.count <= COMPARE_WIDE)
        return;
    if (w->markdown)
        fprintf(w->out, "\n| machines | model | verdicts |\n|---|---|---|\n");
    for (unsigned n = 0; n < sheet->models.count && n < MODELS_MOST; n++) {
        unsigned i = w->overview.order[n];
        const struct sheet_model *model = &sheet->models.item[i];
        const char *first = sheet->machines.item[model->first].name;
        if (w->markdown)
            fprintf(w->out, "| %u | ", model->machines);
        else if (model->machines > 1)
            fprintf(w->out, "  %u machines as %s: ", model->machines, first);
        else
            fprintf(w->out, "  %s: ", first);
        put(w, overview_model(sheet, i));
        fprintf(w->out, w->markdown ? " | " : ": ");
        put(w, overview_verdicts(sheet, (int)i));
        fprintf(w->out, w->markdown ? " |\n" : "\n");
    }
    if (sheet->models.count > MODELS_MOST)
        fprintf(w->out, "%sand %u models more\n", w->markdown ? "\n" : "  ", sheet->models.count - MODELS_MOST);
}

/* ---- Logs that are missing in what follows, or not whole */

static void write_doubts(struct writer *w)
{
    const struct sheet *sheet = w->sheet;
    if (!sheet->doubts.count)
        return;
    heading(w, "LOGS THAT ARE NOT WHOLE");
    for (unsigned i = 0; i < sheet->doubts.count; i++) {
        const struct sheet_doubt *doubt = &sheet->doubts.item[i];
        fprintf(w->out, w->markdown ? "- " : "  ");
        put(w, doubt->path);
        fprintf(w->out, doubt->unusable ? ": nothing can be compared of it: " : ": ");
        put(w, doubt->problem);
        fputc('\n', w->out);
    }
}

/* Only what is compared by measurements suffers by it: outcomes stand for themselves. */
static void write_otherwise(struct writer *w)
{
    struct sheet *sheet = w->sheet;
    bool some = false;
    for (unsigned i = 0; i < sheet->machines.count; i++) {
        const struct sheet_machine *machine = &sheet->machines.item[i];
        if (!machine->otherwise)
            continue;
        if (!some)
            heading(w, "TESTED OTHERWISE: MEASUREMENTS ARE NOT COMPARED WITH THE OTHERS'");
        some = true;
        fprintf(w->out, w->markdown ? "- " : "  ");
        put(w, machine->name);
        fprintf(w->out, ": ");
        const char *conditions = sheet_text_of(sheet, machine->conditions);
        put(w, conditions[0] ? conditions : "the log tells no budget");
        fputc('\n', w->out);
    }
}

/* ---- What failed */

static void write_finding(struct writer *w, const struct overview_finding *f)
{
    struct sheet *sheet = w->sheet;
    fprintf(w->out, w->markdown ? "- **" : "  ");
    colour(w, colour_of(f->outcome));
    fprintf(w->out, "%-6s %-8s", overview_outcome_name[f->outcome], severity_name[f->severity]);
    colour(w, "0");
    fprintf(w->out, w->markdown ? "** " : " ");
    put(w, f->test);
    fprintf(w->out, f->label[0] ? " [" : "");
    put(w, f->label);
    fprintf(w->out, f->label[0] ? "]" : "");
    fprintf(w->out, " on %u of %u machine%s: ", f->machines.count, sheet->machines.count,
            plural(sheet->machines.count));
    put(w, overview_names(sheet, f->machines.item, f->machines.count));
    const char *const lines[][2] = {{"", f->title},
                                    {"", f->detail},
                                    {"also: ", f->others},
                                    {"equals: ", f->equals},
                                    {"why it matters: ", f->why},
                                    {"see ", f->spec},
                                    {"what to do: ", f->what_to_do}};
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
        if (lines[i][1][0]) {
            fprintf(w->out, w->markdown ? "\n  - %s" : "\n           %s", lines[i][0]);
            put(w, lines[i][1]);
        }
    fputc('\n', w->out);
}

static bool fits_chapter(struct writer *w, const char *test)
{
    const char *chapter = w->options->chapter;
    size_t length = chapter ? strlen(chapter) : 0;
    return !chapter || strcmp(chapter, sheet_section_name[SHEET_RESULTS]) == 0 ||
           (strncmp(test, chapter, length) == 0 && test[length] == '.');
}

static void write_findings(struct writer *w)
{
    unsigned told = 0, count = 0;
    for (unsigned i = 0; i < w->overview.findings.count; i++) {
        if (!fits_chapter(w, w->overview.findings.item[i].test))
            continue;
        if (!count++)
            heading(w, "WHAT DID NOT PASS");
        if (told < FINDINGS_MOST) {
            write_finding(w, &w->overview.findings.item[i]);
            told++;
        }
    }
    if (count > told)
        fprintf(w->out, "%sand %u more\n", w->markdown ? "- " : "  ", count - told);
}

/* ---- Models and chapters */

/* "2 fail" if not all came out alike, else "pass". */
static const char *cell_text(struct writer *w, unsigned model, unsigned chapter, enum overview_outcome *worst)
{
    *worst = OVERVIEW_NONE;
    for (unsigned o = 0; o < OVERVIEW_OUTCOMES; o++) {
        unsigned count = overview_count(&w->overview, model, chapter, (enum overview_outcome)o);
        if (!count)
            continue;
        *worst = (enum overview_outcome)o;
        return count == w->sheet->models.item[model].machines
                   ? overview_outcome_name[o]
                   : arena_print(&w->sheet->arena, "%u %s", count, overview_outcome_name[o]);
    }
    return "-";
}

static unsigned width_of(const char *chapter)
{
    unsigned length = (unsigned)strlen(chapter);
    return length < 6 ? 6 : length;
}

static void write_matrix_row(struct writer *w, unsigned model)
{
    const struct sheet_model *m = &w->sheet->models.item[model];
    const char *name = w->sheet->machines.item[m->first].name;
    char text[32];
    snprintf(text, sizeof(text), m->machines > 1 ? "%.16s +%u" : "%.20s", name, m->machines - 1);
    if (w->markdown) {
        fprintf(w->out, "| ");
        put(w, text);
    } else {
        fprintf(w->out, "  %-20s", text);
    }
    for (unsigned c = 0; c < w->overview.chapters.count; c++) {
        enum overview_outcome worst;
        const char *cell = cell_text(w, model, c, &worst);
        fprintf(w->out, w->markdown ? " | " : " ");
        colour(w, colour_of(worst));
        fprintf(w->out, "%-*s", w->markdown ? 0 : (int)width_of(w->overview.chapters.item[c]), cell);
        colour(w, "0");
    }
    fprintf(w->out, w->markdown ? " |\n" : "\n");
}

static void write_matrix(struct writer *w)
{
    unsigned chapters = w->overview.chapters.count;
    if (w->options->chapter || !chapters)
        return;
    heading(w, "MODELS AND CHAPTERS, THE WORST OUTCOME IN EACH");
    if (w->markdown)
        fprintf(w->out, "| |");
    else
        fprintf(w->out, "  %-20s", "");
    for (unsigned c = 0; c < chapters; c++) {
        const char *chapter = w->overview.chapters.item[c];
        if (w->markdown)
            fprintf(w->out, " %s |", chapter);
        else
            fprintf(w->out, " %-*s", (int)width_of(chapter), chapter);
    }
    fprintf(w->out, w->markdown ? "\n|---|" : "\n");
    for (unsigned c = 0; w->markdown && c < chapters; c++)
        fprintf(w->out, "---|");
    fprintf(w->out, w->markdown ? "\n" : "");
    for (unsigned i = 0; i < w->sheet->models.count && i < MODELS_MOST; i++)
        write_matrix_row(w, w->overview.order[i]);
}

/* ---- Outliers */

static void write_outlier(struct writer *w, unsigned column)
{
    struct sheet *sheet = w->sheet;
    const struct sheet_row **rows;
    unsigned count = compare_outlier_rows(sheet, column, &rows);
    char room[SHEET_ROOM];
    fprintf(w->out, "%s", w->markdown ? "- **" : "  ");
    put(w, sheet->columns.item[column].name);
    fprintf(w->out, "%s differs from its equals in %u row%s:", w->markdown ? "**" : "",
            sheet->columns.item[column].outliers, sheet->columns.item[column].outliers > 1 ? "s" : "");
    for (unsigned i = 0; i < count && i < OUTLIER_ROWS; i++) {
        const struct sheet_row *row = rows[i];
        fprintf(w->out, "%s", w->markdown ? "\n  - " : "\n      ");
        put(w, compare_row_name(&sheet->arena, row));
        fprintf(w->out, ": ");
        const char *value = sheet_value(sheet, row, column, room);
        put(w, value ? value : "not told");
        if (row->section == SHEET_MEASURES)
            fprintf(w->out, " (medians of all: %s)", compare_span(&sheet->arena, sheet, row));
    }
    fputc('\n', w->out);
}

static void write_outliers(struct writer *w)
{
    unsigned *columns, count = compare_worst(w->sheet, &columns);
    if (!count)
        return;
    heading(w, "OUTLIERS");
    for (unsigned i = 0; i < count && i < OUTLIERS_MOST; i++)
        write_outlier(w, columns[i]);
    if (count > OUTLIERS_MOST)
        fprintf(w->out, "%sand %u more\n", w->markdown ? "- " : "  ", count - OUTLIERS_MOST);
}

/* ---- Guests */

static void write_guests(struct writer *w)
{
    struct sheet *sheet = w->sheet;
    bool some = false;
    for (unsigned c = 0; c < sheet->columns.count; c++) {
        const struct sheet_column *guest = &sheet->columns.item[c];
        if (guest->host < 0)
            continue;
        if (!some)
            heading(w, "GUESTS");
        some = true;
        fprintf(w->out, w->markdown ? "- " : "  ");
        put(w, guest->name);
        fprintf(w->out, " (");
        put(w, sheet->machines.item[guest->machine].pmu);
        fprintf(w->out, ") changes what its hardware ");
        put(w, sheet->columns.item[guest->host].name);
        fprintf(w->out, " shows:");
        for (unsigned s = SHEET_CAPABILITIES; s < SHEET_SECTIONS; s++)
            fprintf(w->out, "%s %u of %s", s > SHEET_CAPABILITIES ? "," : "", compare_guest(sheet, c, s),
                    sheet_section_name[s]);
        fputc('\n', w->out);
    }
}

/* ---- Rows */

/* A measurement of many machines: the range of medians, and who lies outside. */
static void write_span(struct writer *w, const struct sheet_row *row)
{
    struct sheet *sheet = w->sheet;
    struct arena arena = {0};
    char room[SHEET_ROOM];
    fprintf(w->out, "medians %s", compare_span(&arena, sheet, row));
    arena_free(&arena);
    for (unsigned i = 0; i < row->outliers.count; i++) {
        const char *value = sheet_value(sheet, row, row->outliers.item[i], room);
        fprintf(w->out, "; ");
        put(w, sheet->columns.item[row->outliers.item[i]].name);
        fprintf(w->out, " ");
        put(w, value ? value : "-");
    }
}

static void write_values(struct writer *w, const struct sheet_row *row)
{
    struct arena arena = {0};
    struct compare_values values;
    bool many = w->sheet->columns.count > COMPARE_WIDE;
    compare_collect(&arena, w->sheet, row, &values);
    for (unsigned i = 0; i < values.list.count; i++) {
        if (i == VALUES_MOST) {
            fprintf(w->out, "; and %u other values", values.list.count - i);
            break;
        }
        const struct compare_value *value = &values.list.item[i];
        if (i > 0)
            fprintf(w->out, w->markdown ? "; " : many ? "; " : " | ");
        if (!many)
            fprintf(w->out, "%s: ", compare_who(&arena, w->sheet, value));
        put(w, value->text);
        if (many) {
            fprintf(w->out, " (");
            put(w, compare_who(&arena, w->sheet, value));
            fprintf(w->out, ")");
        }
    }
    arena_free(&arena);
}

static void write_row(struct writer *w, const struct sheet_row *row)
{
    fprintf(w->out, w->markdown ? "| " : "    ");
    if (w->markdown) {
        put(w, row->group);
        fprintf(w->out, " | ");
        put(w, row->name);
        fprintf(w->out, " | ");
    } else {
        fprintf(w->out, "%-32s ", row->name);
    }
    if (row->section == SHEET_MEASURES && w->sheet->columns.count > COMPARE_WIDE)
        write_span(w, row);
    else
        write_values(w, row);
    fprintf(w->out, w->markdown ? " |\n" : "\n");
}

static void write_section(struct writer *w, enum sheet_section section)
{
    const struct sheet_row *before = NULL;
    for (unsigned i = 0; i < w->sheet->rows.count; i++) {
        const struct sheet_row *row = &w->sheet->rows.item[i];
        if (row->section != section || !compare_shows(row, w->options))
            continue;
        if (!before) {
            heading(w, sheet_section_name[section]);
            fprintf(w->out, w->markdown ? "| of | what | values |\n|---|---|---|\n" : "");
        }
        if (!w->markdown && row->group[0] && (!before || strcmp(before->group, row->group) != 0))
            fprintf(w->out, "  %s\n", row->group);
        write_row(w, row);
        before = row;
    }
}

/* ---- Causes */

static void write_cause(struct writer *w, const struct overview_cause *cause)
{
    struct sheet *sheet = w->sheet;
    fprintf(w->out, w->markdown ? "- " : "  ");
    put(w, cause->text);
    fprintf(w->out, ": %u row%s", cause->rows.count, plural(cause->rows.count));
    put(w, overview_about(sheet, cause));
    const char *const lines[][2] = {
        {"why it matters: ", cause->why}, {"see ", cause->spec}, {"what to do: ", cause->what_to_do}};
    for (size_t i = 0; cause->class == OVERVIEW_MATTERS && i < 3; i++)
        if (lines[i][1][0]) {
            fprintf(w->out, w->markdown ? "\n  - %s" : "\n      %s", lines[i][0]);
            put(w, lines[i][1]);
        }
    fputc('\n', w->out);
}

static void write_cause_row(struct writer *w, const struct sheet_row *row)
{
    struct arena arena = {0};
    fprintf(w->out, w->markdown ? "  - " : "      ");
    put(w, compare_row_name(&arena, row));
    arena_free(&arena);
    fprintf(w->out, ": ");
    write_values(w, row);
    fputc('\n', w->out);
}

static void write_causes(struct writer *w)
{
    static const char *const title[OVERVIEW_CLASSES] = {"DIFFERENCES THAT MATTER",
                                                        "DIFFERENCES BETWEEN MODELS, AS EXPECTED", "NOISE"};
    bool rows = w->sheet->columns.count > COMPARE_WIDE; /* else they follow, one by one */
    unsigned told = 0, rest = 0;
    int class = -1;
    for (unsigned i = 0; i < w->overview.causes.count && !w->options->chapter; i++) {
        const struct overview_cause *cause = &w->overview.causes.item[i];
        if ((int)cause->class != class) {
            heading(w, title[cause->class]);
            told = 0;
        }
        class = (int)cause->class;
        if (told++ >= CAUSES_MOST && class != OVERVIEW_MATTERS) {
            rest += cause->rows.count;
            bool last = i + 1 == w->overview.causes.count || (int)w->overview.causes.item[i + 1].class != class;
            if (last)
                fprintf(w->out, "%sother causes: %u row%s\n", w->markdown ? "- " : "  ", rest, plural(rest));
            rest = last ? 0 : rest;
            continue;
        }
        write_cause(w, cause);
        for (unsigned k = 0; rows && cause->class == OVERVIEW_MATTERS && k < cause->rows.count; k++) {
            if (k == CAUSE_ROWS) {
                fprintf(w->out, "%sand %u more\n", w->markdown ? "  - " : "      ", cause->rows.count - k);
                break;
            }
            write_cause_row(w, &w->sheet->rows.item[cause->rows.item[k]]);
        }
    }
}

/* ---- All of it */

static bool writes_rows(const struct writer *w)
{
    return w->sheet->columns.count <= COMPARE_WIDE || w->options->all || w->options->chapter;
}

static void write_none(struct writer *w)
{
    unsigned shown = 0;
    for (unsigned i = 0; i < w->sheet->rows.count; i++)
        shown += compare_shows(&w->sheet->rows.item[i], w->options);
    if (shown)
        return;
    fprintf(w->out, "\nnothing differs%s%s%s\n", w->options->chapter ? " in " : "",
            w->options->chapter ? w->options->chapter : "", w->sheet->machines.count < 2 ? ": it is one machine" : "");
}

static void write_all(struct writer *w)
{
    overview_make(&w->overview, w->sheet);
    write_head(w);
    write_models(w);
    write_columns(w);
    write_doubts(w);
    write_findings(w);
    write_matrix(w);
    write_otherwise(w);
    write_outliers(w);
    write_guests(w);
    write_causes(w);
    for (unsigned section = 0; writes_rows(w) && section < SHEET_SECTIONS; section++)
        write_section(w, (enum sheet_section)section);
    write_none(w);
    if (!writes_rows(w))
        fprintf(w->out, "\n%sRow by row: --all, --chapter=NAME, or --format=html\n", w->markdown ? "" : "  ");
}

void compare_text(FILE *out, struct sheet *sheet, const struct compare_options *options)
{
    write_all(&(struct writer){.out = out, .sheet = sheet, .options = options});
}

void compare_markdown(FILE *out, struct sheet *sheet, const struct compare_options *options)
{
    write_all(&(struct writer){.out = out, .sheet = sheet, .options = options, .markdown = true});
}
