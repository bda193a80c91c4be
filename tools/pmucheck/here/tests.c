/* SPDX-License-Identifier: BSD-2-Clause */
/* Which tests of the image this machine meets the needs of, by the tests' own declarations. */
#include "harness/run/needs.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/pebs.h"
#include "tools/pmucheck/here/here.h"
#include <string.h>

static const struct declared_needs {
    const char *id;
    struct needs needs;
} declared[] = {
#define TEST_NEEDS(id, ...) {id, __VA_ARGS__},
#include "needs.def"
#undef TEST_NEEDS
};

/* ---- What the tests of a chapter look for themselves */

static bool traces(const struct pmu_caps *caps)
{
    return caps->pt;
}

static bool records(const struct pmu_caps *caps)
{
    struct lbr_stack stack;
    return lbr_stack(caps, &stack);
}

static bool netburst(const struct pmu_caps *caps)
{
    return cpu_class(caps) == CLASS_NETBURST;
}

static const struct {
    const char *chapter;
    bool (*there)(const struct pmu_caps *caps);
} chapters[] = {{"trace.", traces}, {"lbr.", records}, {"netburst.", netburst}};

static bool lacks_chapter(const char *id, const struct pmu_caps *caps)
{
    for_each_row (chapters, row)
        if (strncmp(id, row->chapter, strlen(row->chapter)) == 0)
            return !row->there(caps);
    return false;
}

/* ---- */

static bool runs(const struct declared_needs *test, const struct pmu_caps *caps, const struct environment *environment)
{
    struct unmet unmet;
    return !lacks_chapter(test->id, caps) && !needs_unmet(&test->needs, caps, environment, &unmet);
}

/* The same CPU with every capability that IA32_PERF_CAPABILITIES could tell of, where that was not read. */
static struct pmu_caps at_best(const struct pmu_caps *caps)
{
    struct pmu_caps best = *caps;
    if (caps->perf_capabilities_unread) {
        best.perf_capabilities_unread = false;
        best.perf_capabilities = ~PERF_CAP_PEBS_FORMAT | FIELD(11, 8, 4);
        best.full_width = true;
        best.metrics = class_metrics_fields(cpu_class(caps));
    }
    return best;
}

void here_look_tests(struct here *here)
{
    const struct environment environment = {here->cores.vendor, true, here->cores.cpus, false};
    for_each_row (declared, test) {
        bool run = false, may = false;
        for_each_item (here->cores.kinds, kind) {
            const struct pmu_caps *caps = &kind->caps, best = at_best(caps);
            run |= runs(test, caps, &environment);
            may |= runs(test, &best, &environment);
        }
        here->tests.all++;
        here->tests.run += run;
        here->tests.unknown += may && !run;
    }
}
