/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Which defects do walks alone notice, and after how many of them? A model with the defect plays the CPU. A defect that
 * no walk notices is shown with the reason, as far as a machine can tell it: the rules that it replaces and that no
 * walk has called, or that they were called and everything that was compared was right. What nobody notices on a CPU
 * alone is tried again while the core's other thread makes walks.
 *
 * With -v the same for legal variations, whose differences must all be explained: is it silent, or which choice is
 * named? With -g for good CPUs, one of each profile, whose walks must not differ.
 *
 * With -h the CPU is taken for hardware: walks are more careful, and less is compared.
 *
 * usage: noticed [-u] [-g] [-h] [-v] [-w WALKS] [-s K/N] [NAME ...]: -u: interest does not guide chance
 */
#include "reference/lockstep/oracle.h"
#include "reference/model/model_state.h"
#include "reference/test/lockstep/bench.h"
#include <stdio.h>
#include <unistd.h>

#define WALKS_OF_5_SECONDS 2500 /* at 500 walks a second */
#define BESIDE_SHARE 5          /* what one thread does to the other shows soon */

static unsigned most = WALKS_OF_5_SECONDS, first = 1, shares = 1;
static bool unguided, variations, good_ones, silicon;

/* What became of one defect. */
struct fate {
    bool beside;                     /* the core's other thread makes walks, too */
    unsigned walks;                  /* until it was noticed; 0: it was not */
    struct choices choices;          /* with -v: what explains all of them */
    char what[STEP_TEXT];            /* the difference */
    bool replaced[MODEL_RULES_MOST]; /* rules with stand-ins */
    struct model_reached reached;    /* calls of rules in the CPU's model */
};

static void note_replaced(const struct bench *b, struct fate *fate)
{
    u64 with[MODEL_RULES_MOST], good[MODEL_RULES_MOST];
    memcpy(with, &b->cpu_model->rules, sizeof(b->cpu_model->rules));
    memcpy(good, &b->oracle_model->rules, sizeof(b->oracle_model->rules));
    for (unsigned n = 0; model_rule_name(n); n++)
        fate->replaced[n] |= with[n] != good[n];
}

static void walks_of_kind(const struct deviation *deviation, const struct profile *profile, unsigned kind,
                          struct fate *fate)
{
    static struct bench b;
    struct difference d;
    fate->reached.now = 1;
    if (!bench_open_as(&b, profile, kind, deviation, NULL, silicon) || (fate->beside && !bench_accompany(&b))) {
        bench_close(&b);
        return;
    }
    note_replaced(&b, fate);
    b.plays.reached = &fate->reached;
    bench_start(&b);
    for (u64 seed = 0; !fate->walks && seed < (fate->beside ? most / BESIDE_SHARE : most); seed++)
        if (!(unguided ? bench_walk(&b, seed, variations, &d) : bench_guided(&b, seed, variations, &d))) {
            fate->walks = (unsigned)seed + 1;
            difference_text(&d, fate->what);
        }
    fate->choices = b.choices;
    bench_close(&b);
}

/* Rules with stand-ins; `called`: of these, only those that were. */
static unsigned replaced_rules(const struct fate *fate, bool called)
{
    unsigned count = 0;
    for (unsigned n = 0; n < MODEL_RULES_MOST; n++)
        count += fate->replaced[n] && (!called || fate->reached.in[n]);
    return count;
}

static void print_rules(const struct fate *fate)
{
    for (unsigned n = 0; model_rule_name(n); n++)
        if (fate->replaced[n])
            printf(" %s", model_rule_name(n));
}

static const char *first_profile(const struct deviation *deviation)
{
    return deviation->profile ? deviation->profile : "skylake";
}

static void print_variation(const struct deviation *variation, const struct fate *fate)
{
    printf("%s: ", variation->name);
    if (fate->walks)
        printf("differs walk=%u %s", fate->walks, fate->what);
    else if (!fate->choices.count)
        printf("silent");
    for (u32 i = 0; !fate->walks && i < fate->choices.count; i++)
        printf("%s%s", i ? " " : "choice=", choice(&fate->choices, i)->name);
    putchar('\n');
    fflush(stdout);
}

static void print_fate(const struct deviation *deviation, const struct fate *fate)
{
    if (fate->walks)
        printf("%s: noticed walk=%u%s\n", deviation->name, fate->walks, fate->beside ? " beside=thread" : "");
    else {
        printf("%s: unnoticed %s:", deviation->name,
               replaced_rules(fate, true)    ? "called"
               : replaced_rules(fate, false) ? "never called"
                                             : "changes data");
        print_rules(fate);
        printf(" on=%s\n", first_profile(deviation));
    }
    fflush(stdout);
}

static bool is_named(const char *name, char **names)
{
    for (char **n = names; *n; n++)
        if (!strcmp(*n, name))
            return true;
    return !*names;
}

static void walks_of_profile(const struct deviation *deviation, const char *name, struct fate *fate)
{
    const struct profile *profile = model_profile(name);
    for (unsigned kind = 0; !fate->walks && kind < bench_kinds(profile); kind++)
        walks_of_kind(deviation, profile, kind, fate);
}

/* On its first profile, then on the further ones. */
static void walks_of_all(const struct deviation *deviation, struct fate *fate)
{
    walks_of_profile(deviation, first_profile(deviation), fate);
    for (const char *const *name = deviation->elsewhere; *name; name++)
        walks_of_profile(deviation, *name, fate);
}

/* Alone, then beside the core's other thread. */
static void look(const struct deviation *deviation)
{
    struct fate fate = {0};
    walks_of_all(deviation, &fate);
    fate.beside = !variations && !fate.walks;
    if (fate.beside)
        walks_of_all(deviation, &fate);
    (variations ? print_variation : print_fate)(deviation, &fate);
}

/* On a good CPU nothing is to be noticed. */
static void look_at_good(const struct profile *profile)
{
    struct fate fate = {0};
    walks_of_profile(NULL, profile->name, &fate);
    fate.beside = true;
    walks_of_profile(NULL, profile->name, &fate);
    if (fate.walks)
        printf("%s: differs walk=%u %s\n", profile->name, fate.walks, fate.what);
    else
        printf("%s: silent\n", profile->name);
    fflush(stdout);
}

static bool named_once(const char *name, char **names, unsigned *n)
{
    return is_named(name, names) && (*n)++ % shares == first - 1;
}

int main(int argc, char **argv)
{
    unsigned n = 0;
    for (int option; (option = getopt(argc, argv, "ughvw:s:")) != -1;) {
        unguided |= option == 'u';
        good_ones |= option == 'g';
        silicon |= option == 'h';
        variations |= option == 'v';
        if (option == 'w')
            most = (unsigned)strtoul(optarg, NULL, 10);
        if (option == '?' || (option == 's' && sscanf(optarg, "%u/%u", &first, &shares) != 2)) {
            fprintf(stderr, "usage: noticed [-u] [-g] [-h] [-v] [-w WALKS] [-s K/N] [NAME ...]\n");
            return 99;
        }
    }
    for (unsigned i = 0; good_ones && i < profile_count; i++)
        if (named_once(profiles[i]->name, argv + optind, &n))
            look_at_good(profiles[i]);
    for (unsigned i = 0; !good_ones && i < deviation_count; i++)
        if (deviations[i]->kind == (variations ? KIND_VARIATION : KIND_DEFECT) &&
            named_once(deviations[i]->name, argv + optind, &n))
            look(deviations[i]);
    return 0;
}

/* The entries to which code.asm passes interrupts outside of walks. They are not executed here. */
const u8 stubs[4096];
