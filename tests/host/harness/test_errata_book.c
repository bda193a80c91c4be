/* SPDX-License-Identifier: BSD-2-Clause */
/* A run's report of each erratum of its CPUs. */
#include "harness/core/errata_book.h"
#include "harness/report/report_text.h"
#include "pmu/registers.h"
#include "tests/host/case.h"
#include "tests/host/pmu/cpu_dumps.h"
#include <string.h>

static struct errata_book book;
static struct results results;
static char line[REPORT_LINE];

static int begin(void **state)
{
    (void)state;
    errata_book_clear(&book);
    results_clear(&results);
    return 0;
}

static struct pmu_caps haswell(void)
{
    struct pmu_caps caps = cpu_caps("haswell");
    caps.signature = 0x306c3;
    return caps;
}

/* A count that was `off` too high in `failed` of `repeats`, each time by another amount. */
static void count(u32 repeats, u32 failed, u64 off)
{
    struct check check = {
        .label = "count", .msr = MSR_PMC(0), .aspects = ASPECT_INSTRUCTIONS, .bit = NO_BIT, .kind = CHECK_EQUAL};
    for (u32 i = 0; i < repeats; i++) {
        check.want = 100;
        check.got = i < failed ? 100 + off + i % 2 : 100;
        results_check(&results, &check, i >= failed);
    }
}

static void note(const struct pmu_caps *caps, const char *test)
{
    errata_book_note(&book, caps, 0, test, &results);
    results_clear(&results);
}

static const char *told(const struct pmu_caps *caps, unsigned group, const char *number)
{
    struct erratum_entry entry;
    for (unsigned i = 0; i < errata_book_size(); i++)
        if (errata_book_entry(&book, group, caps, i, &entry) && !strcmp(entry.number, number))
            return report_erratum(line, book.group[group], &entry);
    return "none";
}

CASE(seen)
{
    struct pmu_caps caps = haswell();
    count(100, 10, 3);
    note(&caps, "gp.instructions");
    count(100, 5, 3);
    note(&caps, "fixed.instructions");
    assert_string_equal(told(&caps, 0, "HSD140"), "# erratum HSD140 core-type=0 area=counting state=seen seen=15 "
                                                  "asked=200 per-million=75000 test=gp.instructions");
}

/* A larger error than the sheet's is another failure. */
CASE(not_seen)
{
    struct pmu_caps caps = haswell();
    count(300, 10, 1000);
    note(&caps, "gp.instructions");
    assert_string_equal(told(&caps, 0, "HSD140"), "# erratum HSD140 core-type=0 area=counting state=not-seen asked=300 "
                                                  "excluded-per-million=10000");
}

CASE(not_provoked)
{
    struct pmu_caps caps = haswell();
    note(&caps, "gp.instructions");
    assert_string_equal(told(&caps, 0, "HSD140"),
                        "# erratum HSD140 core-type=0 area=counting state=not-provoked because=no-check");
    assert_string_equal(told(&caps, 0, "HSD168"),
                        "# erratum HSD168 core-type=0 area=pebs state=not-provoked because=condition");
    assert_string_equal(told(&caps, 0, "HSD172"),
                        "# erratum HSD172 core-type=0 area=lbr state=not-judged because=measured");
}

/* The sheet requires two threads. */
CASE(not_here)
{
    struct pmu_caps caps = haswell();
    caps.threads_per_core = 1;
    note(&caps, "gp.instructions");
    assert_string_equal(told(&caps, 0, "HSD143"), "# erratum HSD143 core-type=0 area=counting state=not-here");
}

CASE(others_are_none_of_it)
{
    struct pmu_caps caps = cpu_caps("skylake");
    note(&caps, "gp.instructions");
    assert_string_equal(told(&caps, 0, "HSD140"), "none");
    assert_int_not_equal(strcmp(told(&caps, 0, "SKL91"), "none"), 0);
}

/* Does the microcode that should fix it do so? An overflow whose PMI froze nothing, on a Goldmont Plus. */
CASE(fixed)
{
    struct pmu_caps caps = cpu_caps("goldmont-plus");
    struct check check = {
        .label = "frozen", .aspects = ASPECT_FREEZE, .bit = NO_BIT, .kind = CHECK_EQUAL, .got = 1, .want = 0};
    caps.microcode = ~0u;
    results_check_many(&results, &check, 50, 0);
    note(&caps, "freeze.on-pmi");
    assert_string_equal(told(&caps, 0, "freeze-ucode"), "# erratum freeze-ucode core-type=0 area=freeze state=fixed "
                                                        "asked=50 excluded-per-million=60000");
    results_check_many(&results, &check, 50, 1);
    note(&caps, "freeze.on-pmi");
    assert_string_equal(told(&caps, 0, "freeze-ucode"),
                        "# erratum freeze-ucode core-type=0 area=freeze state=not-fixed "
                        "seen=1 asked=100 per-million=10000 test=freeze.on-pmi");
    caps.microcode = 1;
    assert_string_equal(told(&caps, 0, "freeze-ucode"), "# erratum freeze-ucode core-type=0 area=freeze state=seen "
                                                        "seen=1 asked=100 per-million=10000 test=freeze.on-pmi");
}

/* Kinds of core are separate; those beyond the room are left out. */
CASE(groups)
{
    struct pmu_caps caps = haswell();
    for (u32 group = 0; group < ERRATA_GROUPS + 1; group++) {
        count(4, 0, 0);
        errata_book_note(&book, &caps, 2 * group, "gp.instructions", &results);
        results_clear(&results);
    }
    assert_int_equal(book.groups, ERRATA_GROUPS);
    assert_string_equal(told(&caps, 1, "HSD140"), "# erratum HSD140 core-type=2 area=counting state=not-seen asked=4 "
                                                  "excluded-per-million=750000");
}

int main(void)
{
    const struct CMUnitTest list[] = {
        cmocka_unit_test_setup(seen, begin),         cmocka_unit_test_setup(not_seen, begin),
        cmocka_unit_test_setup(not_provoked, begin), cmocka_unit_test_setup(not_here, begin),
        cmocka_unit_test_setup(fixed, begin),        cmocka_unit_test_setup(others_are_none_of_it, begin),
        cmocka_unit_test_setup(groups, begin),
    };
    return cmocka_run_group_tests(list, NULL, NULL);
}
