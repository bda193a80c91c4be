/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For the files of deviations: how a deviation is declared, and what its functions can use.
 *
 * A row names its own identifier; the build collects them in deviations.def, in the order in which a proof shows them.
 * A stand-in is a function that replaces a rule, and has the rule's type. With replaced() it calls the function that it
 * replaces: the good rule, or the stand-in of a deviation that was active before, so that deviations stack.
 */
#pragma once

#include "reference/deviations/deviations.h"
#include "reference/model/model_state.h"
#include "rule_heads.h"
#include <stddef.h>

enum deviation_id {
#define DEVIATION(id) DEV_##id,
#include "deviations.def"
#undef DEVIATION
    DEV_COUNT
};

#define DEVIATION(id) extern const struct deviation deviation_##id;
#include "deviations.def"
#undef DEVIATION

/* ---- A row: DEFECT(identifier, name, the deviation, who shipped it or what allows it, and any of those below) */

/* A file defines CHAPTERS before it includes this: the tests for its deviations, as globs; else they are for all. */
#ifndef CHAPTERS
#define CHAPTERS NULL
#endif
#define DEVIATES(id, of_kind, called, does, by, ...) \
    const struct deviation deviation_##id = {        \
        .name = called, .kind = of_kind, .what = does, .source = by, .chapters = CHAPTERS, __VA_ARGS__}
#define DEFECT(id, ...) DEVIATES(id, KIND_DEFECT, __VA_ARGS__)
#define VARIATION(id, ...) DEVIATES(id, KIND_VARIATION, __VA_ARGS__)
#define HAZARD(id, ...) DEVIATES(id, KIND_HAZARD, __VA_ARGS__)

/* The profile on which it shows; further profiles, at most DEVIATION_PROFILES - 1. */
#define ON(name) .profile = (name)
#define ALSO_ON(...) .elsewhere = {__VA_ARGS__, NULL}
/* On each generation, as what other agents may use and the number of counters differ there. */
#define ON_EACH_GENERATION ALSO_ON("haswell", "silvermont", "ice-lake", "lunar-lake")
/* For a variation: on its last profile it is shown once more, with as many repeats as in a normal run. */
#define THOROUGHLY .thorough = true
/* For a defect: real CPUs show it only now and then, and a normal run must still notice it. */
#define INTERMITTENT .rare = true
/* The tests whose checks it proves, if not those of its file. */
#define MEANT_FOR(globs) .meant = (globs)
/* It is also shown on each single counter: all of its first profile, on further ones those that the first lacks. */
#define EACH_COUNTER .each = true
/* On these counters, such as "2 fixed1", it is not noticed yet, or not applicable. A proof counts them. */
#define UNSEEN_ON(counters) .unseen = (counters)
/* It changes the model's copy of the profile. */
#define DATA(function) .data = (function)
/* STANDS_IN(FOR(rule, function), ...): the compiler compares the types. */
#define STANDS_IN(...)                     \
    .stands_in = (const struct stand_in[]) \
    {                                      \
        __VA_ARGS__,                       \
        {                                  \
            0, (void (*)(void))0           \
        }                                  \
    }
#define FOR(rule, function)                                                                   \
    {                                                                                         \
        offsetof(struct model_rules, rule),                                                   \
            (void (*)(void))(1 ? (function) : (__typeof__(((struct model_rules *)0)->rule))0) \
    }
/* MIMICS(ERRATUM(number, CPUID.1:EAX, microcode, CPUID.7:EBX bits, threads of a core or 0), ...); ERRATUM_ON also names
 * the profile of that CPU's data, ERRATUM_UNTIL the microcode that fixes it, and ERRATUM_TSX is for a CPU with RTM and
 * IA32_TSX_FORCE_ABORT. The deviation itself provides everything else that the erratum needs. */
#define MIMICS(...)                              \
    .errata = (const struct deviation_erratum[]) \
    {                                            \
        __VA_ARGS__,                             \
        {                                        \
            NULL, 0, 0, 0, 0, 0, NULL, 0         \
        }                                        \
    }
/* No CPU without these errata has what they are about. */
#define ONLY_THERE .known_only = true
/* NOT_BY(ERRATUM(...), ...): on a CPU with that erratum, which comes near this deviation, it is still not known. */
#define NOT_BY(...)                              \
    .not_by = (const struct deviation_erratum[]) \
    {                                            \
        __VA_ARGS__,                             \
        {                                        \
            NULL, 0, 0, 0, 0, 0, NULL, 0         \
        }                                        \
    }
#define ERRATUM(number, signature, microcode, leaf7_ebx, threads)    \
    {                                                                \
        number, signature, microcode, leaf7_ebx, 0, threads, NULL, 0 \
    }
#define ERRATUM_ON(profile, number, signature, microcode, leaf7_ebx, threads) \
    {                                                                         \
        number, signature, microcode, leaf7_ebx, 0, threads, profile, 0       \
    }
#define ERRATUM_TSX(number, signature, microcode)                  \
    {                                                              \
        number, signature, microcode, BIT(11), BIT(13), 0, NULL, 0 \
    }
