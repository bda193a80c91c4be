/* SPDX-License-Identifier: BSD-2-Clause */
/* The report for people: the machine, the tests that did not pass and why, the skipped tests and why, the verdict. */
#include "tools/docs/errata_table.h"
#include "tools/pmucheck/log/told.h"
#include "tools/pmucheck/report/report.h"
#include "tools/pmucheck/report/words.h"
#include <string.h>

#define ALIKE_MOST 8 /* registers and bits that are named beside the first one */

static void tell_all(FILE *out, const struct log_boot *boot, const struct telling *rows)
{
    for_each_item (boot->records, r)
        tell(out, r, rows);
}

/* The date by the machine's own clock, the time of the run, and the options. */
static void write_start(FILE *out, const struct log_boot *boot)
{
    struct arena arena = {0};
    const struct log_record *date = log_find(boot, NULL, "date");
    const char *options = facts_options(&arena, boot);
    uint64_t us;
    if (facts_date(boot))
        fprintf(out, "started    %s by the machine's clock\n", facts_date(boot));
    else if (date)
        put_words(out, date, "started    unknown by the machine's clock: {reason}\n");
    if (facts_took(boot, NULL, NULL, &us))
        fprintf(out, "took       %llu.%llu s\n", (unsigned long long)us / 1000000,
                (unsigned long long)us / 100000 % 10);
    if (options[0])
        fprintf(out, "options    %s\n", options);
    arena_free(&arena);
}

/* Of how many checks of the machine's own PMU it was shown, on a model of it, that they can fail there. */
static void write_proven(FILE *out, const struct log_boot *boot)
{
#define PROVEN(how)                                                                        \
    "proven     {caught} of {defects} defects noticed here, on a model " how " this CPU; " \
    "{checks} checks can fail, {left} were left\n"
    static const struct telling not_proven[] = {
        {"not-proven-here", NULL, "           {}: {label} did not fail by {defects}\n"}, {0}};
    const struct log_record *proven = log_find(boot, NULL, "proven-here");
    if (!proven)
        return;
    if (log_value(proven, "reason"))
        put_words(out, proven, "proven     not here: {reason}\n");
    else
        put_words(out, proven, strcmp(log_word(proven, "own"), "yes") == 0 ? PROVEN("of") : PROVEN("like"));
    tell_all(out, boot, not_proven);
}

static void write_machine(FILE *out, const struct log_boot *boot)
{
    const struct log_record *machine = log_find(boot, NULL, "machine");
    if (!machine)
        return;
    put_words(out, machine, "machine    <{name}: >{brand}, signature {signature}, microcode ");
    put_words(out, log_find(boot, NULL, "cpu"), "{microcode}, ");
    put_words(out, machine, "{cpus} CPUs");
    if (strcmp(log_word(machine, "hypervisor"), "none") != 0)
        put_words(out, machine, ", under hypervisor {hypervisor}");
    put_words(out, machine, "\nfirmware   {firmware}, {bios}, board {board}\n");
    write_start(out, boot);
    write_proven(out, boot);
}

/* "label, CPUs 0-1: expected 0, saw 1 in IA32_PERF_GLOBAL_INUSE[2], 2/3 times" */
static const char difference_form[] =
    "             {label}, CPUs {cpus}: expected {want|otherwise}, saw {got}< in {reg}<[{bit}]>>"
    "<, and in its bits {also-bits}><, {failed} times><, as {erratum} says>\n";

static bool same_field(const struct log_record *a, const struct log_record *b, const char *key)
{
    const char *x = log_value(a, key), *y = log_value(b, key);
    return x && y ? strcmp(x, y) == 0 : x == y;
}

/* The same check of the same test, kind and CPUs, on another register, bit or value. */
static bool same_check(const struct log_record *a, const struct log_record *b)
{
    return strcmp(a->kind, b->kind) == 0 && strcmp(a->subject, b->subject) == 0 && same_field(a, b, "label") &&
           same_field(a, b, "cpus") && same_field(a, b, "erratum");
}

/* "and 14 more: IA32_FIXED_CTR1[33], IA32_FIXED_CTR1[34], ..." */
static void write_alike(FILE *out, const struct log_boot *boot, const struct log_result *result,
                        const struct log_record *first)
{
    unsigned count = 0, shown = 0;
    for_each_record (boot, result, r)
        count += r > first && same_check(r, first);
    if (!count)
        return;
    fprintf(out, "               and %u more%s", count, log_value(first, "reg") ? ": " : "");
    for_each_record (boot, result, r)
        if (r > first && same_check(r, first) && log_value(r, "reg") && shown++ < ALIKE_MOST)
            put_words(out, r, shown > 1 ? ", {reg}<[{bit}]>" : "{reg}<[{bit}]>");
    fprintf(out, "%s\n", shown > ALIKE_MOST ? ", ..." : "");
}

