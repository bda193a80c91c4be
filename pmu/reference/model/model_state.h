/*
 * Inside the model: its state, and what its files offer each other. Nobody outside pmu/reference/model includes this,
 * but the model's own host tests.
 */
#pragma once

#include "pmu/reference/model/deviations.h"
#include "pmu/reference/model/pebs.h"
#include "pmu/reference/model/profile.h"

/* What can happen in one instruction; index of a count. EVENT_NONE never happens. */
enum event {
    EVENT_NONE,
    EVENT_INSTRUCTIONS,
    EVENT_BRANCHES,
    EVENT_BRANCH_MISSES,
    EVENT_CORE_CYCLES,
    EVENT_REF_TSC,   /* fixed counter 2 */
    EVENT_REF_CLOCK, /* event 013CH, which may tick slower */
    EVENT_LLC_REFERENCE,
    EVENT_LLC_MISS,
    EVENT_SLOTS,
    EVENT_RETIRING,        /* slots by what became of them: */
    EVENT_BAD_SPECULATION, /* the four add up to EVENT_SLOTS */
    EVENT_FRONTEND_BOUND,
    EVENT_BACKEND_BOUND,
    EVENT_LOADS, /* memory operands: */
    EVENT_STORES,
    EVENT_LOAD_LATENCY,  /* loads that take at least MSR_PEBS_LD_LAT */
    EVENT_PRECISE_STORE, /* stores, counted to sample them */
    EVENT_LOADS_AND_STORES,
    EVENT_L1_MISS, /* loads that replay, on NetBurst */
    EVENT_L2_MISS,
    EVENT_TLB_LOAD_MISS,
    EVENT_TLB_STORE_MISS,
    EVENT_TLB_MISS, /* either */
    EVENT_TAGGED_0, /* tagged as executed, by the first ESCR that can, the second, either; on NetBurst */
    EVENT_TAGGED_1,
    EVENT_TAGGED_ANY,
    EVENT_COUNT,
};

enum { RING_OS = 1, RING_USR = 2 };

/* Fields of PERF_METRICS: four kinds that add up to all slots, and what each is to a large part. */
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

/* CPUID leaf 1, ECX */
#define CPUID_1_ECX_PDCM 0x8000u
#define CPUID_1_ECX_X2APIC 0x200000u
#define CPUID_1_ECX_HYPERVISOR 0x80000000u
#define CPUID_1_EDX_DS 0x200000u
#define CPUID_1_EDX_HTT 0x10000000u

#define LBR_MAX 32
#define ESCR_COUNT (MSR_ESCR_LAST - MSR_ESCR + 1)

/* The LVT performance-counter entry. SDM 3A, "Local Vector Table" */
#define LVTPC_VECTOR MASK(7, 0)
#define LVTPC_DELIVERY MASK(10, 8)
#define LVTPC_FIXED FIELD(10, 8, 0)
#define LVTPC_SMI FIELD(10, 8, 2)
#define LVTPC_NMI FIELD(10, 8, 4)
#define LVTPC_MASKED BIT(16)

#define ACTIVE_MAX (NETBURST_COUNT > GP_MAX + FIXED_MAX ? NETBURST_COUNT : GP_MAX + FIXED_MAX)

/* A counter that is counting now: what a step needs, gathered when a register is written. */
struct counting {
    uint64_t *value;
    uint64_t limit; /* its highest value */
    uint8_t bit;    /* in STATUS and GLOBAL_CTRL */
    uint8_t event;
    uint8_t rings;
    uint8_t slot;   /* index of its edge state */
    bool by_cycles; /* CMASK, INV or EDGE in use: event occurrences are compared cycle by cycle */
    bool invert, edge;
    bool equal; /* EQ: exactly so many, not at least */
    bool any;   /* AnyThread is set */
    uint8_t threshold;
};

/* What the threads of a core share; each access is one atomic operation. */
struct model_core {
    uint64_t netburst[NETBURST_COUNT], cccr[NETBURST_COUNT], escr[ESCR_COUNT];
    uint64_t stored[STORED_COUNT]; /* those whose scope is the core */
    uint32_t changes;              /* writes, of all but counters */
    uint32_t running, asked; /* threads that are not halted; for which another one has raised a PMI. Bit = thread */
};

