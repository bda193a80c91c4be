/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Inside the model: its state, and the functions that its files offer each other; files of machine/ to all, of
 * counting/ to the two above it, of sampling/ to cpu/ only. Outside reference/model only deviations and the model's
 * own host tests include this.
 */
#pragma once

#include "reference/model/apebs.h"
#include "reference/model/profile.h"
#include "reference/model/rules.h"

enum { RING_OS = 1, RING_USR = 2 };

/* Fields of PERF_METRICS: four kinds that add up to all slots, and the larger parts of each kind. */
enum metric {
    METRIC_RETIRING,
    METRIC_BAD_SPECULATION,
    METRIC_FRONTEND_BOUND,
    METRIC_BACKEND_BOUND,
    METRIC_HEAVY_OPERATIONS,
    METRIC_BRANCH_MISPREDICTS,
    METRIC_FETCH_LATENCY,
    METRIC_MEMORY_BOUND,
    METRIC_COUNT,
};

#define LBR_MAX 32
#define LBR_LOGGED 4
#define ESCR_COUNT (MSR_ESCR_LAST - MSR_ESCR + 1)

#define ACTIVE_MAX (NETBURST_COUNT > GP_MAX + FIXED_MAX ? NETBURST_COUNT : GP_MAX + FIXED_MAX)

/* A counter that is counting now: the data for a step, gathered when a register is written. */
struct counting {
    uint64_t *value;
    uint64_t limit; /* its highest value */
    uint8_t bit;    /* its bit in STATUS and GLOBAL_CTRL */
    uint8_t event;
    uint8_t rings;
    uint8_t slot;   /* index of its edge state */
    bool by_cycles; /* CMASK or EDGE is used: occurrences are compared cycle by cycle */
    bool invert, edge;
    bool equal;  /* EQ: the condition is exactly the threshold, not at least */
    bool any;    /* AnyThread is set */
    bool logged; /* branch records contain how often its event happened */
    uint8_t threshold;
};

/* State shared by the threads of a core; each access is one atomic operation. */
struct model_core {
    uint64_t netburst[NETBURST_COUNT], cccr[NETBURST_COUNT], escr[ESCR_COUNT];
    uint64_t stored[STORED_COUNT]; /* registers whose scope is the core */
    uint32_t changes;              /* number of writes, except to counters */
    uint32_t running, asked;       /* threads that are not halted; threads with a PMI from another one. Bit = thread */
    /* On any CPU with two threads: where a GP counter counts, bit = thread; values that a stand-in passes on. */
    uint32_t counting;
    uint32_t handed[2][GP_MAX];
    uint64_t filter[2]; /* MSR_OFFCORE_RSP_n, if a stand-in has two CPUs share it, threads of a core or not */
    uint32_t microcode; /* on any CPU with two threads: the revision that was loaded since the reset; 0: none */
};

static inline uint64_t shared_get(const uint64_t *at)
{
    return __atomic_load_n(at, __ATOMIC_RELAXED);
}
static inline void shared_set(uint64_t *at, uint64_t value)
{
    __atomic_store_n(at, value, __ATOMIC_RELAXED);
}

/*
 * ---- State. Each part belongs to a file, and only that file writes it: other files call that file's functions. The
 * reset sets all of it.
 */

/* controls.c: event selects, and the registers that hold what was written */
struct controls_state {
    uint64_t evtsel[GP_MAX], stored[STORED_COUNT];
};

/* counters.c */
struct counters_state {
    uint64_t pmc[GP_MAX], fixed[FIXED_MAX];
};

/* status.c */
struct status_state {
    uint64_t bits; /* IA32_PERF_GLOBAL_STATUS */
};

/* machine.c */
struct machine_state {
    uint32_t smi_count;
    uint32_t threads_shown; /* threads of a core in CPUID.0BH; 0: the machine's own */
    uint64_t mperf_offset, aperf_offset;
    uint64_t asleep, slept_at; /* ticks in HLT and MWAIT; when the current sleep began, 0: not asleep */
    uint64_t tsx_force_abort;
};