/* Did an earlier failure of the result say the same, so that this one is among those that are alike? */
static bool written_with_earlier(const struct log_boot *boot, const struct log_result *result,
                                 const struct log_record *record)
{
    for_each_record (boot, result, r)
        if (r < record && log_is_difference(r) && same_check(r, record))
            return true;
    return false;
}

/* Where in the manual: once, unless another failure of the result is about another place. */
static void write_source(FILE *out, const struct log_boot *boot, const struct log_result *result,
                         const struct log_record *record)
{
    if (!log_value(record, "spec"))
        return;
    for_each_record (boot, result, r)
        if (r > record && log_is_difference(r) && same_field(r, record, "spec"))
            return; /* the last one says it */
    put_words(out, record, "               see {spec}\n");
}

static const struct telling again[] = {{"lockstep", "again", "             again with {again}\n"}, {0}};

static void write_details(FILE *out, const struct log_boot *boot, const struct log_result *result)
{
    for_each_record (boot, result, r)
        if (log_is_difference(r)) {
            if (!written_with_earlier(boot, result, r)) {
                put_words(out, r, difference_form);
                write_alike(out, boot, result, r);
            }
            write_source(out, boot, result, r);
        } else if (log_is(r, "error") || log_is(r, "skipped")) {
            fprintf(out, "             %s ", r->kind);
            if (strcmp(r->subject, result->id) != 0)
                fprintf(out, "%s ", r->subject);
            put_words(out, r, "{*}\n");
        }
    for_each_record (boot, result, r)
        tell(out, r, again);
}

/* The first failure, which has the test's promise. */
static const struct log_record *difference_of(const struct log_boot *boot, const struct log_result *result)
{
    for_each_record (boot, result, r)
        if (log_is_difference(r))
            return r;
    return NULL;
}

static void write_result(FILE *out, const struct log_boot *boot, const struct log_result *result)
{
    static const char *const trust[] = {"", " (no check sum covers it)", " (in a damaged part of the log)"};
    const struct log_record *difference = difference_of(boot, result);
    const char *title = difference ? log_value(difference, "title") : NULL;
    fprintf(out, "  %-8s %s%s%s%s%s%s\n", log_outcome_name[result->outcome], result->id[0] ? result->id : "?",
            title ? ", " : "", title ? title : "", result->reason[0] ? ": " : "", result->reason,
            result->outcome == LOG_LOST ? "" : trust[result->trust]);
    write_details(out, boot, result);
}

/* Writes lost results without a name that follow each other on one line. Returns the number of results written. */
static unsigned write_lost(FILE *out, const struct log_run *run, unsigned first)
{
    unsigned next = first;
    while (next < run->results.count && run->results.item[next].outcome == LOG_LOST && !run->results.item[next].id[0])
        next++;
    if (next - first == 1)
        fprintf(out, "  lost     result %u\n", run->results.item[first].number);
    else if (next - first > 1)
        fprintf(out, "  lost     results %u to %u\n", run->results.item[first].number,
                run->results.item[next - 1].number);
    return next - first;
}

static bool same_skip(const struct log_result *a, const struct log_result *b)
{
    return a->outcome == LOG_SKIP && b->outcome == LOG_SKIP && strcmp(a->reason, b->reason) == 0;
}

/* "pebs.*" if all tests of a chapter are among them, else each test's name. */
static void write_skipped_names(FILE *out, const struct log_run *run, unsigned first)
{
    const char *separator = "             ";
    for (unsigned i = first; i < run->results.count; i++) {
        const struct log_result *result = &run->results.item[i];
        size_t chapter = strcspn(result->id, ".");
        unsigned all = 0, same = 0, earlier = 0;
        if (!same_skip(result, &run->results.item[first]))
            continue;
        for (unsigned k = 0; k < run->results.count; k++) {
            const struct log_result *other = &run->results.item[k];
            bool here = strncmp(other->id, result->id, chapter) == 0 && other->id[chapter] == '.';
            all += here;
            same += here && same_skip(result, other);
            earlier += here && same_skip(result, other) && k < i;
        }
        bool whole = all == same && all > 1;
        if (whole && earlier)
            continue;
        fprintf(out, "%s%.*s%s", separator, whole ? (int)chapter : (int)strlen(result->id), result->id,
                whole ? ".*" : "");
        separator = " ";
    }
    fputc('\n', out);
}

