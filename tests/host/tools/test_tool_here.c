/* SPDX-License-Identifier: BSD-2-Clause */
/* What is told of a machine: folders of recorded answers, and every CPU that somebody has dumped. */
#include "host/pmu/cpu_corpus.h"
#include "kernel/core/image.h"
#include "pmu/registers.h"
#include "tests/host/tools/root.h"
#include "tests/host/tools/text_rig.h"
#include "tools/pmucheck/here/here.h"
#include "tools/pmucheck/here/recorded.h"
#include <unistd.h>

static struct here here;
static struct here_source source;

/* ---- Lines */

CASE(lines_are_read_whole_or_refused)
{
    static const struct {
        const char *text;
        unsigned wrong;
    } cpuid[] = {{"0 a 0 07300404 0 0 603\n", 0}, {"# a comment\n\n  \n* 0 0 16 1 2 3\n", 0}, {"0 a 0 1 2 3\n", 1},
                 {"0 a 0 1 2 3 4 5\n", 1},        {"0 0 0 1 2 3 4\n0 1 0 1 2 3 4x\n", 2},     {"-1 0 0 1 2 3 4\n", 1},
                 {"0 0 0 123456789 2 3 4\n", 1}},
      msr[] = {{"0 38d 330\n* 392 fault\n", 0}, {"0 38d\n", 1}, {"0 38d faults\n", 1}, {"0 38d 1 2\n", 1}};
    struct arena arena = {0};
    struct recorded_cpus cpus = {0};
    for_each_row (cpuid, row)
        assert_int_equal(recorded_read_cpuid(&arena, &cpus, row->text, strlen(row->text)), row->wrong);
    for_each_row (msr, row)
        assert_int_equal(recorded_read_msr(&arena, &cpus, row->text, strlen(row->text)), row->wrong);
    arena_free(&arena);
}

CASE(a_cpu_own_line_is_before_those_of_all)
{
    static const char leaves[] = "* 1a 0 20000001 0 0 0\n0 1a 0 40000001 0 0 0\n",
                      registers[] = "0 345 33c5\n* 345 fault\n";
    struct arena arena = {0};
    struct recorded_cpus cpus = {0};
    recorded_read_cpuid(&arena, &cpus, leaves, sizeof(leaves) - 1);
    recorded_read_msr(&arena, &cpus, registers, sizeof(registers) - 1);
    assert_int_equal(recorded_leaf(&cpus, 0, 0x1a, 0)->regs.eax, 0x40000001);
    assert_int_equal(recorded_leaf(&cpus, 7, 0x1a, 0)->regs.eax, 0x20000001);
    assert_null(recorded_leaf(&cpus, 0, 0x1a, 1));
    assert_int_equal(recorded_msr(&cpus, 0, 0x345)->value, 0x33c5);
    assert_true(recorded_msr(&cpus, 1, 0x345)->fault);
    assert_null(recorded_msr(&cpus, 0, 0x346));
    arena_free(&arena);
}

/* ---- Machines as folders */

#define SKYLAKE                                   \
    "* 0 0 16 756e6547 6c65746e 49656e69\n"       \
    "* 1 0 000506e3 00100800 7ffafbbf bfebfbff\n" \
    "* 7 0 0 029c6fbf 0 9c002400\n"               \
    "* a 0 07300404 0 0 603\n"                    \
    "* b 0 1 2 100 0\n"                           \
    "* 14 0 1 f 7 0\n"                            \
    "* 80000000 0 80000004 0 0 0\n"               \
    "* 80000002 0 20202020 65746e49 2952286c 20202020\n"

static int a_machine(void **state)
{
    (void)state;
    root_make();
    put("cpuid", SKYLAKE);
    put("sys/devices/system/cpu/online", "0-3\n");
    put("proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\nmicrocode\t: 0xc2\n");
    put("proc/sys/kernel/nmi_watchdog", "0\n");
    put("proc/sys/kernel/perf_event_paranoid", "2\n");
    put("sys/bus/event_source/devices/software/type", "1\n");
    put("sys/bus/event_source/devices/cpu/type", "4\n");
    return 0;
}

/* As firmware of HP leaves it: fixed counters 1 and 2 are on, on CPUs 0 and 1. */
static void with_registers(void)
{
    put("msr", "* 1a0 850089\n* 345 33c5\n* 570 0\n* 34 7\n* 392 600000000\n* 38d 0\n0 38d 330\n1 38d 330\n"
               "* 38f 70000000f\n* 38e 0\n* 186 0\n* 187 0\n* 188 0\n* 189 0\n* 4c1 0\n* 4c2 0\n* 4c3 0\n* 4c4 0\n"
               "* 309 0\n* 30a 12345\n* 30b 4\n* 1d9 0\n* 600 0\n* 3f1 0\n");
}