/* alias.c */
struct alias_state {
    uint64_t cfg_b[32 + FIXED_MAX], cfg_c[32 + FIXED_MAX];
};

/* lbr.c */
struct lbr_state {
    uint64_t from[LBR_MAX], to[LBR_MAX], info[LBR_MAX];
    uint64_t ctl;   /* IA32_LBR_CTL */
    uint16_t since; /* instructions since the last record */
    uint8_t tos;
    uint8_t depth;              /* IA32_LBR_DEPTH; 0: as at reset, the greatest depth */
    uint8_t logged[LBR_LOGGED]; /* events of the first GP counters since the last record */
    bool open;                  /* the last record's target is not yet known */
    bool was_off;               /* recording was off at some time since hand-off */
};

/* core.c */
struct sharing_state {
    bool shares;               /* another thread of the core may have a model */
    struct model_core *core;   /* shared by the threads of the core; `own` if nothing is shared */
    struct model_core *beside; /* the same even if threads share no PMU register, but affect each other */
    struct model_core *pair;   /* the same even if the two CPUs are separate cores */
    struct model_core own;
    uint32_t seen; /* number of the last write that is known here */
};

/* retire.c: the current WRMSR, and the last instruction */
struct retire_state {
    uint64_t started;   /* counters that the WRMSR has started */
    uint64_t uncounted; /* counters that do not count it, as it has written their value */
    uint8_t cpl;        /* of the last reported instruction */
    unsigned before_count;
    struct counting before[ACTIVE_MAX]; /* the active counters before the WRMSR */
};

/* active.c: what counts now */
struct active_state {
    bool stale; /* may be outdated: model_settle() is due. Set by files that change what it depends on. */
    struct counting list[ACTIVE_MAX];
    unsigned count;
    uint64_t mask;     /* bits of the listed counters */
    bool recording;    /* taken branches are recorded */
    bool clocks, rare; /* some active counter needs clock events; rare events, which have a period */
    bool kinds;        /* some active counter needs branches by kind */
    bool interrupts;   /* some active counter needs interrupts received */
    bool topdown;      /* some active counter needs kinds of slots */
    bool memory;       /* some active counter needs memory operands */
    bool each_access;  /* each access, not only how many there are */
    bool inserts;      /* the event of branch records is counted */
    bool logged;       /* branch records contain counts of some counter */
    bool plainly;      /* only instructions and branches are counted, by the good rules */
    bool unevenly;     /* some active counter depends on single cycles and the order of instructions */
    bool steadily;     /* all instructions of a kind count the same, so they may be reported in runs */
    uint8_t metrics;   /* rings in which PERF_METRICS counts */
    uint8_t missed;    /* rings in which mispredicted branches are counted */
};

/* topdown.c: PERF_METRICS in slots, since the last write to it */
struct topdown_state {
    uint64_t metric[METRIC_COUNT];
    uint64_t held_up; /* instructions that the back end held up, while PERF_METRICS counted */
};

/* events.c: totals since reset */
struct events_state {
    uint64_t retired, branches;
    uint64_t rare_since;       /* `retired` when rare events began to be counted: nothing before it matters to them */
    uint64_t rare;             /* are they counted? 0 or 1 */
    uint64_t cycles;           /* of the core, as if its clock were never throttled */
    bool was_true[ACTIVE_MAX]; /* by slot: did the last cycle meet the condition of CMASK? */
    uint32_t ref_part, crystal_part, step_part, throttle_part; /* remainders of clock divisions */
    uint64_t halted_at;                                        /* host time of the last HLT */
};

/* predictor.c: since mispredictions are counted */
struct predictor_state {
    uint8_t place[MODEL_PREDICTOR_PLACES]; /* two-bit counters: from 2 on, the branch is predicted to be taken */
    uint64_t wrong;                        /* conditional branches that these predicted wrongly */
    uint64_t calls, jumps, returns;        /* indirect calls and jumps, and near returns */
    uint8_t rings;                         /* in which mispredictions are counted */
};

/* memory.c */
struct memory_state {
    uint64_t loads, stores;
};

