/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For the files of deviations: how a deviation is declared, and what its code can use.
 *
 * A row names its own identifier, from which the build makes the deviation's name: pmi_lost is "pmi-lost". The build
 * also collects the rows in deviations.def, in the order in which a proof shows them. What deviates is a stand-in,
 * which replaces a rule of the model and has the rule's parameters, by their names in rules.def. With below() it calls
 * what it replaces: the good rule, or the stand-in of a deviation that was active before, so that deviations stack.
 */
#pragma once

#include "deviation_rows.h"
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

/*
 * ---- A row: DEFECT(identifier, form, the deviation, who shipped it or what allows it, and any of the options below)
 *
 * The form says how it deviates. Most replace one rule, in one of these ways; `when` is asked first, then chance:
 *     CHANGED(rule, when, result)    the good result, `good`, is replaced by this expression
 *     INSTEAD(rule, when, result)    the good rule is not called; this is the result
 *     LOST(rule, when)               the same for a rule without a result
 *     BEFORE(rule, when, statement)  first this happens, which may change the rule's parameters, then the good rule
 *     AFTER(rule, when, statement)   first the good rule, then this, which may change `good`
 *     THEN(rule, when, statement)    the same, but `when` is asked before the good rule
 *     DATA(statement)                no rule: the statement changes the model's copy of its profile at reset
 *     FUNCTIONS                      stand-ins that are written as functions: STAND_IN(identifier, rule) { ... }
 *     NO_RULE                        nothing but its options
 * The next ones ask no chance: they remember something, or ask it themselves.
 *     NOTES(rule, when, statement)   as BEFORE
 *     NOTED(rule, when, statement)   as AFTER
 *     MAKES(rule, result)            the good result is always replaced
 *     IS(rule, result)               the rule is this expression
 *     WAITS(when)                    something comes later: the CPU waits for it, and each instruction matters, as long
 *                                    as this holds
 * ALL(form, form, ...) is up to five of these together, each of another rule. In it BOTH(AFTER, rule, rule, ...) is the
 * same form of two rules.
 */
#define CHANGED(rule, when, ...) CHANGED, rule, when, (__VA_ARGS__)
#define INSTEAD(rule, when, ...) INSTEAD, rule, when, (__VA_ARGS__)
#define LOST(rule, when) LOST, rule, when, ()
#define BEFORE(rule, when, ...) BEFORE, rule, when, (__VA_ARGS__)
#define AFTER(rule, when, ...) AFTER, rule, when, (__VA_ARGS__)
#define THEN(rule, when, ...) THEN, rule, when, (__VA_ARGS__)
#define DATA(...) DATA, , , (__VA_ARGS__)
#define FUNCTIONS FUNCTIONS, , , ()
#define NO_RULE NO_RULE, , , ()
#define NOTES(rule, when, ...) NOTES, rule, when, (__VA_ARGS__)
#define NOTED(rule, when, ...) NOTED, rule, when, (__VA_ARGS__)
#define MAKES(rule, ...) MAKES, rule, , (__VA_ARGS__)
#define IS(rule, ...) IS, rule, , (__VA_ARGS__)
#define WAITS(...) WAITS, , , (__VA_ARGS__)
#define ALL(...) ALL, , , (__VA_ARGS__)
#define BOTH(form, one, other, ...) form(one, __VA_ARGS__), form(other, __VA_ARGS__)

/* A file defines CHAPTERS before it includes this: the tests for its deviations, as globs; else they are for all. */
#ifndef CHAPTERS
#define CHAPTERS NULL
#endif
#define DEVIATES(id, of_kind, form, rule, when, then, does, by, ...)   \
    CODE_##form(id, rule, when, then)                                  \
        const struct deviation deviation_##id = {.name = NAME_##id,    \
                                                 .kind = of_kind,      \
                                                 .what = does,         \
                                                 .source = by,         \
                                                 .chapters = CHAPTERS, \
                                                 ROW_##form(id, rule, when, then) __VA_ARGS__}
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
/* It is a defect of registers, and shown on each one of the table that the profile has. */
#define EACH_REGISTER .registers = true
/* On these counters, such as "2 fixed1", it is not noticed yet, or not applicable. A proof counts them. */
#define UNSEEN_ON(counters) .unseen = (counters)
/* This function, or besides its stand-ins this statement, changes the model's copy of the profile. */
#define PREPARED(function) .data = (function)
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
bool deviation_strikes(struct model *m, struct at_work *self);

