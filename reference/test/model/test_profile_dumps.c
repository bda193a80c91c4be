/* SPDX-License-Identifier: BSD-2-Clause */
/* Each profile is a CPU with a published dump, except two: the corpus has its signature, leaf 0AH and kinds of core. */
#include "reference/test/model/model_rig.h"
#include "tests/host/pmu/cpu_corpus.h"

static const struct profile_leaf *leaf_of(const struct profile *p, u32 number, u32 subleaf)
{
    for (unsigned i = 0; i < LEAVES_MAX; i++)
        if (p->leaves[i].leaf == number && p->leaves[i].subleaf == subleaf)
            return &p->leaves[i];
    return NULL;
}

static bool same_leaf(const u32 told[4], const struct cpuid_regs *dumped)
{
    return told[0] == dumped->eax && told[1] == dumped->ebx && told[2] == dumped->ecx && told[3] == dumped->edx;
}

static bool dumped_so(const struct profile *p, const struct corpus_row *row)
{
    const struct profile_leaf *kind = leaf_of(p, 0x1a, 0), *counters = leaf_of(p, 0x23, 1);
    return row->intel && row->signature == p->signature && same_leaf(p->leaf0a, &row->leaf0a) &&
           row->leaf1a == (kind ? kind->value[0] : 0) && (!counters || same_leaf(counters->value, &row->leaf23[1])) &&
           (!row->perfcap_known || row->perfcap == p->perf_capabilities);
}

static void has_a_dump(const struct profile *p)
{
    const struct corpus_row *rows;
    unsigned count = corpus_read(&rows);
    for (unsigned i = 0; i < count; i++)
        if (dumped_so(p, &rows[i]))
            return;
    fail_msg("%s: no dump says so", p->name);
}

/* CPUs without a published dump. */
static bool is_assumed(const char *name)
{
    return !strcmp(name, "clearwater-forest") || !strcmp(name, "diamond-rapids") || !strcmp(name, "nova-lake");
}

CASE(every_profile_has_a_dump)
{
    for (unsigned i = 0; i < profile_count; i++)
        for (const struct profile *core = profiles[i]; core; core = core->second)
            if (!is_assumed(core->name))
                has_a_dump(core);
}

int main(void)
{
    return run_cases();
}