/* lapic.c */
struct lapic_state {
    uint64_t mode; /* IA32_APIC_BASE.EN and EXTD */
    uint32_t cmci; /* the LVT entry of corrected machine checks */
};

/* trace.c */
enum trace_register {
    TRACE_OUTPUT_BASE,
    TRACE_MASK_PTRS,
    TRACE_CTL,
    TRACE_STATUS,
    TRACE_CR3_MATCH,
    TRACE_ADDR,
    TRACE_REGISTERS = TRACE_ADDR + 2 * RTIT_RANGES_MAX,
};
#define TRACE_PACKET_MOST 64
struct trace_state {
    uint32_t features, outputs; /* EBX and ECX of leaf 14H */
    uint32_t ranges, encodings; /* EAX and EBX of its sub-leaf 1 */
    uint64_t value[TRACE_REGISTERS];
    uint64_t entry;  /* of the output table: the region for the next byte */
    bool on;         /* tracing writes bytes */
    bool turned_on;  /* by the current instruction, which is not traced itself */
    bool begins;     /* no instruction was traced since the trace was turned on */
    bool open;       /* the packets so far have a decoder in traced code */
    bool target_due; /* the next packet has to tell the target of the last branch */
};

/* transaction.c */
struct transaction_state {
    bool open;              /* between XBEGIN and its abort */
    uint64_t began[GP_MAX]; /* the GP counters as it began */
};

/* pmi.c: the PMI on its way */
struct pmi_state {
    bool told;               /* it arrives when the host calls model_pmi_arrives(), not by the countdown */
    uint32_t countdown;      /* instructions until delivery, counting the current one; 0: none */
    uint32_t raised;         /* number of PMIs so far: for the skid's pattern */
    enum retired_kind cause; /* kind of the instruction whose overflow was the last one */
    uint8_t cause_cpl;       /* its privilege level */
};

/* For stand-ins: a function that replaces a rule keeps its own state here. */
#define ASIDE_WORDS 1024

/* reset.c: what the rules and the profile's copy are made from, at reset and after an update of microcode. */
struct made_of {
    const struct profile *kind;
    void (*change)(struct model *model, const void *how);
    const void *how;
    uint32_t microcode; /* the revision that was loaded since the reset; 0: none */
    /* Makes rules and data as they are with this revision of microcode; registers stay. */
    void (*anew)(struct model *model, uint32_t microcode);
};

struct model {
    struct model_rules rules;
    struct model_reached *reached; /* NULL: not noted */
    struct profile p;              /* a copy, which a reset may change */
    struct model_host host;
    uint32_t cpu, cpus;
    uint32_t tsc_khz; /* frequency of the host's time if that is this CPU's TSC; else 0 */
    bool altered;     /* something may differ from the good PMU: nothing is skipped */
    bool counts_anew; /* a rule of counting is not the good one */
    bool watching;    /* the rule for what happens after an instruction is not the good one */
    struct controls_state controls;
    struct counters_state counters;
    struct status_state status;
    struct machine_state machine;
    struct alias_state alias;
    struct lbr_state lbr;
    struct sharing_state sharing;
    struct retire_state retire;
    struct active_state active;
    struct events_state events;
    struct predictor_state predictor;
    struct topdown_state topdown;
    struct memory_state memory;
    struct pmi_state pmi;
    struct lapic_state lapic;
    struct trace_state trace;
    struct transaction_state transaction;
    struct pebs pebs;
    uint64_t aside[ASIDE_WORDS];
    struct made_of made;
};

/* A row of the profile's further leaves, writable if the profile is; NULL: it has none. */
static inline struct profile_leaf *leaf_row(const struct profile *p, uint32_t leaf, uint32_t subleaf)
{
    for (const struct profile_leaf *row = p->leaves; row < p->leaves + LEAVES_MAX && row->leaf; row++)
        if (row->leaf == leaf && row->subleaf == subleaf)
            return (struct profile_leaf *)row;
    return NULL;
}

/* Pure helpers. */
bool model_same_text(const char *a, const char *b);
static inline uint64_t width_mask(unsigned width)
{
    return width >= 64 ? ~0ull : (1ull << width) - 1;
}