static void look(void)
{
    const char *error = "";
    memset(&here, 0, sizeof(here));
    assert_true(here_recorded(&here.arena, root, &source, &error));
    here_look(&here, &source);
}

static int leave(void **state)
{
    here_free(&here);
    return root_remove(state);
}

static const struct here_erratum *erratum(const char *number)
{
    for (unsigned i = 0; i < here.errata[0].count; i++)
        if (strcmp(here.errata[0].item[i].number, number) == 0)
            return &here.errata[0].item[i];
    return NULL;
}

static const struct here_claim *claim(const char *label)
{
    for (unsigned i = 0; i < here.held.claims.count; i++)
        if (strcmp(here.held.claims.item[i].meaning->label, label) == 0)
            return &here.held.claims.item[i];
    return NULL;
}

CASE(an_ordinary_user_sees_what_cpuid_and_linux_tell)
{
    look();
    assert_null(here.verdict);
    assert_int_equal(here.cores.kinds.count, 1);
    assert_int_equal(here.cores.cpus, 4);
    assert_string_equal(here.cores.brand, "Intel(R)");
    assert_string_equal(here.cores.kinds.item[0].kind, "skylake");
    assert_string_equal(here_cpus(&here.arena, &here.cores.kinds.item[0].cpus), "0-3");
    assert_string_equal(here_counting(&here.arena, &here.cores.kinds.item[0].caps),
                        "version 4, 4 counters x 48 bits, 3 fixed x 48");
    assert_int_equal(here.cores.kinds.item[0].caps.microcode, 0xc2);
    assert_false(here.cores.registers);
    assert_non_null(strstr(here_sampling(&here.arena, &here.cores.kinds.item[0].caps), "root"));
    assert_int_equal(here.held.claims.count, 0);
    assert_int_equal(here.system.units.count, 2);
    assert_string_equal(here.system.units.item[0], "cpu");
    assert_true(here.tests.run > 100 && here.tests.unknown > 10);
    assert_true(here.tests.run + here.tests.unknown < here.tests.all);
}

CASE(root_sees_what_firmware_left_on)
{
    with_registers();
    look();
    assert_true(here.cores.registers);
    assert_true(here.held.in_use_known);
    assert_string_equal(here_counters(&here.arena, here.held.in_use), "fixed1,fixed2");
    const struct here_claim *running = claim("handoff.fixed-running");
    assert_non_null(running);
    assert_string_equal(here_cpus(&here.arena, &running->cpus), "0-1");
    assert_string_equal(running->reg, "IA32_FIXED_CTR_CTRL");
    assert_int_equal(running->found, 0x330);
    assert_non_null(strstr(here_meaning(&here.arena, running->meaning, "fix"), "ProLiant"));
    assert_string_equal(here_meaning(&here.arena, running->meaning, "owner"), "firmware");
    assert_string_equal(here_sampling(&here.arena, &here.cores.kinds.item[0].caps),
                        "PEBS format 3 on pmc0,pmc1,pmc2,pmc3");
    assert_int_equal(here.tests.unknown, 0);
}

CASE(errata_are_those_of_the_image)
{
    look();
    assert_non_null(erratum("SKL91"));
    assert_int_equal(erratum("SKL91")->state, HERE_OPEN);
    assert_true(here_touches(erratum("SKL91"), "rr"));
    assert_false(here_touches(erratum("SKL91"), "r"));
    for (unsigned i = 0; i < here.errata[0].count; i++) {
        const struct here_erratum *e = &here.errata[0].item[i];
        assert_string_equal(e->number, erratum_listed(&e->row->fact, &here.cores.kinds.item[0].caps));
        assert_true(e->uses[0] != 0);
    }
}

/* Every fix in the table, one revision before it and at it. */
CASE(newer_microcode_mends)
{
    unsigned fixes = 0;
    for (const struct errata_row *row = errata_rows; row < errata_rows + errata_row_count; row++)
        for (const struct erratum_fix *fix = row->fact.fixed; fix && fix->signature; fix++) {
            struct pmu_caps caps = {.intel = true,
                                    .signature = fix->signature,
                                    .version = 5,
                                    .gp_count = 8,
                                    .rtm = true,
                                    .tsx_takes_pmc3 = true,
                                    .threads_per_core = 2,
                                    .guest = {.counter_held = true}};
            if (!erratum_listed(&row->fact, &caps) || !erratum_in_state(&row->fact, &caps))
                continue;
            for (u32 older = 0; older < 2; older++) {
                struct arena arena = {0};
                here_errata errata = {0};
                caps.microcode = fix->microcode - older;
                here_look_errata(&arena, &caps, &errata);
                unsigned i = 0;
                while (errata.item[i].row != row)
                    i++;
                assert_int_equal(errata.item[i].state, older ? HERE_MENDABLE : HERE_MENDED);
                assert_int_equal(errata.item[i].mended_by, fix->microcode);
                arena_free(&arena);
            }
            fixes++;
        }
    assert_true(fixes > 20);
}

