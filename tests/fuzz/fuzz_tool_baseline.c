/* SPDX-License-Identifier: BSD-2-Clause */
/* Any JSON as accepted results, also with a right check sum: a log is judged by it and accepted into it. */
#include "host/tools/log_maker.h"
#include "tools/pmucheck/baseline/baseline.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct log_file file;
static struct arena arena;
static struct facts facts;

static void make_log(void)
{
    made_begin();
    made_lines("# cpu cpus=0-3 signature=000506e3 microcode=000000f0 core-type=0 threads-per-core=2",
               "# run pmu=hardware", "# core-type id=0 cpus=0-3 kind=core signature=000506e3 version=4", "1..2",
               "# begin a.one", "# fail a.one label=old-label cpus=0 got=1 want=0", "not ok 1 a.one", "# begin a.two",
               "# measure a.two name=skid cpus=0-3 unit=events n=9 min=1 median=2 p99=9 max=9 hist=1:1", "ok 2 a.two");
    log_read(&file, "made.log", made.text, strlen(made.text));
    facts_read(&arena, &file.boots.item[0], &file.boots.item[0].runs.item[0], &facts);
}

static void use(json_object *baseline)
{
    static const struct baseline_note note = {"made.log", "somebody", "good", "2026-01-01"};
    struct arena findings_arena = {0};
    struct baseline_findings findings = {0};
    baseline_judge(&findings_arena, baseline, &facts, &findings);
    for (unsigned i = 0; i < findings.list.count; i++)
        if (findings.list.item[i].kind >= BASELINE_KINDS || !findings.list.item[i].text)
            abort();
    arena_free(&findings_arena);
    baseline_accept(baseline, &facts, &note);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!file.boots.count)
        make_log();
    size_t fault;
    json_object *baseline = json_read((const char *)data, size, &fault);
    if (!baseline)
        return 0;
    if (baseline_refusal(baseline) && json_object_is_type(baseline, json_type_object))
        baseline_seal(baseline);
    if (!baseline_refusal(baseline)) {
        use(baseline);
        if (baseline_refusal(baseline))
            abort();
    }
    json_object_put(baseline);
    return 0;
}