/* The set of counters that count may have changed. */
static inline void mark_stale(struct model *m)
{
    m->active.stale = true;
}

/* Does the CPU have architectural PEBS? Then these counters, as bits in IA32_PERF_GLOBAL_CTRL, have a CFG_C for it. */
static inline bool model_apebs(const struct model *m)
{
    return m->p.stored[STORED_PEBS_BASE].exists;
}
static inline uint64_t model_apebs_counters(const struct model *m)
{
    return model_apebs(m) ? m->p.pebs_gp | (uint64_t)m->p.pebs_fixed << 32 : 0;
}
/* CFG_C of the counter with this bit. */
static inline uint64_t model_apebs_config(const struct model *m, unsigned bit)
{
    return m->alias.cfg_c[bit];
}

/* Core cycles of an instruction, by its kind. */
#define CYCLES_MOST 140
static inline uint32_t model_cycles_of(enum retired_kind kind)
{
    static const uint8_t cycles[] = {
        [RETIRED_PLAIN] = 1,           [RETIRED_BRANCH] = 2,  [RETIRED_FAR_BRANCH] = 40, [RETIRED_IRET] = 60,
        [RETIRED_REP_STRING] = 20,     [RETIRED_CPUID] = 100, [RETIRED_WRMSR] = 120,     [RETIRED_HLT] = 4,
        [RETIRED_PAUSE] = CYCLES_MOST, [RETIRED_XBEGIN] = 40,
    };
    return cycles[kind];
}

/* Adds an instruction's time, of events.c, whether or not anything counts it. */
static inline void events_take_time(struct model *m, enum retired_kind kind)
{
    m->events.cycles += model_cycles_of(kind);
}

/* How often a number that rose by `n` to `number` has passed a multiple of the period; period 0: never. */
static inline uint32_t events_passed(uint64_t number, uint32_t n, uint16_t period)
{
    return period ? (uint32_t)(number / period - (number - n) / period) : 0;
}

/* One instruction has retired, of events.c. Inline, as most steps do nothing else. */
static inline void events_pass(struct model *m, bool branch)
{
    m->events.retired++;
    m->events.branches += branch;
}

/* counters.c: values of counters; false: #GP(0). model_counter_set() takes a bit of STATUS and cuts `value`. */
void model_counter_set(struct model *m, unsigned bit, uint64_t value);
bool model_a_pmc_read(struct model *m, unsigned n, uint64_t *value);
bool model_has_fixed(const struct model *m, unsigned i);

/* write_rule.c: the result of writing `value` over `old` by `rule`; false: #GP(0). */
bool model_rule_apply(const struct write_rule *rule, uint64_t old, uint64_t value, uint64_t *result);

/* controls.c: the stored registers and the event selects. */
bool model_evtsel_write(struct model *m, unsigned n, uint64_t value);
void model_stored_set(struct model *m, unsigned which, uint64_t value);
bool model_stored_read(struct model *m, unsigned which, uint64_t *value);
bool model_stored_write(struct model *m, unsigned which, uint64_t value);

/* microcode.c: WRMSR of IA32_BIOS_UPDT_TRIG; and takes over an update that was loaded by the core's other thread. */
bool model_microcode_write(struct model *m, unsigned unused, uint64_t address);
void model_microcode_sync(struct model *m);

/* lapic.c: the difference between this CPU's APIC id and the host's. */
uint32_t model_apic_id_above(const struct model *m);

/* status.c */
void model_status_raise(struct model *m, uint64_t bits);
void model_status_drop(struct model *m, uint64_t bits);
bool model_status_read(struct model *m, unsigned unused, uint64_t *value);
bool model_status_write(struct model *m, unsigned unused, uint64_t value);
bool model_status_reset_write(struct model *m, unsigned unused, uint64_t value);
bool model_status_set_write(struct model *m, unsigned unused, uint64_t value);
bool model_status_command_read(struct model *m, unsigned set, uint64_t *value);

/* inuse.c */
bool model_inuse_read(struct model *m, unsigned unused, uint64_t *value);
bool model_inuse_write(struct model *m, unsigned unused, uint64_t value);