CASE(programs_with_open_counters_are_named)
{
    put("proc/77/comm", "perf\n");
    put("proc/77/fd/0", "");
    put("proc/9/comm", "sh\n");
    put("proc/9/fd/0", "");
    for (char fd = '3'; fd < '6'; fd++) {
        char name[] = "proc/77/fd/3";
        name[sizeof(name) - 2] = fd;
        assert_int_equal(symlink("anon_inode:[perf_event]", at(name)), 0);
    }
    assert_int_equal(symlink("anon_inode:[eventfd]", at("proc/9/fd/3")), 0);
    look();
    assert_int_equal(here.system.processes.count, 1);
    assert_int_equal(here.system.processes.item[0].pid, 77);
    assert_int_equal(here.system.processes.item[0].counters, 3);
    assert_string_equal(here.system.processes.item[0].name, "perf");
}

/* Two kinds of core, as on Alder Lake: "*" is the Atom. */
CASE(each_kind_of_core_is_told_of)
{
    put("cpuid", "* 0 0 20 756e6547 6c65746e 49656e69\n* 1 0 00090672 0 7ffafbbf bfebfbff\n* 7 0 1 0 0 fc18c410\n"
                 "* a 0 07300605 0 7 8603\n* 1a 0 20000001 0 0 0\n0 1a 0 40000001 0 0 0\n1 1a 0 40000001 0 0 0\n");
    look();
    assert_int_equal(here.cores.kinds.count, 2);
    assert_string_equal(here.cores.kinds.item[0].kind, "golden-cove");
    assert_string_equal(here_cpus(&here.arena, &here.cores.kinds.item[0].cpus), "0-1");
    assert_string_equal(here.cores.kinds.item[1].kind, "gracemont");
    assert_string_equal(here_cpus(&here.arena, &here.cores.kinds.item[1].cpus), "2-3");
}

CASE(a_list_of_cpus_has_a_bound)
{
    put("sys/devices/system/cpu/online", "0,2-3,4294967295\n");
    look();
    assert_int_equal(here.cores.cpus, 3);
    assert_string_equal(here_cpus(&here.arena, &here.cores.kinds.item[0].cpus), "0,2-3");
    here_free(&here);
    put("sys/devices/system/cpu/online", "0-4294967294\n");
    look();
    assert_int_equal(here.cores.cpus, 0);
}

static void refuses(const char *words)
{
    look();
    assert_non_null(here.verdict);
    if (!strstr(here.verdict, words))
        fail_msg("%s", here.verdict);
    assert_int_equal(here.tests.all, 0);
}

CASE(another_maker)
{
    put("cpuid", "* 0 0 10 68747541 444d4163 69746e65\n* 1 0 00a20f12 0 0 0\n");
    refuses("AuthenticAMD, family 19H model 21H stepping 2");
}

CASE(a_guest_without_a_pmu)
{
    put("cpuid", "* 0 0 16 756e6547 6c65746e 49656e69\n* 1 0 000506e3 0 80000000 0\n"
                 "* 40000000 0 40000001 4b4d564b 564b4d56 4d\n");
    refuses("KVMKVMKVM shows this guest no PMU");
}

CASE(a_cpu_without_a_pmu)
{
    put("cpuid", "* 0 0 2 756e6547 6c65746e 49656e69\n* 1 0 000006d8 0 0 0\n");
    refuses("no architectural PMU");
}

CASE(no_answer_at_all)
{
    put("cpuid", "");
    refuses("no CPU could be asked");
    const char *error = "";
    put("cpuid", "0 a\n");
    assert_false(here_recorded(&here.arena, root, &source, &error));
    assert_non_null(strstr(error, "line 1"));
}

/* ---- What may be read */