static inline uint64_t shared_get(const uint64_t *at)
{
    return __atomic_load_n(at, __ATOMIC_RELAXED);
}
static inline void shared_set(uint64_t *at, uint64_t value)
{
    __atomic_store_n(at, value, __ATOMIC_RELAXED);
}

struct model {
    struct profile p; /* a copy: deviations of data change it */
    struct model_host host;
    int deviation; /* enum deviation_id, or -1 */
    uint32_t rate, chances;
    uint32_t cpu, cpus;
    uint32_t threads_shown; /* threads of a core in CPUID.0BH; 0: the machine's own */

    /* Registers */
    uint64_t evtsel[GP_MAX], pmc[GP_MAX], fixed[FIXED_MAX];
    uint64_t stored[STORED_COUNT];
    uint64_t status;
    uint32_t smi_count;
    uint64_t mperf_offset, aperf_offset;
    uint64_t cfg_b[GP_MAX], cfg_c[GP_MAX], fixed_cfg_b[FIXED_MAX], fixed_cfg_c[FIXED_MAX];
    uint64_t lbr_from[LBR_MAX], lbr_to[LBR_MAX];
    uint8_t lbr_tos;
    bool shares;             /* another thread of the core has a model, */
    struct model_core *core; /* and this is theirs; else it is `own` */
    struct model_core own;
    uint32_t core_seen; /* writes that are known here */

    /* Counting */
    struct pebs pebs;
    struct counting active[ACTIVE_MAX];
    struct counting before[ACTIVE_MAX]; /* the active ones before the WRMSR under way */
    unsigned active_count, before_count;
    uint64_t active_mask;          /* bits of the active counters */
    uint64_t started;              /* of those, what the last WRMSR started */
    bool recording;                /* taken branches become records; */
    bool lbr_open;                 /* the last one's target is not known yet */
    bool clocks, rare;             /* some active counter needs clock events, or LLC events or mispredictions */
    bool topdown;                  /* or kinds of slots */
    bool memory;                   /* or memory operands */
    bool plainly;                  /* instructions and branches are all that is counted, and nothing deviates there */
    bool by_cycles;                /* some active counter looks at single cycles */
    bool steadily;                 /* like instructions count alike, so that they may be reported in runs */
    bool counts_differ;            /* the deviation is one of counting */
    uint8_t metrics;               /* rings in which PERF_METRICS is kept, */
    uint64_t metric[METRIC_COUNT]; /* in slots, since it was written */
    bool was_true[ACTIVE_MAX];
    uint64_t retired, branches, loads, stores;
    uint32_t ref_part, crystal_part, step_part; /* remainders of clock divisions */

    /* PMI on its way: instructions until delivery, counting the current one; 0: none */
    uint32_t pmi_countdown;
    uint32_t overflows;            /* PMIs raised so far: the skid's pattern */
    enum retired_kind overflowing; /* the instruction that raised the last one */

