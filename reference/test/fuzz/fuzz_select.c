/* SPDX-License-Identifier: BSD-2-Clause */
/* The texts of run=, skip=, cpus=, prove=, reference=, defect= and sums=, one on each line: their selections stay
 * within bounds. */
#include "harness/run/run.h"
#include "kernel/core/image.h"
#include "kernel/cpu/cpus.h"
#include "reference/mode/runs.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void nothing(struct test *t)
{
    (void)t;
}

static const struct test_declaration a = {.id = "gp.a", .title = "A", .spec = "SDM 3B, x", .run = nothing},
                                     b = {.id = "pmi.b", .title = "B", .spec = "SDM 3B, x", .run = nothing};
static const struct test_declaration *const pointers[] = {&a, &b};

static void require(bool held)
{
    if (!held)
        abort();
}

/* A refusal has a reason, and only a refusal. */
static void judged(bool good, const char *error)
{
    require(good == !error[0]);
}

static void select_all(const char *line[4])
{
    static struct registry registry;
    static struct selection selection;
    static struct runs runs;
    static char error[RUN_ERROR_SIZE + SELECT_ERROR_SIZE];
    struct cpu_set set = {0};
    static const u32 sums[] = {0x1234abcd, 0};
    u32 part = 0, parts = 0;
    error[0] = 0;
    if (!registry.count)
        require(registry_fill(&registry, pointers, pointers + 2, 2, error));
    judged(select_tests(&registry, line[0], line[1], &selection, error), error);
    require(selection.count <= 2);
    error[0] = 0;
    bool good = cpu_list_parse(line[0], 8, &set, error);
    judged(good, error);
    for (unsigned i = 8; good && i < MAX_CPUS; i++)
        require(!cpu_set_has(&set, i));
    error[0] = 0;
    good = select_part(line[0], &part, &parts, error);
    judged(good, error);
    require(!good || (part >= 1 && part <= parts && parts <= PARTS_MOST));
    error[0] = 0;
    good = runs_plan(line[2], line[3], &runs, error);
    judged(good, error);
    require(!good || (runs.count >= 1 && runs.count <= RUNS_MAX));
    for (unsigned i = 0; good && i < runs.count; i++) {
        char name[RUN_NAME_SIZE], place[RUN_PLACE_SIZE];
        require(strlen(run_name(&runs.run[i], name)) < sizeof(name));
        require(strlen(run_place(&runs.run[i], place)) < sizeof(place));
        run_profile(&runs.run[i]);
    }
    error[0] = 0;
    judged(modules_whole(sums, 2, line[0], error), error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[1024];
    const char *line[4] = {"", "", "", ""};
    if (size >= sizeof(text))
        return 0;
    memcpy(text, data, size);
    text[size] = 0;
    char *at = text;
    for (unsigned i = 0; i < 4 && at; i++) {
        line[i] = at;
        at = strchr(at, '\n');
        if (at)
            *at++ = 0;
    }
    select_all(line);
    return 0;
}
