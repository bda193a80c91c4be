/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What can be told about a machine's PMU from its running Linux, by the image's own tables: errata, registers, the
 * meanings of what firmware leaves, and the needs of the tests. Nothing is written to any register.
 */
#pragma once

#include "pmu/state/handoff.h"
#include "pmu/state/register.h"
#include "tools/docs/errata_table.h"
#include "tools/json.h"
#include "tools/pmucheck/here/source.h"

typedef LIST(unsigned) here_cpu_list;

/* ---- The CPUs */

struct here_core {
    struct pmu_caps caps;
    struct caps_dump dump;
    here_cpu_list cpus;
    const char *kind; /* its class, "skylake" */
};

struct here_cores {
    LIST(struct here_core) kinds; /* kinds of core; CPUs with other microcode are a kind of their own */
    const char *brand, *vendor;
    unsigned cpus, silent; /* CPUs that were asked; online ones that could not be */
    bool registers;        /* registers can be read */
};

/* ---- Errata of a kind of core, in the table's order */

enum here_erratum_state {
    HERE_OPEN,     /* this CPU has it, and no revision of microcode is known to mend it */
    HERE_MENDABLE, /* it has it; newer microcode mends it */
    HERE_MENDED,   /* its microcode mends it */
    HERE_NOT_NOW,  /* not in the state in which it shows: threads, counters, RTM, version */
    HERE_ERRATUM_STATES
};

struct here_erratum {
    const struct errata_row *row;
    const char *number; /* in this CPU's sheet */
    enum here_erratum_state state;
    u32 mended_by;    /* the revision that mends it; 0: none is known */
    const char *uses; /* what it matters to, "counting,rr" */
};
typedef LIST(struct here_erratum) here_errata;

/* ---- Who holds counters */

struct here_process {
    unsigned pid, counters; /* open files of perf_event_open() */
    const char *name;
};

struct here_system {
    const char *release;                 /* of the kernel */
    const char *watchdog;                /* "1": the NMI watchdog holds a counter on each CPU; "0"; "": not told */
    const char *paranoid;                /* kernel.perf_event_paranoid */
    LIST(const char *) units;            /* /sys/bus/event_source/devices */
    LIST(struct here_process) processes; /* that have counters open, as far as this user may see */
};

/* What a register says on some CPUs, by the table of the image's advice. */
struct here_claim {
    const struct handoff_meaning *meaning;
    u64 found, counters, moving; /* on the first of the CPUs; counters as bits of IA32_PERF_GLOBAL_CTRL */
    here_cpu_list cpus;
    const char *reg;
};

struct here_held {
    u64 in_use; /* IA32_PERF_GLOBAL_INUSE, of all CPUs together */
    bool in_use_known;
    LIST(struct here_claim) claims; /* of registers that are not at their reset values */
};

/* ---- What the image would do */

struct here_tests {
    unsigned all, run; /* tests of the image; those whose needs this machine meets on some kind of core */
    unsigned unknown;  /* that depend on registers which were not read */
};

struct here_start {
    const char *kexec; /* why pmucheck kexec does not work here; NULL: it does */
    const char *guest; /* why a guest with this PMU does not (pmucheck run --accel=kvm); NULL: it does */
    bool entry;        /* GRUB's menu has the package's entry */
};

struct here {
    struct arena arena;
    struct here_cores cores;
    here_errata *errata; /* of each kind of core */
    struct here_system system;
    struct here_held held;
    struct here_tests tests;
    struct here_start start;
    const char *verdict; /* what is the matter if there is no PMU to tell of; NULL: there is one */
};

/* Looks at everything. */
void here_look(struct here *here, const struct here_source *source);
void here_free(struct here *here);

/* cores.c */
void here_look_cores(struct here *here, const struct here_source *source);
/* "0-3,8" */
const char *here_cpus(struct arena *arena, const here_cpu_list *cpus);
/*
 * May this register be read on such a CPU? Only those that the image itself reads there: what its capabilities depend
 * on, IA32_PERF_GLOBAL_INUSE, and the registers of the table that it saves at the hand-off. None of them changes by
 * being read.
 */
bool here_may_read(const struct pmu_caps *caps, u32 msr);
/* Reads it if it may be read. */
enum here_answer here_msr(const struct here_source *source, const struct pmu_caps *caps, unsigned cpu, u32 msr,
                          u64 *value);

/* linux.c, held.c, errata.c, tests.c */
void here_look_linux(struct here *here, const struct here_source *source);
void here_look_held(struct here *here, const struct here_source *source);
void here_look_errata(struct arena *arena, const struct pmu_caps *caps, here_errata *errata);
void here_look_tests(struct here *here);
/* "counting", "rr" and others, as the image's purposes name them: is it among the erratum's uses? */
bool here_touches(const struct here_erratum *erratum, const char *use);
/* The erratum's own words about one meaning's key, means, owner, effect or fix; "" without it. */
const char *here_meaning(struct arena *arena, const struct handoff_meaning *meaning, const char *key);
/* "pmc0,fixed1" */
const char *here_counters(struct arena *arena, u64 counters);
/* "version 4, 4 x 48 bits, 3 fixed x 48", and the like of records, trace and sampling. */
const char *here_counting(struct arena *arena, const struct pmu_caps *caps);
const char *here_sampling(struct arena *arena, const struct pmu_caps *caps);
const char *here_records(struct arena *arena, const struct pmu_caps *caps);
const char *here_trace(struct arena *arena, const struct here_core *core);

/* text.c, json.c: the same facts as a page for people, a line for a ticket, and JSON. */
void here_text(FILE *out, struct here *here);
void here_line(FILE *out, struct here *here);
json_object *here_json(struct here *here);