/* clock.c: at reset; MSR_PLATFORM_INFO, leaves 15H and 16H, which the CPU may lack. */
void model_clock_reset(struct model *m);
uint64_t model_platform_info(const struct model *m);
void model_leaf_crystal(const struct model *m, uint32_t out[4]);
void model_leaf_frequencies(const struct model *m, uint32_t out[4]);

/* machine.c: registers beside the PMU that its users read. */
void model_smi_counted(struct model *m);
void model_machine_halted(struct model *m, bool halted);
bool model_machine_read(struct model *m, unsigned which, uint64_t *value);
bool model_machine_write(struct model *m, unsigned which, uint64_t value);
enum machine_register {
    MACHINE_PLATFORM_ID,
    MACHINE_SMI_COUNT,
    MACHINE_BIOS_SIGN_ID,
    MACHINE_PLATFORM_INFO,
    MACHINE_MPERF,
    MACHINE_APERF,
    MACHINE_PERF_CAPABILITIES,
    MACHINE_TSX_FORCE_ABORT,
};

/* lapic.c: IA32_APIC_BASE, and 800H + index in x2APIC mode. */
void model_apic_reset(struct model *m);
void model_apic_init(struct model *m);          /* INIT */
bool model_apic_enabled(const struct model *m); /* in any mode */
bool model_apic_base_read(struct model *m, unsigned unused, uint64_t *value);
bool model_apic_base_write(struct model *m, unsigned unused, uint64_t value);
bool model_x2apic_read(struct model *m, unsigned index, uint64_t *value);
bool model_x2apic_write(struct model *m, unsigned index, uint64_t value);

/*
 * active.c: gathers the counters that count now. Code that changes what could start or stop one sets `stale`; at the
 * end of the write or instruction model_settle() is called.
 */
void model_settle(struct model *m);
/* The event that this encoding selects on every CPU; EVENT_NONE: none. */
uint8_t model_architectural_event(const struct model *m, uint64_t evtsel);

/* Kinds of instructions from near branch to IRET. */
static inline bool is_branch(enum retired_kind kind)
{
    return kind >= RETIRED_BRANCH && kind <= RETIRED_IRET;
}

/* events.c: how often each event happens in one instruction; `happened` starts as zeros. */
void model_events_of(struct model *m, const struct retired *instruction, uint32_t happened[EVENT_COUNT]);
/* Notes that a run has passed; returns its cycles. */
uint32_t model_events_pass_run(struct model *m, const struct model_run *run);
/* As model_events_of(), for a run, including that note. */
void model_events_of_run(struct model *m, const struct model_run *run, uint32_t happened[EVENT_COUNT]);
/* Counts of a counter that compares cycle by cycle: `happened` of its event, in an instruction of `cycles` cycles. */
uint32_t model_count_by_cycles(struct model *m, const struct counting *c, uint32_t happened, uint32_t cycles);
/* The same for a run; only for counters for which model_counts_evenly() is true. */
uint32_t model_count_run_by_cycles(struct model *m, const struct counting *c, uint32_t happened, uint32_t cycles);
bool model_counts_evenly(const struct counting *c);
/* The most that a counter can advance by one instruction of a run. */
uint32_t model_events_most(const struct model *m, const struct counting *c);

/* events.c: rare events begin anew when they begin to be counted. */
void model_rare_follow(struct model *m);

/* predictor.c */
/* Mispredictions are counted in these rings from now on. */
void model_predictor_follow(struct model *m, uint8_t rings);
/* The mispredictions of a run, or of one instruction as such; call it once the kinds of branches are known. */
void model_predictor_of_run(struct model *m, const struct model_run *run, uint32_t happened[EVENT_COUNT]);

