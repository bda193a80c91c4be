/*
 * How several users of one PMU get along: the PMU Sharing Guide ("Performance Monitoring Unit Sharing Guide", Irelan
 * and Kuo) as code, to be read by authors of other agents. An agent is anything at CPL 0 that uses counters:
 * firmware, a kernel, a hypervisor, a tool. Nothing enforces the rules and nothing reserves a counter; all that an
 * agent has is to look before it takes, to take what it needs least, and to leave no trace.
 *
 * An agent's life:
 *     agent_poll()      what is in use, by whomever
 *     agent_obtain()    a counter: shared read-only if one free-runs, else claimed, least capable first
 *     agent_start(), agent_stop(), agent_read()
 *     agent_verify()    is it still mine? agent_reclaim() takes back what another reprogrammed
 *     agent_release()   control and counter back to 0
 *
 * Looking and taking are two steps: an SMI between them can take the counter first. Claiming therefore looks again
 * afterwards. All functions act on the calling CPU, which must not change meanwhile.
 */
#pragma once

#include "pmu/count/counter.h"
#include "pmu/state/in_use.h"

/* ---- Who uses what: one look at the registers. */

void agent_poll(const struct pmu_caps *caps, struct pmu_state *state);
/* Features that are in use when their register is not 0: no counter's control tells it, nor IA32_PERF_GLOBAL_INUSE. */
enum agent_feature {
    FEATURE_SAMPLING = 1,
    FEATURE_LOAD_LATENCY = 2,
    FEATURE_OFFCORE_0 = 4,
    FEATURE_OFFCORE_1 = 8,
    FEATURE_LBR_FILTER = 16,
};
/* Pure: which of them are in use, a set of enum agent_feature. */
unsigned agent_features(const struct pmu_state *state);

/* ---- May I use it? */

enum use {
    USE_FREE,
    USE_FREE_LEFT, /* free, and its last user left a value in it */
    USE_READ_ONLY, /* counts for everybody: may be read, never written */
    USE_TAKEN,
    USE_HIDDEN, /* free by the rules, and yet it counts: somebody does not keep to them */
};

/* What decides about one counter. */
struct counter_state {
    bool fixed;
    u64 control;  /* IA32_PERFEVTSELn, or the four bits of IA32_FIXED_CTR_CTRL in bits 3:0 */
    bool claimed; /* its bit in pmu_state.in_use */
    bool global;  /* its bit in IA32_PERF_GLOBAL_CTRL */
    bool sampled; /* its bit in IA32_PEBS_ENABLE */
    bool left;    /* control 0, value not 0 */
};

/* One line of the answer book; the first that matches decides. */
struct use_rule {
    bool fixed;
    bool (*matches)(const struct counter_state *state);
    enum use use;
    struct counter_state example;
    const char *state; /* in words */
    const char *why;
};
extern const struct use_rule use_rules[];
extern const unsigned use_rule_count;

/* Pure. Never NULL: the last rules match everything. */
const struct use_rule *use_of(const struct counter_state *state);
struct counter_state counter_state_of(const struct pmu_state *state, struct counter counter);
const char *use_name(enum use use);

/* ---- An agent. */

struct agent_wish {
    u16 event;      /* umask:event */
    unsigned flags; /* COUNT_OS, COUNT_USR, COUNT_INT */
};

#define AGENT_COUNTERS 4
struct agent_claim {
    struct counter counter;
    u64 control; /* as programmed: IA32_PERFEVTSELn, or the field of IA32_FIXED_CTR_CTRL in its place */
};

struct agent {
    const char *name;
    struct agent_claim claim[AGENT_COUNTERS];
    unsigned claims;
    u64 running;        /* GLOBAL_CTRL bits that it has switched on */
    unsigned reclaimed; /* how often it had to take a counter back */
};

/*
 * Pure: the least capable free counter that a wish can do with. That is the fixed counter of its event, if the wish is
 * for all privilege levels and no interrupt: fixed counters are best left running for everybody to read. Then come GP
 * counters, by their rarest ability: the fewer others share it, the later a counter is taken, and of equals the highest
 * first. IA32_PMC0 is often the only one that samples, on Sandy Bridge IA32_PMC3 the only one for load latency.
 * A fixed counter for less than that comes last. False if none is free.
 */
bool agent_choose(const struct pmu_caps *caps, const struct pmu_state *state, const struct agent_wish *wish,
                  struct counter *counter);
/* Pure: a fixed counter that free-runs with what the wish asks; else false, and *why of the one that would fit. */
bool agent_shareable(const struct pmu_caps *caps, const struct pmu_state *state, const struct agent_wish *wish,
                     struct counter *counter, const char **why);
/* Pure: is the owner of `own` (GLOBAL_CTRL bits) the only one who uses a PMI? */
bool agent_pmi_free(const struct pmu_caps *caps, const struct pmu_state *state, u64 own);
/* Pure: whose counters freezing would stop beside those of the owner of `own`: GLOBAL_CTRL bits. 0: he may freeze. */
u64 agent_others(const struct pmu_caps *caps, const struct pmu_state *state, u64 own);
/* The counters that an agent owns, as GLOBAL_CTRL bits. Pure. */
u64 agent_counters(const struct agent *agent);

enum obtained { OBTAINED_NOTHING, OBTAINED_SHARED, OBTAINED_OWN };
/*
 * Gets a counter for the wish. Shared ones are only to be read with counter_read(); own ones are programmed, hold 0 and
 * stand still. A wish with COUNT_INT gets nothing while somebody else uses the PMI.
 */
enum obtained agent_obtain(struct agent *agent, const struct agent_wish *wish, struct counter *counter);
/* Switches all own counters on or off; no other bit of IA32_PERF_GLOBAL_CTRL changes. */
void agent_start(struct agent *agent);
void agent_stop(struct agent *agent);
/* Own counters (GLOBAL_CTRL bits) whose control is not as programmed, or that somebody else switched off. */
u64 agent_verify(const struct agent *agent);
/* Takes those back, as their first user may: programs them anew, from 0, if need be; returns which they were. */
u64 agent_reclaim(struct agent *agent);
/* Gives back one counter, or all: stopped, control 0, value 0, overflow bit clear. */
void agent_release(struct agent *agent, struct counter counter);
void agent_release_all(struct agent *agent);

/*
 * For the PMI handler: switches the own counters off, clears their overflow bits and no others, and returns which
 * of them overflowed. The software freeze: DEBUGCTL[12] would stop everybody. agent_start() goes on.
 */
u64 agent_on_pmi(struct agent *agent);

/* ---- What survives the agent: a tool that is killed cannot release, so its next start must. */

struct agent_record {
    u32 crc32; /* of what follows */
    u32 claims;
    struct {
        u32 bit, reserved;
        u64 control;
    } claim[AGENT_COUNTERS];
};
/* Pure. */
void agent_record(const struct agent *agent, struct agent_record *record);
bool agent_record_good(const struct agent_record *record);
/*
 * Releases the counters that a killed agent left, and returns them. One whose control no longer reads as recorded has
 * found another user since: it is left alone.
 */
u64 agent_recover(const struct agent_record *record);