/*
 * A stand-in as a function, or a function that it calls, has the model, `m`, and the active deviation, `self`. Chance
 * is asked at the one place where the deviation would act: true every rate-th time.
 */
#define strikes() deviation_strikes(m, self)
/* The function that this one replaces, and a call of it with the rule's own parameters, as they are now. */
#define replaced(rule) (self->replaced.rule)
#define below(rule) (replaced(rule) ARGUMENTS_##rule)
/* Its parameter; and what it has noted, zeros at reset: one word, or a struct. */
#define parameter() (self->parameter)
#define noted (*memory(uint64_t))
#define memory(type) \
    ((type *)deviation_memory(self) + 0 * sizeof(char[sizeof(type) <= sizeof(uint64_t[MEMORY_WORDS]) ? 1 : -1]))
static inline void *deviation_memory(struct at_work *self)
{
    return self->memory;
}

#define STAND_IN(id, rule)                                               \
    BODY_##rule(id##_in_##rule);                                         \
    HEAD_##rule(id##_##rule)                                             \
    {                                                                    \
        return CALL_##rule(id##_in_##rule, at_work(m, &deviation_##id)); \
    }                                                                    \
    BODY_##rule(id##_in_##rule)
/* ---- The forms of rows. */

#define UNPACKED(...) __VA_ARGS__
#define CODE_CHANGED(id, rule, when, then)                 \
    STAND_IN(id, rule)                                     \
    {                                                      \
        __typeof__(below(rule)) good = below(rule);        \
        return (when) && strikes() ? UNPACKED then : good; \
    }
#define CODE_INSTEAD(id, rule, when, then)                        \
    STAND_IN(id, rule)                                            \
    {                                                             \
        return (when) && strikes() ? UNPACKED then : below(rule); \
    }
#define CODE_LOST(id, rule, when, then) \
    STAND_IN(id, rule)                  \
    {                                   \
        if (!((when) && strikes()))     \
            below(rule);                \
    }
#define CODE_BEFORE(id, rule, when, then) \
    STAND_IN(id, rule)                    \
    {                                     \
        if ((when) && strikes()) {        \
            UNPACKED then;                \
        }                                 \
        return below(rule);               \
    }
#define CODE_AFTER(id, rule, when, then) \
    STAND_IN(id, rule)                   \
    {                                    \
        GOOD_##rule(below(rule));        \
        if ((when) && strikes()) {       \
            UNPACKED then;               \
        }                                \
        RETURN_##rule;                   \
    }
#define CODE_THEN(id, rule, when, then) \
    STAND_IN(id, rule)                  \
    {                                   \
        bool concerned = (when);        \
        GOOD_##rule(below(rule));       \
        if (concerned && strikes()) {   \
            UNPACKED then;              \
        }                               \
        RETURN_##rule;                  \
    }
#define CODE_NOTES(id, rule, when, then) \
    STAND_IN(id, rule)                   \
    {                                    \
        if (when) {                      \
            UNPACKED then;               \
        }                                \
        return below(rule);              \
    }
#define CODE_NOTED(id, rule, when, then) \
    STAND_IN(id, rule)                   \
    {                                    \
        GOOD_##rule(below(rule));        \
        if (when) {                      \
            UNPACKED then;               \
        }                                \
        RETURN_##rule;                   \
    }
#define CODE_MAKES(id, rule, when, then)            \
    STAND_IN(id, rule)                              \
    {                                               \
        __typeof__(below(rule)) good = below(rule); \
        return UNPACKED then;                       \
    }
#define CODE_IS(id, rule, when, then) \
    STAND_IN(id, rule)                \
    {                                 \
        return UNPACKED then;         \
    }
#define CODE_WAITS(id, rule, when, then)             \
    STAND_IN(id, waiting)                            \
    {                                                \
        return UNPACKED then || below(waiting);      \
    }                                                \
    STAND_IN(id, each_matters)                       \
    {                                                \
        return UNPACKED then || below(each_matters); \
    }
#define CODE_DATA(id, rule, when, then)    \
    static void id##_data(struct model *m) \
    {                                      \
        UNPACKED then;                     \
    }
