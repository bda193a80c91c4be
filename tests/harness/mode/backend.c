/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/mode/backend.h"
#include "kernel/text/text.h"

/* The ends of the section "backends", named by the linker. */
extern const struct pmu_backend *const __start_backends[], *const __stop_backends[];

/* ---- The machine's own PMU alone. */

static bool plan(char *error)
{
    (void)error;
    return true;
}

static unsigned count(void)
{
    return 1;
}

static const struct pmu_run *run(unsigned n)
{
    (void)n;
    return NULL;
}

static const char *run_name(const struct pmu_run *of, char *text)
{
    (void)of;
    format_text(text, RUN_NAME_SIZE, "hardware");
    return text;
}

static bool active(void)
{
    return false;
}

static void nothing(void)
{
}

static void nothing_of_cpu(u32 cpu)
{
    (void)cpu;
}

static void nothing_of_test(const struct test_declaration *test)
{
    (void)test;
}

static void first(const struct session *session)
{
    (void)session;
}

static void doubt(const struct test_declaration *test, struct folded *folded)
{
    (void)test;
    (void)folded;
}

/* arm() and what follows it are not called: no run of it is on another PMU. */
static const struct pmu_backend none = {
    .plan = plan,
    .count = count,
    .run = run,
    .run_name = run_name,
    .list = nothing,
    .first = first,
    .doubt = doubt,
    .active = active,
    .leaves = nothing_of_cpu,
    .stays = nothing_of_cpu,
    .comes_back = nothing,
    .restore_text = nothing,
    .bench_begin = nothing,
    .bench_end = nothing_of_test,
};

bool backend_exists(void)
{
    return backend() != &none;
}

const struct pmu_backend *backend(void)
{
    const struct pmu_backend *const *first = __start_backends;
    return first < __stop_backends ? *first : &none;
}
