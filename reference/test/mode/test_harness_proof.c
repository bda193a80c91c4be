/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/cpuid_walk.h"
#include "reference/mode/prove.h"
#include "tests/host/case.h"

#include <stdio.h>
#include <string.h>

static struct proof proof;
static struct results results;
static const struct test_declaration gp = {.id = "gp.x"}, smm = {.id = "smm.y", .unproven = "needs a real SMM"};

static void noted(const struct test_declaration *test, const char *label, bool held)
{
    struct check check = {.label = label, .bit = NO_BIT};
    results_clear(&results);
    results_check(&results, &check, held);
    proof_note(&proof, test, &results);
}

CASE(book)
{
    char text[64];
    proof_begin(&proof);
    noted(&gp, "a", true);
    noted(&gp, "b", true);
    noted(&smm, "c", true);
    assert_int_equal(proof_end(&proof, NULL), 0);
    assert_int_equal(proof_unproven(&proof), 2);
    assert_string_equal(proof_caught(&proof, text, sizeof(text)), "");

    proof_begin(&proof);
    noted(&gp, "a", false);
    noted(&gp, "a", true); /* it held on another CPU */
    noted(&gp, "b", true);
    assert_int_equal(proof_end(&proof, NULL), 1);
    assert_string_equal(proof_caught(&proof, text, sizeof(text)), "gp.x/a");
    assert_int_equal(proof_unproven(&proof), 1);

    proof_begin(&proof);
    noted(&gp, "a", false);
    noted(&gp, "b", false);
    assert_int_equal(proof_end(&proof, NULL), 2);
    assert_string_equal(proof_caught(&proof, text, sizeof(text)), "gp.x/a,gp.x/b");
    assert_string_equal(proof_caught(&proof, text, 16), "gp.x/a+1");
    assert_int_equal(proof_unproven(&proof), 0);
    assert_int_equal(proof.count, 3);
}

/* A check that fails only because another one failed before is not proven; and a failure of one counter proves nothing
 * for another counter. */
CASE(meant)
{
    struct check check = {.label = "a", .bit = NO_BIT};
    proof = (struct proof){.count = 0};
    proof_begin(&proof);
    results_clear(&results);
    check.msr = 0xc1;
    results_check(&results, &check, false);
    check.msr = 0xc2;
    results_check(&results, &check, true);
    proof_note(&proof, &gp, &results);
    assert_int_equal(proof_end(&proof, "pmi.*,freeze.*"), 1);
    assert_int_equal(proof_unproven(&proof), 1);
    assert_true(proof.key[0].failed && !proof.key[0].proven);
    assert_int_equal(proof.keys, 2);

    proof_begin(&proof);
    proof_note(&proof, &gp, &results);
    assert_int_equal(proof_end(&proof, "pmi.*,gp.*"), 1);
    assert_int_equal(proof_unproven(&proof), 0);
    assert_true(proof.key[0].proven);
    assert_true(!proof.key[1].failed && !proof.key[1].proven);
    assert_int_equal(proof.keys, 2);
}

/* A test that ended in an error has caught nothing. */
CASE(errors)
{
    struct check check = {.label = "d", .bit = NO_BIT};
    proof_begin(&proof);
    results_clear(&results);
    results_check(&results, &check, false);
    results_raise(&results, OUTCOME_ERROR, REASON_NONE, "fault");
    proof_note(&proof, &gp, &results);
    assert_int_equal(proof_end(&proof, NULL), 0);
}

CASE(full_book)
{
    static char labels[PROOF_LABELS + 1][8];
    proof = (struct proof){.count = 0};
    for (unsigned i = 0; i <= PROOF_LABELS; i++) {
        snprintf(labels[i], sizeof(labels[i]), "%u", i);
        noted(&gp, labels[i], false);
    }
    assert_true(proof.overflowed);
    assert_int_equal(proof_end(&proof, NULL), PROOF_LABELS);
}

/* ---- Leaves of CPUID */

static unsigned asked;

static void small_cpu(u32 leaf, u32 subleaf, u32 value[4])
{
    asked++;
    memset(value, 0, 4 * sizeof(value[0]));
    if (leaf == 0)
        value[0] = 0x23;
    else if (leaf == 1)
        value[2] = 1u << 31;
    else if (leaf == 4)
        value[0] = subleaf < 3;
    else if (leaf == 7)
        value[0] = 2;
    else if (leaf == 0xb)
        value[2] = subleaf < 2 ? (subleaf + 1) << 8 : 0;
    else if (leaf == 0xd)
        value[0] = subleaf == 0 ? 7 : 0, value[2] = subleaf == 1 ? 0x100 : 0;
    else if (leaf == 0x23)
        value[0] = subleaf == 0 ? 0x2b : 0;
    else if (leaf == 0x40000000)
        value[0] = 0x40000001;
    else if (leaf == 0x80000000)
        value[0] = 0x80000004;
}

static unsigned count_of(const struct cpuid_entry *entries, unsigned n, u32 leaf)
{
    unsigned count = 0;
    for (unsigned i = 0; i < n; i++)
        count += entries[i].leaf == leaf;
    return count;
}

CASE(leaves)
{
    struct cpuid_entry entries[128];
    unsigned n = cpuid_walk(small_cpu, entries, 128);
    assert_int_equal(count_of(entries, n, 4), 4); /* the sub-leaf of type 0 ends the list and is shown */
    assert_int_equal(count_of(entries, n, 7), 3);
    assert_int_equal(count_of(entries, n, 0xb), 3);
    assert_int_equal(count_of(entries, n, 0xd), 4);  /* 0, 1, components 2 and 8 */
    assert_int_equal(count_of(entries, n, 0x23), 4); /* 0, 1, 3 and 5 */
    assert_int_equal(count_of(entries, n, 0x40000001), 1);
    assert_int_equal(count_of(entries, n, 0x80000004), 1);
    assert_int_equal(count_of(entries, n, 0x80000005), 0);
    assert_int_equal(cpuid_walk(small_cpu, entries, 5), 5);
}

static void wild_cpu(u32 leaf, u32 subleaf, u32 value[4])
{
    (void)leaf;
    (void)subleaf;
    asked++;
    memset(value, 0xff, 4 * sizeof(value[0]));
}

/* The walk ends, whatever CPUID answers. */
CASE(endless)
{
    static struct cpuid_entry entries[256];
    asked = 0;
    assert_int_equal(cpuid_walk(wild_cpu, entries, 256), 256);
    assert_true(asked < 10000);
}

int main(void)
{
    return run_cases();
}
