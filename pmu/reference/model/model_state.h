/*
 * Inside the model: its state, and what its files offer each other. Nobody outside pmu/reference/model includes this,
 * but the model's own host tests.
 */
#pragma once

#include "pmu/reference/model/deviations.h"
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
    EVENT_COUNT,
};

enum { RING_OS = 1, RING_USR = 2 };

/* CPUID leaf 1, ECX */
#define CPUID_1_ECX_PDCM 0x8000u
#define CPUID_1_ECX_X2APIC 0x200000u
#define CPUID_1_ECX_HYPERVISOR 0x80000000u

/* The LVT performance-counter entry. SDM 3A, "Local Vector Table" */
#define LVTPC_VECTOR MASK(7, 0)
#define LVTPC_DELIVERY MASK(10, 8)
#define LVTPC_FIXED FIELD(10, 8, 0)
#define LVTPC_SMI FIELD(10, 8, 2)
#define LVTPC_NMI FIELD(10, 8, 4)
#define LVTPC_MASKED BIT(16)

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
    uint8_t threshold;
};

struct model {
    struct profile p; /* a copy: deviations of data change it */
    struct model_host host;
    int deviation; /* enum deviation_id, or -1 */
    uint32_t rate, chances;
    uint32_t cpu, cpus;

    /* Registers */
    uint64_t evtsel[GP_MAX], pmc[GP_MAX], fixed[FIXED_MAX];
    uint64_t stored[STORED_COUNT];
    uint64_t status;
    uint32_t smi_count;
    uint64_t mperf_offset, aperf_offset;

    /* Counting */
    struct counting active[GP_MAX + FIXED_MAX];
    struct counting before[GP_MAX + FIXED_MAX]; /* the active ones before the WRMSR under way */
    unsigned active_count, before_count;
    uint64_t active_mask; /* bits of the active counters */
    uint64_t started;     /* of those, what the last WRMSR started */
    bool clocks, rare;    /* some active counter needs clock events, or LLC events or mispredictions */
    bool plainly;         /* none does, and there is no deviation: instructions and branches are all that is counted */
    bool was_true[GP_MAX + FIXED_MAX];
    uint64_t retired, branches;
    uint32_t ref_part, crystal_part, step_part; /* remainders of clock divisions */

    /* PMI on its way: instructions until delivery, counting the current one; 0: none */
    uint32_t pmi_countdown;
    uint32_t overflows; /* PMIs raised so far: the skid's pattern */

    /* What a deviation remembers */
    uint64_t watched;        /* instructions seen by model_watch() */
    bool watching;           /* call model_watch() after each instruction */
    bool held;               /* a PMI was raised while masked */
    uint32_t echo;           /* instructions for which an unmask brings a second PMI */
    bool in_nmi;             /* between an NMI PMI and the IRET */
    bool pmi_seen;           /* one PMI has been delivered */
    bool asked_to_thaw;      /* a freeze bit was cleared once without effect */
    bool stays_frozen;       /* until GLOBAL_CTRL is written */
    bool flap;               /* the last STATUS read was true */
    uint64_t late_status;    /* STATUS bits to come, */
    uint32_t late_countdown; /* after so many instructions */
    uint64_t inuse_seen, inuse_hidden;
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

/* data.c: changes the profile's copy as the deviation says. */
void model_deviate_data(struct model *m);
void model_deviate_hardware(struct model *m); /* data_hardware.c */

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
/* Counts of a counter that compares cycle by cycle; `happened` of its event, in an instruction of `cycles` cycles. */
uint32_t model_count_by_cycles(struct model *m, const struct counting *c, uint32_t happened, uint32_t cycles);
/* The most that any event can happen in one instruction. */
uint32_t model_events_most(const struct model *m);

/* retire.c: counts one instruction on the counters of `list`; returns STATUS bits of those that wrapped. */
uint64_t model_count_instruction(struct model *m, const struct retired *instruction, struct counting *list,
                                 unsigned count);
/* Counts the WRMSR that has just stopped the counters of `stopped` (CPU time at CPL 0), where the profile says so. */
void model_count_stopping(struct model *m, uint64_t stopped);

/* deviate_count.c: what a counting deviation makes of n counts, of a ring that is not to be counted, of a sum. */
uint32_t model_deviate_count(struct model *m, const struct retired *instruction, const struct counting *c, uint32_t n);
bool model_deviate_ring(struct model *m, const struct counting *c);
uint64_t model_deviate_sum(struct model *m, uint64_t old, uint64_t sum);

/* overflow.c: what a counter holds after a wrap, and what follows from the wraps of one instruction. */
uint64_t model_wrapped_value(struct model *m, const struct counting *c, uint64_t sum);
void model_overflow(struct model *m, uint64_t wrapped);

/* freeze.c: freezes what DEBUGCTL asks for; and which of the STATUS bits that are to be cleared are. */
void model_freeze(struct model *m);
uint64_t model_thaw(struct model *m, uint64_t clear);

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