/* One line for all tests that were skipped for the same reason, with their names. */
static void write_skipped(FILE *out, const struct log_run *run)
{
    for (unsigned i = 0; i < run->results.count; i++) {
        const struct log_result *first = &run->results.item[i];
        unsigned count = 0, before = 0;
        if (first->outcome != LOG_SKIP)
            continue;
        for (unsigned k = 0; k < run->results.count; k++) {
            bool same = same_skip(first, &run->results.item[k]);
            count += same;
            before += same && k < i;
        }
        if (before)
            continue;
        fprintf(out, "  skip     %u test%s: %s\n", count, count > 1 ? "s" : "", first->reason);
        write_skipped_names(out, run, i);
    }
}

/* What stands before a run's tests; a soak run's lines of failures come before its plan. */
static const struct telling heads[] = {
    {"core-type", NULL,
     "           CPUs {cpus}: {kind}< {class}>, signature {signature}, version {version}, {gp} GP and {fixed} fixed "
     "counters\n"},
    {"soak-failure", NULL, "  soak     {*}\n"},
    {0}};

/* ---- Errata: one by one those that a check was about, the others by number. */

/* The erratum of the record, if it is in this state, and for this reason unless that is NULL. */
static bool in_state(const struct log_record *r, enum erratum_state state, const char *because, struct told_erratum *e)
{
    return told_erratum(r, e) && e->state == state && (!because || strcmp(e->because, because) == 0);
}

/* The line about the erratum's kind of core, if the run has several kinds; else NULL. */
static const struct log_record *core_of(const struct log_boot *boot, const struct log_run *run,
                                        const struct told_erratum *e)
{
    const struct log_record *found = NULL;
    unsigned kinds = 0;
    uint64_t id;
    for_each_record (boot, run, r)
        if (log_is(r, "core-type")) {
            kinds++;
            found = log_number(r, "id", &id) && id == e->core_type ? r : found;
        }
    return kinds > 1 ? found : NULL;
}

/* "  seen     HSD140, instructions retired are now and then counted wrong: seen 3 of 300 times (1 %), first in ..." */
static void write_erratum(FILE *out, const struct told_erratum *e, const struct log_record *core, const char *word)
{
    struct arena arena = {0};
    const struct errata_row *row = errata_row_of(e->number);
    fprintf(out, "  %-8s %s%s%s: %s%s%s%s%s\n", word, e->number, row ? ", " : "", row ? row->what : "",
            told_erratum_words(&arena, e), e->test[0] ? ", first in " : "", e->test, core ? ", on CPUs " : "",
            core ? log_value_or(core, "cpus", "?") : "");
    arena_free(&arena);
}

static void write_asked(FILE *out, const struct log_boot *boot, const struct log_run *run)
{
    static const struct {
        enum erratum_state state;
        const char *word;
    } asked[] = {{ERRATUM_NOT_FIXED, "unfixed"},
                 {ERRATUM_SEEN, "erratum"},
                 {ERRATUM_NOT_SEEN, "unseen"},
                 {ERRATUM_FIXED, "fixed"}};
    struct told_erratum e;
    for (size_t i = 0; i < sizeof(asked) / sizeof(asked[0]); i++)
        for_each_record_of_run (boot, run, r)
            if (in_state(r, asked[i].state, NULL, &e))
                write_erratum(out, &e, core_of(boot, run, &e), asked[i].word);
}

/* Did an earlier line of this run say the same, about another kind of core? */
static bool told_before(const struct log_boot *boot, const struct log_run *run, const struct log_record *line,
                        const struct told_erratum *e)
{
    struct told_erratum other;
    for_each_record_of_run (boot, run, r)
        if (r < line && in_state(r, e->state, e->because, &other) && strcmp(other.number, e->number) == 0)
            return true;
    return false;
}

/* "  errata   of features that no test uses: HSD176, ..." */
static void write_others(FILE *out, const struct log_boot *boot, const struct log_run *run, enum erratum_state state,
                         const char *because, const char *words)
{
    struct told_erratum e;
    bool any = false;
    for_each_record_of_run (boot, run, r) {
        if (!in_state(r, state, because, &e) || told_before(boot, run, r, &e))
            continue;
        if (any)
            fprintf(out, ", %s", e.number);
        else
            fprintf(out, "  errata   %s: %s", words, e.number);
        any = true;
    }
    if (any)
        fputc('\n', out);
}