    /* What a deviation remembers */
    uint64_t watched;        /* instructions seen by model_watch() */
    bool watching;           /* call model_watch() after each instruction */
    bool held;               /* a PMI was raised while masked */
    uint32_t echo;           /* instructions for which an unmask brings a second PMI */
    bool in_nmi;             /* between an NMI PMI and the IRET */
    bool pmi_seen;           /* one PMI has been delivered */
    bool asked_to_thaw;      /* a freeze bit was cleared once without effect */
    bool stays_frozen;       /* until GLOBAL_CTRL is written */
    bool lbr_stays_frozen;   /* the records were frozen once */
    bool flap;               /* the last STATUS read was true */
    uint64_t late_status;    /* STATUS bits to come, */
    uint32_t late_countdown; /* after so many instructions */
    uint64_t just_wrapped;   /* counters that wrapped, */
    uint32_t wrapped_age;    /* up to so many instructions ago */
    uint64_t last_wrapped;   /* those of the last wrap, however long ago */
    uint64_t stuck;          /* STATUS bits that nothing clears */
    uint64_t flagged;        /* NetBurst's counters that wrapped by an instruction of this thread */
    uint32_t lvtpc_at_raise;
    uint32_t interrupted;  /* instructions until the one after an interrupt has retired */
    uint64_t command_read; /* what STATUS_RESET reads as */
    uint64_t evtsel_was[GP_MAX];
    uint8_t magic_left; /* of three event selects that have to be written first */
    uint64_t inuse_seen, inuse_hidden;
    uint64_t global_fixed_late;            /* GLOBAL_CTRL's fixed bits that the last write set, until it is read */
    uint64_t global_ctrl_was;              /* before the last write of 0, until it is read */
    uint64_t halted_at;                    /* host time of the last HLT */
    uint64_t written[64];                  /* by counter bit: what WRMSR wrote last */
    uint64_t alias_upper[GP_MAX];          /* upper part that IA32_PMCn still shows, */
    bool alias_lags[GP_MAX];               /* if it does */
    uint64_t fixed_above_width[FIXED_MAX]; /* bits above the width that were let in */
    uint32_t random;
};

/* The deviation that runs, asked at the one place where it shows. Every rate-th time it says true. */
static inline bool deviates(struct model *m, enum deviation_id id)
{
    return m->deviation == (int)id && ++m->chances % m->rate == 0;
}

/* Pure helpers. */
bool model_same_text(const char *a, const char *b);
static inline uint64_t width_mask(unsigned width)
{
    return width >= 64 ? ~0ull : (1ull << width) - 1;
}
static inline bool last_cpu(const struct model *m)
{
    return m->cpus > 1 && m->cpu == m->cpus - 1;
}

/* errata.c: changes the profile's copy into the CPU that has the erratum. */
void model_show_erratum(struct model *m, const struct model_erratum *erratum);
/* deviate_control.c: what deviations make of a write (`was`: before it), and of a read. */
uint64_t model_deviate_evtsel(struct model *m, unsigned n, uint64_t was, uint64_t value);
uint64_t model_deviate_global_ctrl(struct model *m, uint64_t was, uint64_t value);
uint64_t model_deviate_fixed_ctrl(struct model *m, uint64_t value);
uint64_t model_deviate_control_read(struct model *m, unsigned which, uint64_t value);
uint64_t model_deviate_counter_read(struct model *m, unsigned n, uint64_t value);

/* data.c: changes the profile's copy as the deviation says. */
void model_deviate_data(struct model *m);
void model_deviate_hardware(struct model *m); /* data_hardware.c */
void model_deviate_leaf_23(struct model *m);  /* data_leaf_23.c */

/* counters.c: values of counters. False: #GP(0). */
bool model_pmc_read(struct model *m, unsigned n, uint64_t *value);
bool model_pmc_write(struct model *m, unsigned n, uint64_t value);
bool model_a_pmc_read(struct model *m, unsigned n, uint64_t *value);
bool model_a_pmc_write(struct model *m, unsigned n, uint64_t value);
bool model_fixed_read(struct model *m, unsigned i, uint64_t *value);
bool model_fixed_write(struct model *m, unsigned i, uint64_t value);

/* controls.c: the stored registers and the event selects. */
bool model_evtsel_read(struct model *m, unsigned n, uint64_t *value);
bool model_evtsel_write(struct model *m, unsigned n, uint64_t value);
bool model_stored_read(struct model *m, unsigned which, uint64_t *value);
bool model_stored_write(struct model *m, unsigned which, uint64_t value);
/* What `rule` makes of writing `value` over `old`; false: #GP(0). */
bool model_rule_apply(const struct write_rule *rule, uint64_t old, uint64_t value, uint64_t *result);

/* status.c */
bool model_status_read(struct model *m, unsigned unused, uint64_t *value);
bool model_status_write(struct model *m, unsigned unused, uint64_t value);
bool model_status_reset_write(struct model *m, unsigned unused, uint64_t value);
bool model_status_set_write(struct model *m, unsigned unused, uint64_t value);
bool model_status_command_read(struct model *m, unsigned set, uint64_t *value);