CASE(only_the_images_registers_are_read)
{
    static const u32 never[] = {0x10, 0x1b, 0x79, 0x8b, 0xce, 0xe7, 0x17, 0x9e, 0x122, 0x1b1, REGISTER_LVTPC};
    with_registers();
    look();
    const struct pmu_caps *caps = &here.cores.kinds.item[0].caps;
    struct pmu_caps other = *caps;
    struct snapshot list;
    other.intel = false;
    snapshot_list(caps, SNAPSHOT_OWN | SNAPSHOT_SHARED, &list);
    for (unsigned i = 0; i < list.count; i++)
        assert_int_equal(here_may_read(caps, list.entry[i].msr), list.entry[i].msr != REGISTER_LVTPC);
    assert_true(here_may_read(caps, MSR_PERF_GLOBAL_INUSE));
    for_each_row (never, msr)
        assert_false(here_may_read(caps, *msr));
    for (u32 msr = 0; msr < 0x2000; msr++)
        assert_false(here_may_read(&other, msr));
}

/* ---- Every dump */

static struct cpuid_regs dumped_leaf(void *context, unsigned cpu, u32 leaf, u32 subleaf)
{
    const struct caps_dump *dump = context;
    const struct {
        u32 leaf, subleaf;
        const struct cpuid_regs *regs;
    } rows[] = {{0, 0, &dump->leaf0},
                {1, 0, &dump->leaf1},
                {4, 0, &dump->leaf4},
                {6, 0, &dump->leaf6},
                {7, 0, &dump->leaf7},
                {7, 1, &dump->leaf7_1},
                {0xa, 0, &dump->leaf0a},
                {0xb, 0, &dump->leaf0b},
                {0x14, 0, &dump->leaf14},
                {0x1a, 0, &dump->leaf1a},
                {0x1c, 0, &dump->leaf1c},
                {0x23, 0, &dump->leaf23},
                {0x23, 1, &dump->leaf23_1},
                {0x23, 2, &dump->leaf23_2},
                {0x23, 4, &dump->leaf23_4},
                {0x23, 5, &dump->leaf23_5},
                {CAPS_LEAF_HYPERVISOR, 0, &dump->leaf40000000}};
    (void)cpu;
    for_each_row (rows, row)
        if (row->leaf == leaf && row->subleaf == subleaf)
            return *row->regs;
    return (struct cpuid_regs){0};
}

static enum here_answer dumped_msr(void *context, unsigned cpu, u32 msr, u64 *value)
{
    const struct caps_dump *dump = context;
    (void)cpu;
    *value = msr == MSR_MISC_ENABLE ? dump->misc_enable : msr == MSR_PERF_CAPABILITIES ? dump->perf_capabilities : 0;
    return msr == MSR_PERF_CAPABILITIES && dump->perf_capabilities_unread ? HERE_FAULT : HERE_READ;
}

CASE(every_dumped_cpu_is_told_of)
{
    const struct corpus_row *rows;
    unsigned count = corpus_read(&rows), pmus = 0;
    for (unsigned i = 0; i < count; i++) {
        struct caps_dump dump = corpus_dump(&rows[i]);
        struct pmu_caps caps;
        dump.leaf7.eax = 1; /* the corpus has no leaf 7 but what leaf 23H needs of its sub-leaf 1 */
        caps_decode(&dump, &caps);
        memset(&here, 0, sizeof(here));
        here_look(&here, &(struct here_source){"/nowhere", &dump, dumped_leaf, dumped_msr});
        assert_int_equal(here.cores.kinds.count, 1);
        assert_int_equal(here.cores.kinds.item[0].caps.gp_bitmap, caps.gp_bitmap);
        assert_int_equal(here.cores.kinds.item[0].caps.fixed_bitmap, caps.fixed_bitmap);
        if (caps.present && caps.intel) {
            assert_null(here.verdict);
            assert_int_equal(here.tests.all, build_tests);
            assert_true(here.tests.run > 0);
            pmus++;
        }
        here_free(&here);
    }
    assert_true(pmus > 100);
}

/* ---- Forms */

CASE(forms_tell_the_same)
{
    FILE *out = text_new();
    with_registers();
    look();
    here_line(out, &here);
    here_text(out, &here);
    fclose(out);
    json_object *whole = here_json(&here);
    json_object *kind = json_item(json_object_object_get(whole, "kinds"), 0);
    says("SKL91 counting,rr: ", "handoff.fixed-running: CPUs 0-1, IA32_FIXED_CTR_CTRL=0x330 fixed1,fixed2",
         "CPUID.14H");
    assert_int_equal(json_count(json_object_object_get(kind, "errata")), here.errata[0].count);
    assert_string_equal(json_text(json_object_object_get(kind, "signature")), "000506e3");
    assert_true(json_value(json_object_object_get(json_object_object_get(whole, "tests"), "run")) == here.tests.run);
    json_object_put(whole);
}

int main(void)
{
    return run_cases_in((struct around_cases){.before_each = a_machine, .after_each = leave});
}