/* topdown.c: what happens to an instruction's slots, and PERF_METRICS. */
void model_topdown_of(const struct retired *instruction, uint32_t happened[EVENT_COUNT]);
void model_metrics_count(struct model *m, const struct retired *instruction, const uint32_t happened[EVENT_COUNT]);
/* The same for a run. */
void model_topdown_of_run(const struct model *m, const struct model_run *run, uint32_t happened[EVENT_COUNT]);
void model_metrics_count_run(struct model *m, const struct model_run *run, const uint32_t happened[EVENT_COUNT]);
bool model_metrics_read(struct model *m, unsigned unused, uint64_t *value);
bool model_metrics_write(struct model *m, unsigned unused, uint64_t value);
/* WRMSR of a fixed counter, with its effect on PERF_METRICS. */
bool model_fixed_write(struct model *m, unsigned i, uint64_t value);
/* RDPMC: with METRICS_CLEAR set, it clears counter and metrics. */
bool model_metrics_rdpmc(struct model *m, uint64_t *value);

/* alias.c: the aliases of counters in version 6, 4 MSRs each. */
bool model_gp_alias_read(struct model *m, unsigned index, uint64_t *value);
bool model_gp_alias_write(struct model *m, unsigned index, uint64_t value);
bool model_fixed_alias_read(struct model *m, unsigned index, uint64_t *value);
bool model_fixed_alias_write(struct model *m, unsigned index, uint64_t value);
/* Reloads the counters that one of `wrapped` reloads; returns those whose STATUS bits are not set, as they reloaded
 * themselves. */
uint64_t model_reload(struct model *m, uint64_t wrapped);

/* netburst.c: the counters, CCCRs and ESCRs of NetBurst. */
bool model_netburst_counter_read(struct model *m, unsigned n, uint64_t *value);
bool model_netburst_counter_write(struct model *m, unsigned n, uint64_t value);
bool model_cccr_read(struct model *m, unsigned n, uint64_t *value);
bool model_cccr_write(struct model *m, unsigned n, uint64_t value);
bool model_escr_read(struct model *m, unsigned n, uint64_t *value);
bool model_escr_write(struct model *m, unsigned n, uint64_t value);
bool model_netburst_rdpmc(struct model *m, uint32_t index, uint64_t *value);
/* NetBurst's counters that count now: calls `add` for each. */
void model_netburst_gather(struct model *m, void (*add)(struct model *m, struct counting c));
void model_netburst_overflow(struct model *m, uint64_t wrapped);
/* netburst_tags.c: which of the core's two threads is this? */
unsigned model_netburst_thread(const struct model *m);
bool model_netburst_at_retirement(uint64_t escr);
/* The event that counts the uops that the other registers tag; EVENT_NONE: no uop is tagged, or none is counted. */
uint8_t model_netburst_tagged(struct model *m, unsigned event, unsigned mask);
/* Does MSR_FIRM_ESCRn tag this instruction as it executes, on this thread? */
bool model_netburst_executes(struct model *m, unsigned n, const struct retired *instruction);
/* Does one of `counters` ask for a PMI? If one asks for a PMI on the other thread, that is passed on. */
bool model_netburst_ask(struct model *m, uint64_t counters);

/* core.c. At reset: joins `core`; NULL: shares nothing. */
void model_core_join(struct model *m, struct model_core *core);
/* After a write of a stored register; after another write, which may affect the other thread. */
void model_core_written(struct model *m, unsigned which);
void model_core_changed(struct model *m, bool concerns_other);
/* Has the other thread written something, or raised a PMI here? And takes that over. */
bool model_core_calls(const struct model *m);
void model_core_sync(struct model *m);
/* Raises a PMI on the other thread. */
void model_core_ask_other(struct model *m);
/* model_settle() has gathered which counters count. And do GP counters count on the core's other thread? */
void model_core_counts(struct model *m);
bool model_core_other_counts(const struct model *m);
/* May a counter with this CCCR.ACTIVE_THREAD count now, while this thread is active? */
bool model_core_suits(const struct model *m, uint64_t active_thread);

/* smi.c: one SMI, which executes this many instructions that may be counted. */
void model_smi(struct model *m, uint32_t instructions);

/* retire.c: counts one instruction on the counters of `list`; returns the STATUS bits of those that wrapped. */
uint64_t model_count_instruction(struct model *m, const struct retired *instruction, struct counting *list,
                                 unsigned count);
