/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Reference PMUs of dumped CPUs: each answers what its rows of the text say, read here by other code than the build's,
 * and has every counter that it enumerates.
 */
#include "reference/dumps/dumps.h"
#include "reference/test/model/model_rig.h"
#include "tests/host/pmu/cpu_corpus.h"
#include <stdio.h>

/* One kind of core of a CPU, in a model of its own. */
struct dumped {
    struct rig r;
    struct profile room[DUMPED_CORES_MOST];
};

static void dumped_open(struct dumped *d, const struct dumped_cpu *cpu, u32 kind)
{
    rig_open(&d->r, NULL, 1, 0);
    d->r.setup = (struct model_setup){.profile = dump_profile(cpu, d->room), .cpu = kind, .cpus = cpu->cores};
    assert_non_null(d->r.setup.profile);
    model_reset(d->r.model, &d->r.setup, &d->r.host);
}

static struct cpuid_regs ask(struct dumped *d, u32 leaf, u32 subleaf)
{
    const u32 machine[4] = {0};
    u32 got[4];
    model_cpuid(d->r.model, leaf, subleaf, machine, got);
    return (struct cpuid_regs){got[0], got[1], got[2], got[3]};
}

static bool same(struct cpuid_regs a, struct cpuid_regs b)
{
    return a.eax == b.eax && a.ebx == b.ebx && a.ecx == b.ecx && a.edx == b.edx;
}

/* The log names for each CPU what its row lacks: fields with a ?, and what no dump can have. */
static bool assumes_as(const struct dumped *d, const struct corpus_row *row)
{
    const char *assumed = d->room[d->r.setup.cpu].assumed;
    return !strstr(assumed, "perf-capabilities") == (row->perfcap_known || !row->pdcm) &&
           !strstr(assumed, "misc-enable") == row->misc_known && strstr(assumed, "microcode reserved-bits clocks");
}

static bool answers_as(struct dumped *d, const struct corpus_row *row)
{
    struct cpuid_regs leaf1 = ask(d, 1, 0);
    bool good = leaf1.eax == row->signature && same(ask(d, 0x0a, 0), row->leaf0a) &&
                ask(d, 0, 0).eax == row->max_leaf && ask(d, 0x1a, 0).eax == row->leaf1a &&
                (leaf1.ecx >> 15 & 1) == row->pdcm && (leaf1.ecx >> 2 & 1) == row->dtes64 &&
                (leaf1.edx >> 21 & 1) == row->ds && (ask(d, 7, 1).eax >> 8 & 1) == row->has_leaf23;
    for (u32 subleaf = 0; subleaf < CORPUS_SUBLEAVES; subleaf++)
        good &= same(ask(d, 0x23, subleaf), row->leaf23[subleaf]);
    return good && assumes_as(d, row) && (!row->misc_known || rd(&d->r, 0x1a0) == row->misc) &&
           (!row->perfcap_known || !row->pdcm || rd(&d->r, 0x345) == row->perfcap);
}

static bool has_row(struct dumped *d)
{
    const struct corpus_row *rows;
    unsigned count = corpus_read(&rows);
    for (unsigned i = 0; i < count; i++)
        if (rows[i].intel && !rows[i].hypervisor && answers_as(d, &rows[i]))
            return true;
    return false;
}

/* Runs a check on each kind of core of each CPU. */
static void of_all(void (*check)(struct dumped *d, const struct dumped_cpu *cpu))
{
    struct dumped d;
    for (unsigned i = 0; i < dumped_cpu_count; i++)
        for (u32 kind = 0; kind < dumped_cpus[i].cores; kind++) {
            dumped_open(&d, &dumped_cpus[i], kind);
            check(&d, &dumped_cpus[i]);
            rig_close(&d.r);
        }
}

static void answers(struct dumped *d, const struct dumped_cpu *cpu)
{
    if (!has_row(d))
        fail_msg("%s: no row of the text says so", cpu->name);
}

CASE(each_answers_as_dumped)
{
    of_all(answers);
}

/* Counters of leaves 0AH and 23H: value, control and enable can be written. */
static void counter_works(struct dumped *d, u32 msr, u32 control, u64 on, u64 enable)
{
    wr(&d->r, msr, 5);
    assert_int_equal(rd(&d->r, msr), 5);
    wr(&d->r, control, on);
    if (enable)
        wr(&d->r, 0x38f, enable);
    wr(&d->r, control, 0);
}

static void counters_work(struct dumped *d, const struct dumped_cpu *cpu)
{
    struct cpuid_regs leaf = ask(d, 0x0a, 0), more = ask(d, 0x23, 1);
    u32 version = leaf.eax & 0xff, gp = ((1u << (leaf.eax >> 8 & 0xff)) - 1) | more.eax;
    u32 fixed = version < 2 ? 0 : ((1u << (leaf.edx & 0x1f)) - 1) | (version < 5 ? 0 : leaf.ecx) | more.ebx;
    (void)cpu;
    for (u32 n = 0; n < 10; n++)
        if (gp >> n & 1)
            counter_works(d, 0xc1 + n, 0x186 + n, 0x5300c0, version < 2 ? 0 : 1ull << n);
    for (u32 i = 0; i < 7; i++)
        if (fixed >> i & 1)
            counter_works(d, 0x309 + i, 0x38d, 0xbull << 4 * i, 1ull << (32 + i));
    if (version >= 2)
        wr(&d->r, 0x390, (u64)fixed << 32 | gp);
}

CASE(each_counter_works)
{
    of_all(counters_work);
}

/* Every row of the text for a CPU with a PMU of a known class is one of them. */
CASE(none_is_left_out)
{
    const struct corpus_row *rows;
    static struct profile room[DUMPED_CORES_MOST];
    unsigned count = corpus_read(&rows), models[256] = {0}, different = 0;
    for (unsigned i = 0; i < count; i++) {
        bool found = !rows[i].intel || rows[i].hypervisor || !strcmp(rows[i].class, "unknown") ||
                     (!rows[i].has_leaf0a && !rows[i].long_mode);
        for (unsigned n = 0; n < dumped_cpu_count; n++) {
            const struct profile *p = dump_profile(&dumped_cpus[n], room);
            found |= p->signature == rows[i].signature && p->leaf0a[0] == rows[i].leaf0a.eax;
        }
        if (!found)
            fail_msg("%08x %s: left out", rows[i].signature, rows[i].name);
    }
    for (unsigned n = 0; n < dumped_cpu_count; n++) {
        u32 signature = dump_profile(&dumped_cpus[n], room)->signature;
        different += !models[(signature >> 12 & 0xf0) | (signature >> 4 & 15)]++;
    }
    assert_true(different >= 65);
}

/* Names of runs: the signature, and a dot and a number if several have the same. */
CASE(each_has_a_name)
{
    static struct profile room[DUMPED_CORES_MOST];
    char name[16];
    for (unsigned a = 0; a < dumped_cpu_count; a++) {
        const struct profile *p = dump_profile(&dumped_cpus[a], room);
        size_t length = (size_t)snprintf(name, sizeof(name), "%x", p->signature);
        assert_true(!strncmp(dumped_cpus[a].name, name, length) && strchr(".", dumped_cpus[a].name[length]));
        for (unsigned b = 0; b < a; b++)
            assert_string_not_equal(dumped_cpus[a].name, dumped_cpus[b].name);
        for (; p; p = p->second)
            assert_string_equal(p->name, dumped_cpus[a].name);
    }
}

int main(void)
{
    return run_cases();
}