static void write_errata(FILE *out, const struct log_boot *boot, const struct log_run *run)
{
    static const struct {
        enum erratum_state state;
        enum errata_why because;
        const char *words;
    } others[] = {
        {ERRATUM_NOT_JUDGED, MEASURED, "only measured"},
        {ERRATUM_NOT_JUDGED, ALLOWED, "present, and allowed for by the tests"},
        {ERRATUM_NOT_PROVOKED, PREVENTED, "prevented"},
        {ERRATUM_NOT_PROVOKED, JUDGED, "not tested by the tests that ran"},
        {ERRATUM_NOT_PROVOKED, UNPROVOKED, "not provoked"},
        {ERRATUM_NOT_PROVOKED, UNCOUNTED, "of events that no test counts"},
        {ERRATUM_NOT_PROVOKED, UNUSED, "of features that no test uses"},
    };
    write_asked(out, boot, run);
    write_others(out, boot, run, ERRATUM_NOT_HERE, NULL, "not in this state of the CPU (threads, counters, RTM)");
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        write_others(out, boot, run, others[i].state, errata_why_name(others[i].because), others[i].words);
}

/* ---- Further lines of a run */

/* Random walks over the PMU and a model of it, and the CPU's choices that they found. */
static const struct telling walks[] = {
    {"lockstep", "walks", "  walks    {walks} over the PMU and a model of it at once: {differences} differences\n"},
    {"lockstep", "choice", "  choice   {choice}, on CPUs {cpus}\n"},
    {"lockstep", "erratum", "  erratum  {erratum}, shown by walks as {as}, on CPUs {cpus}\n"},
    {0}};

/* The uses for which the run found the PMU good, and how good. */
static const struct telling uses[] = {{"good-for", "words", "  for      {words}: {answer|}<, {because}>\n"},
                                      {"good-for", NULL, "  for      {}: {answer|}<, {because}>\n"},
                                      {"good-for-fact", NULL, "           {}: {words}: {value}\n"},
                                      {0}};

/* What the PMU's registers kept over INIT and sleep. */
static const struct telling states[] = {
    {"state-differs", NULL, "             CPU {cpu} {reg}: {before} before, {after} after; the manual: {manual}\n"},
    {"state", "kept",
     "  state    {name}: CPU {cpu} kept {kept} of {registers} registers, {unlike-manual} unlike the manual\n"},
    {"state", "reason", "  state    {name} refused: {reason}\n"},
    {0}};

static void tell_run(FILE *out, const struct log_boot *boot, const struct log_run *run, const struct telling *rows)
{
    for_each_record_of_run (boot, run, r)
        tell(out, r, rows);
}

/* ---- The machine's warm resets, and an update of its microcode */

static void write_resets(FILE *out, const struct log_boot *boot)
{
    struct arena arena = {0};
    struct told_resets resets;
    told_resets(&arena, boot, &resets);
    if (resets.refused)
        put_words(out, resets.refused, "resets     none ({state}): {reason}\n");
    for (unsigned i = 0; i < resets.ways; i++) {
        const struct told_way *way = &resets.way[i];
        fprintf(out, "resets     %s: %s\n", way->way, told_way_words(&arena, way));
        for_each_item (resets.differences, r)
            if (strcmp(log_word(*r, "way"), way->way) == 0)
                put_words(out, *r, "             CPU {cpu|} {reg|}: {first|} at first, {now|} after reset {reset|}\n");
    }
    arena_free(&arena);
}

/* Before its tests, which then have the errata of both revisions. */
static void write_microcode(FILE *out, const struct log_boot *boot)
{
    struct arena arena = {0};
    struct told_microcode microcode;
    told_microcode(&arena, boot, &microcode);
    for_each_item (microcode.updates, update)
        fprintf(out, "microcode  CPUs %s: %s\n", log_word(*update, "cpus"), told_update_words(&arena, *update));
    for_each_item (microcode.changed, r)
        fprintf(out, "             %s\n", told_changed_words(&arena, *r));
    if (microcode.changes)
        fprintf(out, "             %s\n", told_changes_words(&arena, microcode.changes));
    arena_free(&arena);
}