/* inuse.c */
bool model_inuse_read(struct model *m, unsigned unused, uint64_t *value);
bool model_inuse_write(struct model *m, unsigned unused, uint64_t value);

/* machine.c: registers beside the PMU that its users read. */
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
};

/* lapic.c: IA32_APIC_BASE, and 800H + index in x2APIC mode. */
bool model_apic_base_read(struct model *m, unsigned unused, uint64_t *value);
bool model_apic_base_write(struct model *m, unsigned unused, uint64_t value);
bool model_x2apic_read(struct model *m, unsigned index, uint64_t *value);
bool model_x2apic_write(struct model *m, unsigned index, uint64_t value);

/* active.c: gathers the counters that count now. To be called after every change that could start or stop one. */
void model_gather_active(struct model *m);

/* The kinds between near branch and IRET. */
static inline bool is_branch(enum retired_kind kind)
{
    return kind >= RETIRED_BRANCH && kind <= RETIRED_IRET;
}

/* events.c: how often each event happens in one instruction; `happened` starts as zeros. */
void model_events_of(struct model *m, const struct retired *instruction, uint32_t happened[EVENT_COUNT]);
/* The same of a run of plain instructions and near branches. */
void model_events_of_run(struct model *m, uint32_t instructions, uint32_t branches, uint32_t happened[EVENT_COUNT]);
/* Counts of a counter that compares cycle by cycle; `happened` of its event, in an instruction of `cycles` cycles. */
uint32_t model_count_by_cycles(struct model *m, const struct counting *c, uint32_t happened, uint32_t cycles);
/* The most that any event can happen in one instruction. */
uint32_t model_events_most(const struct model *m);

/* topdown.c: what becomes of an instruction's slots, and PERF_METRICS. */
void model_topdown_of(const struct model *m, const struct retired *instruction, uint32_t happened[EVENT_COUNT]);
void model_metrics_count(struct model *m, const struct retired *instruction, const uint32_t happened[EVENT_COUNT]);
bool model_metrics_read(struct model *m, unsigned unused, uint64_t *value);
bool model_metrics_write(struct model *m, unsigned unused, uint64_t value);
/* RDPMC: with METRICS_CLEAR set, counter and metrics start anew. */
bool model_metrics_rdpmc(struct model *m, uint64_t *value);

/* alias.c: counters by their names of version 6, 4 MSRs a counter. */
bool model_gp_alias_read(struct model *m, unsigned index, uint64_t *value);
bool model_gp_alias_write(struct model *m, unsigned index, uint64_t value);
bool model_fixed_alias_read(struct model *m, unsigned index, uint64_t *value);
bool model_fixed_alias_write(struct model *m, unsigned index, uint64_t value);
/* Reloads the counters that ask for it when one of `wrapped` does; returns those that reloaded themselves. */
uint64_t model_reload(struct model *m, uint64_t wrapped);

/* netburst.c: the counters, CCCRs and ESCRs of NetBurst. */
bool model_netburst_counter_read(struct model *m, unsigned n, uint64_t *value);
bool model_netburst_counter_write(struct model *m, unsigned n, uint64_t value);
bool model_cccr_read(struct model *m, unsigned n, uint64_t *value);
bool model_cccr_write(struct model *m, unsigned n, uint64_t value);
bool model_escr_read(struct model *m, unsigned n, uint64_t *value);
bool model_escr_write(struct model *m, unsigned n, uint64_t value);
bool model_netburst_rdpmc(const struct model *m, uint32_t index, uint64_t *value);
void model_netburst_reset(struct model *m);
/* Of NetBurst's counters, those that count now: through `add`. */
void model_netburst_gather(struct model *m, void (*add)(struct model *m, struct counting c));
void model_netburst_overflow(struct model *m, uint64_t wrapped);
/* netburst_tags.c: which of a core's two threads this is; the rings in which an ESCR counts for one of them. */
unsigned model_netburst_thread(const struct model *m);
uint8_t model_netburst_rings(struct model *m, unsigned thread, uint64_t escr);
/* Is it an event of tagged uops, and which do the other registers tag for it? */
bool model_netburst_at_retirement(uint64_t escr);
uint8_t model_netburst_tagged(struct model *m, unsigned event, unsigned mask);
/* Does MSR_FIRM_ESCRn tag it as it executes, in this thread? */
bool model_netburst_executes(struct model *m, unsigned n, const struct retired *instruction);
/* Of PEBS: does counter n sample as programmed? */
bool model_netburst_samples(const struct model *m, unsigned n);
/* Do `counters` ask for a PMI? If they ask for one on the other thread, that is told. */
bool model_netburst_ask(struct model *m, uint64_t counters);