#define CODE_FUNCTIONS(id, rule, when, then)
#define CODE_NO_RULE(id, rule, when, then)
/* Each form has four parts; what is missing to five forms is NO_RULE. */
#define OF_ALL(does, id, ...) OF_EACH(does, id, __VA_ARGS__, NO_RULE, NO_RULE, NO_RULE, NO_RULE, )
#define OF_EACH(does, id, ...) OF_FIVE(does, id, __VA_ARGS__)
#define OF_FIVE(does, id, f1, r1, w1, t1, f2, r2, w2, t2, f3, r3, w3, t3, f4, r4, w4, t4, f5, r5, w5, t5, ...)      \
    does##_##f1(id, r1, w1, t1) does##_##f2(id, r2, w2, t2) does##_##f3(id, r3, w3, t3) does##_##f4(id, r4, w4, t4) \
        does##_##f5(id, r5, w5, t5)
#define CODE_ALL(id, rule, when, then) OF_ALL(CODE, id, UNPACKED then)

/* The compiler compares the types. */
#define FOR(rule, function)                                                                   \
    {                                                                                         \
        offsetof(struct model_rules, rule),                                                   \
            (void (*)(void))(1 ? (function) : (__typeof__(((struct model_rules *)0)->rule))0) \
    }
#define FOR_RULE(id, rule, ...) FOR(rule, id##_##rule),
#define FOR_CHANGED FOR_RULE
#define FOR_INSTEAD FOR_RULE
#define FOR_LOST FOR_RULE
#define FOR_BEFORE FOR_RULE
#define FOR_AFTER FOR_RULE
#define FOR_THEN FOR_RULE
#define FOR_NOTES FOR_RULE
#define FOR_NOTED FOR_RULE
#define FOR_MAKES FOR_RULE
#define FOR_IS FOR_RULE
#define FOR_WAITS(id, ...) FOR_RULE(id, waiting) FOR_RULE(id, each_matters)
#define FOR_FUNCTIONS(id, ...) STAND_INS_##id
#define FOR_NO_RULE(...)
#define FOR_ALL(id, rule, when, then) OF_ALL(FOR, id, UNPACKED then)
#define STANDS_IN(...) .stands_in = (const struct stand_in[]){__VA_ARGS__{0, (void (*)(void))0}},
#define ROW_CHANGED(...) STANDS_IN(FOR_CHANGED(__VA_ARGS__))
#define ROW_INSTEAD(...) STANDS_IN(FOR_INSTEAD(__VA_ARGS__))
#define ROW_LOST(...) STANDS_IN(FOR_LOST(__VA_ARGS__))
#define ROW_BEFORE(...) STANDS_IN(FOR_BEFORE(__VA_ARGS__))
#define ROW_AFTER(...) STANDS_IN(FOR_AFTER(__VA_ARGS__))
#define ROW_THEN(...) STANDS_IN(FOR_THEN(__VA_ARGS__))
#define ROW_NOTES(...) STANDS_IN(FOR_NOTES(__VA_ARGS__))
#define ROW_NOTED(...) STANDS_IN(FOR_NOTED(__VA_ARGS__))
#define ROW_MAKES(...) STANDS_IN(FOR_MAKES(__VA_ARGS__))
#define ROW_IS(...) STANDS_IN(FOR_IS(__VA_ARGS__))
#define ROW_WAITS(...) STANDS_IN(FOR_WAITS(__VA_ARGS__))
#define ROW_FUNCTIONS(...) STANDS_IN(FOR_FUNCTIONS(__VA_ARGS__))
#define ROW_ALL(...) STANDS_IN(FOR_ALL(__VA_ARGS__))
#define ROW_DATA(id, ...) .data = id##_data,
#define ROW_NO_RULE(...)

/* ---- What the code can ask */

static inline bool last_cpu(const struct model *m)
{
    return m->cpus > 1 && m->cpu == m->cpus - 1;
}
static inline bool last_gp(const struct model *m, unsigned n)
{
    return n == m->p.gp_count - 1u;
}
/* Bits of IA32_PERF_GLOBAL_CTRL of all counters. */
static inline uint64_t all_counters(const struct model *m)
{
    return width_mask(m->p.gp_count) | (uint64_t)m->p.fixed_bitmap << 32;
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
