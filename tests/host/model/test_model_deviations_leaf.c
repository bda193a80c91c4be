/* links: pmu/reference/model/ pmu/reference/deviations/ */
/* Deviations on profiles of their own: leaf 23H, and slots. */
#include "tests/host/model/model_probe.h"

static u32 leaf_23(struct rig *r, u32 subleaf, unsigned reg)
{
    u32 native[4] = {0}, out[4];
    model_cpuid(r->model, 0x23, subleaf, native, out);
    return out[reg];
}

static u64 subleaves(struct rig *r)
{
    return leaf_23(r, 0, 0);
}

static u64 gp(struct rig *r)
{
    return leaf_23(r, 1, 0);
}

static u64 fixed(struct rig *r)
{
    return leaf_23(r, 1, 1);
}

static u64 events(struct rig *r)
{
    return leaf_23(r, 3, 0);
}

static u64 reload(struct rig *r)
{
    return leaf_23(r, 2, 0);
}

static u64 sampling(struct rig *r)
{
    return leaf_23(r, 5, 0);
}

static void count_slots(struct rig *r)
{
    wr(r, MSR_FIXED_CTR_CTRL, FIXED_OS(FIXED_TOPDOWN_SLOTS));
    wr(r, MSR_PERF_METRICS, 0);
    wr(r, MSR_PERF_GLOBAL_CTRL, GLOBAL_FIXED(FIXED_TOPDOWN_SLOTS) | GLOBAL_METRICS);
    plain(r, 1000);
}

static u64 slots(struct rig *r)
{
    count_slots(r);
    return rd(r, MSR_FIXED_CTR(FIXED_TOPDOWN_SLOTS)) != 0;
}

static u64 sum_of_metrics(struct rig *r)
{
    u64 sum = 0;
    count_slots(r);
    for (unsigned i = 0; i < 4; i++)
        sum += rd(r, MSR_PERF_METRICS) >> 8 * i & 0xff;
    return sum == 0xff;
}

/* CPU 3 of 4 is an E core: eight GP counters, fixed counters 0 to 2 and 4 to 6. */
static const struct probe_row rows[] = {
    {"leaf-23-empty", subleaves, 0x0f, 0x0d},           {"leaf-23-gp-missing", gp, 0xff, 0xfe},
    {"leaf-23-fixed-missing", fixed, 0x77, 0x73},       {"leaf-23-event-missing", events, 0x1f7f, 0x1f5f},
    {"leaf-23-reload-absent", reload, 0xfc, 0x1fc},     {"leaf-23-sampling-absent", sampling, 0, 0x100},
    {"leaf-23-sampling-absent", subleaves, 0x0f, 0x2f}, {"slots-dead", slots, 1, 0},
    {"metrics-wrong-after-c02", sum_of_metrics, 1, 0},
};

static void each_does_what_it_says(void **state)
{
    (void)state;
    check_probes(rows, ARRAY_SIZE(rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_does_what_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