/* Counts the WRMSR that has just stopped the counters in `stopped` (in ring 0), if the profile says so. */
void model_count_stopping(struct model *m, uint64_t stopped);
/* Before a WRMSR that may stop counters: remembers the active ones; after it: notes those that it has started. */
void model_remember_active(struct model *m);
void model_counting_started(struct model *m, uint64_t started);

/* overflow.c: the effects of all counters that wrapped in one instruction. */
void model_overflow(struct model *m, uint64_t wrapped);

/* freeze.c: freezes as DEBUGCTL requests. */
void model_freeze(struct model *m);

/* lbr.c: records of taken branches: sources, from LBR_MAX on targets; from LBR_OLD on the same at older addresses. */
#define LBR_OLD (2 * LBR_MAX)
bool model_lbr_read(struct model *m, unsigned index, uint64_t *value);
bool model_lbr_write(struct model *m, unsigned index, uint64_t value);
bool model_lbr_tos_read(struct model *m, unsigned unused, uint64_t *value);
bool model_lbr_tos_write(struct model *m, unsigned unused, uint64_t value);
/* Do records have a third part, with cycles and flags? */
bool model_lbr_tells(const struct model *m);
bool model_lbr_info_read(struct model *m, unsigned n, uint64_t *value);
bool model_lbr_info_write(struct model *m, unsigned n, uint64_t value);
/* Architectural records: sources from 0 on, targets from LBR_MAX on, and the third part behind those. */
bool model_lbr_ctl_read(struct model *m, unsigned unused, uint64_t *value);
bool model_lbr_ctl_write(struct model *m, unsigned unused, uint64_t value);
bool model_lbr_depth_read(struct model *m, unsigned unused, uint64_t *value);
bool model_lbr_depth_write(struct model *m, unsigned unused, uint64_t value);
bool model_lbr_entry_read(struct model *m, unsigned index, uint64_t *value);
bool model_lbr_entry_write(struct model *m, unsigned index, uint64_t value);
bool model_lbr_recording(struct model *m);
/* Are they recorded, so that every instruction has to be reported? */
bool model_lbr_followed(const struct model *m);
/* Will this instruction insert a record? */
bool model_lbr_inserts(struct model *m, const struct retired *instruction);
/* Do records contain counts of GP counter n? And adds `n` occurrences of its event. */
bool model_lbr_logs(struct model *m, unsigned n, uint64_t evtsel);
void model_lbr_log(struct model *m, const struct counting *c, uint32_t n);
void model_lbr_retire(struct model *m, const struct retired *instruction);
/* The same for an event that goes to a handler: a far branch between instructions. Returns whether it was recorded. */
bool model_lbr_delivered(struct model *m, uint8_t vector, const struct retired *event);
void model_lbr_run(struct model *m, const struct model_run *run);
bool model_lbr_exists(const struct model *m);

/* trace.c: registers by enum trace_register. */
void model_trace_reset(struct model *m);
bool model_trace_read(struct model *m, unsigned which, uint64_t *value);
bool model_trace_write(struct model *m, unsigned which, uint64_t value);
/* Traces one instruction; only while the trace is on. */
void model_trace_retire(struct model *m, const struct retired *instruction);
/* The same for a run, which has no branches that are traced. */
void model_trace_run(struct model *m, const struct model_run *run);
/* Does the trace depend on each instruction now? */
bool model_trace_each_matters(struct model *m);
/* How many branches surely fit into the region without filling it. */
uint32_t model_trace_room(struct model *m);

/* pmi.c */
/* A PMI on its way comes closer by one instruction; `halted`: it arrives now. */
void model_pmi_pass(struct model *m, bool halted);
/* Delivers the PMI by LVTPC now. */
void model_pmi_deliver(struct model *m);
/* Notes the kind of the instruction in which counters have just wrapped. */
void model_pmi_cause(struct model *m, const struct retired *instruction);
/* The LVT performance-counter entry, and whether it is masked. */
uint32_t model_lvtpc(struct model *m);
bool model_lvtpc_masked(struct model *m);
/* STATUS bits of the counters that ask for a PMI. */
uint64_t model_pmi_enabled(const struct model *m);