static void write_run(FILE *out, const struct log_boot *boot, const struct log_run *run)
{
    unsigned count[LOG_OUTCOMES + 1] = {0};
    fprintf(out, "run        %s%s%s%s\n", log_run_name(run), run->half ? ", " : "", run->half ? run->half : "",
            run->half ? " the update of microcode" : "");
    for_each_record (boot, run, r)
        tell(out, r, heads);
    for (unsigned i = 0; i < run->results.count; i++) {
        const struct log_result *result = &run->results.item[i];
        unsigned lost = write_lost(out, run, i);
        if (lost) {
            count[LOG_LOST] += lost;
            i += lost - 1;
            continue;
        }
        count[result->outcome]++;
        bool doubtful = result->trust == LOG_DAMAGED && result->outcome != LOG_LOST;
        if ((result->outcome != LOG_PASS && result->outcome != LOG_SKIP) || doubtful || difference_of(boot, result))
            write_result(out, boot, result);
    }
    write_skipped(out, run);
    write_errata(out, boot, run);
    tell_run(out, boot, run, walks);
    tell_run(out, boot, run, uses);
    tell_run(out, boot, run, states);
    fprintf(out, "          ");
    for (unsigned i = 0; i <= LOG_OUTCOMES; i++)
        if (count[i] || i == LOG_PASS)
            fprintf(out, " %u %s", count[i], log_outcome_name[i]);
    fprintf(out, " of %u\n", run->planned ? run->plan : run->results.count);
}

/* Events that no test provoked are a reason for the verdict, in whichever test they came. */
static const struct telling unasked[] = {{"machine-check", NULL, "reason     machine-check {*}\n"},
                                         {"stray-pmi", NULL, "reason     stray-pmi {*}\n"},
                                         {"stray", NULL, "reason     stray {*}\n"},
                                         {"pmi-storm", NULL, "reason     pmi-storm {*}\n"},
                                         {"foreign-nmi", NULL, "reason     foreign-nmi {*}\n"},
                                         {0}},
                            advice[] = {{"advice", NULL, "advice     {text} ({})\n"}, {0}};

/* Compares the log's image with the given one. */
static void write_image(FILE *out, const struct log_boot *boot, const struct image *image)
{
    char sums[IMAGE_SUMS];
    if (!boot->sum[0])
        return;
    fprintf(out, "image      sum %s", boot->sum);
    if (image && image->kernels && image_has(image, boot->sum))
        fprintf(out, ", as %s", image->path);
    else if (image && image->kernels)
        fprintf(out, ", another build than %s (%s)", image->path, image_sums(image, sums));
    fputc('\n', out);
}

/* What the next start goes on for. */
static void write_left(FILE *out, const struct log_boot *boot)
{
    if (log_is(boot->left, "host"))
        fprintf(out, "hosts      a %s kernel on %s: the next start is its own\n", log_value_or(boot->left, "kind", "?"),
                log_value_or(log_find(boot, NULL, "run"), "pmu", "?"));
    else
        put_words(out, boot->left, "reset      by {way}, {number} of {of}: the next start goes on\n");
}

static void write_boot(FILE *out, const struct log_file *file, const struct log_boot *boot, const struct image *image)
{
    fprintf(out, "%s", file->path);
    if (file->boots.count > 1)
        fprintf(out, ", line %u", boot->line);
    if (boot->version[0])
        fprintf(out, ": pmucheck %s, commit %s", boot->version, boot->commit);
    fputc('\n', out);
    write_image(out, boot, image);
    write_machine(out, boot);
    write_resets(out, boot);
    if (log_goes_on(boot)) {
        write_left(out, boot);
        return;
    }
    write_microcode(out, boot);
    for_each_item (boot->runs, run)
        write_run(out, boot, run);
    tell_all(out, boot, unasked);
    tell_all(out, boot, advice);
    unsigned known = boot->ended && strcmp(boot->verdict, "pass") == 0 ? boot->end_total[LOG_KNOWN] : 0;
    fprintf(out, "verdict    %s", boot->ended ? boot->verdict : "none");
    if (known)
        fprintf(out, " (%u known)", known); /* errata excused tests: a plain pass would be wrong */
    for (unsigned i = 0; boot->ended && i < LOG_OUTCOMES; i++)
        fprintf(out, "%s %u %s", i > 0 ? "," : ":", boot->end_total[i], log_outcome_name[i]);
    fputc('\n', out);
    if (boot->code[0])
        fprintf(out, "code       %s\n", boot->code);
    const struct log_record *scan = log_find(boot, NULL, "scan");
    if (scan)
        fprintf(out, "log        %s: without measurements and reasons of skips\n",
                log_value(scan, "variable") ? "from a variable of UEFI" : "from photos of QR codes");
    for_each_item (boot->problems, problem)
        fprintf(out, "log        line %u: %s\n", problem->line, problem->text);
    if (boot->noise)
        fprintf(out, "log        %u lines are not the image's; they were ignored\n", boot->noise);
}

void report_text(struct report *report, const struct log_file *file)
{
    for (unsigned b = 0; b < file->boots.count; b++) {
        if (report->logs + b > 0)
            fputc('\n', report->out);
        write_boot(report->out, file, &file->boots.item[b], report->image);
    }
}