/* core.c. At reset: shares `core`, or nothing if that is NULL. */
void model_core_join(struct model *m, struct model_core *core);
/* After a write of a stored register; of something else, which may concern the other thread, too. */
void model_core_written(struct model *m, unsigned which);
void model_core_changed(struct model *m, bool concerns_other);
/* Has the other thread written something, or raised a PMI here, that is to be taken over; and that is done. */
bool model_core_calls(const struct model *m);
void model_core_sync(struct model *m);
/* Raises a PMI on the other thread. */
void model_core_ask_other(struct model *m);
/* May a counter with this CCCR.ACTIVE_THREAD count now, one thread at least being active? */
bool model_core_suits(const struct model *m, uint64_t active_thread);

/* smi.c: one SMI, of so many instructions that may be counted. */
void model_smi(struct model *m, uint32_t instructions);

/* retire.c: counts one instruction on the counters of `list`; returns STATUS bits of those that wrapped. */
uint64_t model_count_instruction(struct model *m, const struct retired *instruction, struct counting *list,
                                 unsigned count);
/* Counts the WRMSR that has just stopped the counters of `stopped` (CPU time at CPL 0), where the profile says so. */
void model_count_stopping(struct model *m, uint64_t stopped);

/* deviate_count.c: what a counting deviation makes of n counts, of a ring that is not to be counted, of a sum. */
uint32_t model_deviate_count(struct model *m, const struct retired *instruction, const struct counting *c, uint32_t n);
bool model_deviate_ring(struct model *m, const struct counting *c);
uint64_t model_deviate_sum(struct model *m, uint64_t old, uint64_t sum);
bool model_counts_differ(int deviation); /* does it deviate in any of these? */

/* overflow.c: what a counter holds after a wrap, and what follows from the wraps of one instruction. */
uint64_t model_wrapped_value(struct model *m, const struct counting *c, uint64_t sum);
void model_overflow(struct model *m, uint64_t wrapped);

/* freeze.c: freezes what DEBUGCTL asks for; and which of the STATUS bits that are to be cleared are. */
void model_freeze(struct model *m);
uint64_t model_thaw(struct model *m, uint64_t clear);

/* lbr.c: records of taken branches, from LBR_MAX on of their targets. */
bool model_lbr_read(struct model *m, unsigned index, uint64_t *value);
bool model_lbr_write(struct model *m, unsigned index, uint64_t value);
bool model_lbr_tos_read(struct model *m, unsigned unused, uint64_t *value);
bool model_lbr_tos_write(struct model *m, unsigned unused, uint64_t value);
bool model_lbr_recording(struct model *m);
void model_lbr_retire(struct model *m, const struct retired *instruction);
/* A PMI has frozen them. */
void model_lbr_frozen(struct model *m);

/* pmi.c */
void model_pmi_raise(struct model *m);
/* One instruction passes for a PMI on its way; `halted`: it arrives now. */
void model_pmi_pass(struct model *m, bool halted);
/* Delivers through LVTPC now. `echo`: it may bring a second one. */
void model_pmi_deliver(struct model *m, bool echo);
bool model_lvtpc_masked(struct model *m);
/* STATUS bits whose counter asks for a PMI. */
uint64_t model_pmi_enabled(const struct model *m);

/* watch.c: what deviations do between instructions. */
void model_watch(struct model *m, const struct retired *instruction);
/* True while a deviation waits for something that only instructions bring. */
bool model_waiting(const struct model *m);
/* May something happen between any two instructions? */
bool model_watches_each(const struct model *m);