/* An erratum that microcode fixes: `microcode` has it, `fixed` does not. profile: NULL, or as in ERRATUM_ON. */
#define ERRATUM_UNTIL(profile, number, signature, microcode, fixed) \
    {                                                               \
        number, signature, microcode, 0, 0, 0, profile, fixed       \
    }
/* HIDDEN(profiles, why): there no test can tell it from errata that it does not mimic, so it counts as known. */
#define HIDDEN(profiles, why) .hidden_on = (profiles), .hidden = (why)
/* PARAMETER(what, least, most, usual) */
#define PARAMETER(...) .parameter = {__VA_ARGS__}

/* ---- What a stand-in can use */

#define MEMORY_WORDS 66

/* An active deviation of one model. */
struct at_work {
    const struct deviation *deviation;
    uint32_t rate, chances;
    uint64_t parameter;
    struct deviation_place place;
    struct model_rules replaced;  /* all rules as they were before */
    struct model_rules deviating; /* all rules with the deviation, not narrowed */
    uint64_t memory[MEMORY_WORDS];
};
struct at_work *at_work(struct model *m, const struct deviation *deviation);
bool deviation_strikes(struct model *m, const struct deviation *deviation);
void *deviation_memory(struct model *m, const struct deviation *deviation);

/* The function that this one replaces: replaced(m, PMI_LOST, pmi_raise)(m). */
#define replaced(m, id, rule) (at_work(m, &deviation_##id)->replaced.rule)
/* The same, called with the rule's own parameters by their names in rules.def: below(PMI_LOST, pmi_raise). */
#define below(id, rule) replaced(m, id, rule) ARGUMENTS_##rule
/*
 * A function that stands in for a rule and is one expression of the rule's parameters. Its head comes from rules.def:
 *     INSTEAD(lvtpc_after_delivery, stays_unmasked,
 *             strikes(m, LVTPC_NOT_MASKED) ? lvtpc : below(LVTPC_NOT_MASKED, lvtpc_after_delivery));
 */
#define INSTEAD(rule, function, ...) \
    HEAD_##rule(function)            \
    {                                \
        return __VA_ARGS__;          \
    }                                \
    _Static_assert(1, "so that a semicolon may follow")
/*
 * Likewise, with `good`, which is what the replaced function has returned:
 *     CHANGED(pebs_shadow, one_more, PEBS_SKID_ONE_MORE, !precise && strikes(m, PEBS_SKID_ONE_MORE) ? good + 1 : good);
 */
#define CHANGED(rule, function, id, ...)                    \
    HEAD_##rule(function)                                   \
    {                                                       \
        __typeof__(below(id, rule)) good = below(id, rule); \
        return __VA_ARGS__;                                 \
    }                                                       \
    _Static_assert(1, "so that a semicolon may follow")
/*
 * Something of a deviation comes later: the CPU waits for it, and each instruction matters, as long as this holds.
 *     PENDS(PMI_AT_UNMASK, memory(m, PMI_AT_UNMASK, struct held)->now);
 * Its row then has STANDS_IN(..., PENDING(PMI_AT_UNMASK)).
 */
#define PENDS(id, ...)                                               \
    INSTEAD(waiting, waits_##id, __VA_ARGS__ || below(id, waiting)); \
    INSTEAD(each_matters, each_##id, __VA_ARGS__ || below(id, each_matters))
#define PENDING(id) FOR(waiting, waits_##id), FOR(each_matters, each_##id)
/* Called at the one place where the deviation would act: true every rate-th time. */
#define strikes(m, id) deviation_strikes(m, &deviation_##id)
/* Its parameter; and its own state, zeros at reset. */
#define parameter(m, id) (at_work(m, &deviation_##id)->parameter)
#define memory(m, id, type)                         \
    ((type *)deviation_memory(m, &deviation_##id) + \
     0 * sizeof(char[sizeof(type) <= sizeof(uint64_t[MEMORY_WORDS]) ? 1 : -1]))

static inline bool last_cpu(const struct model *m)
{
    return m->cpus > 1 && m->cpu == m->cpus - 1;
}
static inline bool last_gp(const struct model *m, unsigned n)
{
    return n == m->p.gp_count - 1u;
}
/* Will the PMI come as an NMI, and did its cause retire above CPL 0? */
static inline bool comes_as_nmi(struct model *m)
{
    return (model_lvtpc(m) & LVT_DELIVERY_MASK) == LVT_DELIVERY_NMI;
}
static inline bool caused_by_user(const struct model *m)
{
    return m->pmi.cause_cpl;
}
static inline bool has_leaf_23(const struct profile *p)
{
    return p->leaf7_1_eax && p->max_leaf >= 0x23;
}
static inline bool freezes(const struct model *m)
{
    return m->controls.stored[STORED_DEBUGCTL] & DEBUGCTL_FREEZE_PERFMON_ON_PMI;
}

/* leaf.c: a core without hyper-threading, which has the counters of both threads if the profile says so. */
void deviation_without_threads(struct model *m);
/* A core whose CPUID enumerates all its threads, although the machine may not have them. */
void deviation_with_threads(struct model *m);
