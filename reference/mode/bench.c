/* SPDX-License-Identifier: BSD-2-Clause */
/* What the reference PMU costs: lines for `make bench`, printed only with the option `bench`. */
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/log/log.h"
#include "reference/mode/runs.h"
#include "reference/step/stepper.h"

#define TIMEOUT_MS 20000

static PER_CPU struct stepper_speed speed;
static struct stepper_statistics before;
static u64 began;

static void measure_here(void *argument)
{
    (void)argument;
    of_cpu(speed, cpu_index()) = stepper()->speed();
}

void bench_stepping(const struct cpu_set *cpus)
{
    if (!option_bench.given)
        return;
    cpus_run(cpus, measure_here, NULL, TIMEOUT_MS, NULL);
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (cpu_set_has(cpus, cpu))
            log_line("# bench cpu=%u trap-ps=%lu step-ps=%lu call-ps=%lu site-ps=%lu free-ps=%lu loop-us=%lu", cpu,
                     of_cpu(speed, cpu).trap_ps, of_cpu(speed, cpu).step_ps, of_cpu(speed, cpu).call_ps,
                     of_cpu(speed, cpu).site_ps, of_cpu(speed, cpu).free_ps, of_cpu(speed, cpu).loop_us);
}

void bench_test_begin(void)
{
    if (!option_bench.given || !stepper_active())
        return;
    before = stepper()->statistics();
    began = time_now();
}

void bench_test_end(const struct test_declaration *test)
{
    if (!option_bench.given || !stepper_active())
        return;
    struct stepper_statistics after = stepper()->statistics();
    u64 in[STEPPER_STATES];
    for (unsigned state = 0; state < STEPPER_STATES; state++)
        in[state] = after.checked[state] - before.checked[state];
    log_line("# bench test=%s us=%lu steps=%lu traps=%lu exits=%lu accesses=%lu forwarded=%lu native=%lu "
             "shadowed=%lu inside=%lu by-exit=%lu",
             test->id, time_us(time_now() - began), after.steps - before.steps, after.traps - before.traps,
             after.exits - before.exits, after.accesses - before.accesses, after.forwarded - before.forwarded, in[0],
             in[1], in[2], in[3]);
}

void bench_walks(u32 walks, u64 us, u64 oracle_us)
{
    if (option_bench.given)
        log_line("# bench lockstep walks=%u us=%lu oracle-us=%lu", walks, us, oracle_us);
}
