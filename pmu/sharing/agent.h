/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * How several users share one PMU: the PMU Sharing Guide ("Performance Monitoring Unit Sharing Guide", Irelan and Kuo)
 * as code, for authors of other agents. An agent is any software at CPL 0 that uses counters: firmware, a kernel, a
 * hypervisor, a tool. Nothing enforces the rules and nothing reserves a counter; an agent can only look before it takes
 * a counter, take the least capable one, and leave everything as it was.
 *
 * An agent's life:
 *     agent_poll()      what is in use, by whomever
 *     agent_obtain()    a counter: shared read-only if one free-runs, else claimed, least capable first
 *     agent_start(), agent_stop(), agent_read()
 *     agent_verify()    is it still mine? agent_reclaim() takes back what another reprogrammed
 *     agent_release()   control and counter back to 0
 *
 * Looking and taking are two steps: an SMI handler between them can take the counter first. So after claiming the agent
 * checks the control again. All functions act on the calling CPU, which must not change meanwhile.
 */
#pragma once

#include "pmu/count/counter.h"
#include "pmu/state/handoff.h"

/* ---- Who uses what: one look at all registers. */

void agent_poll(const struct pmu_caps *caps, struct pmu_state *state);
/* Features that are in use if their register is not 0: no counter's control and no bit of IA32_PERF_GLOBAL_INUSE shows
 * it. */
enum agent_feature {
    FEATURE_SAMPLING = 1,
    FEATURE_LOAD_LATENCY = 2,
    FEATURE_OFFCORE_0 = 4,
    FEATURE_OFFCORE_1 = 8,
    FEATURE_LBR_FILTER = 16,
};
/* Which of them are in use, as bits of enum agent_feature. Pure. */
unsigned agent_features(const struct pmu_state *state);

/* ---- May I use it? */

enum use {
    USE_FREE,
    USE_FREE_LEFT, /* free, with a value that its last user left */
    USE_READ_ONLY, /* counts for all agents: may be read, never written */
    USE_TAKEN,
    USE_HIDDEN, /* free by the rules, but it counts: some agent breaks them */
};

/* The state of one counter, which decides who may use it. */
struct counter_state {
    bool fixed;
    u64 control;  /* IA32_PERFEVTSELn, or the four bits of IA32_FIXED_CTR_CTRL in bits 3:0 */
    bool claimed; /* its bit in pmu_state.in_use */
    bool global;  /* its bit in IA32_PERF_GLOBAL_CTRL */
    bool sampled; /* its bit in IA32_PEBS_ENABLE */
    bool left;    /* control 0, value not 0 */
};

/* One row of the answer book; the first that matches decides. */
struct use_rule {
    bool fixed;
    bool (*matches)(const struct counter_state *state);
    enum use use;
    struct counter_state example;
    const char *state; /* the state in words */
    const char *why;
};
extern const struct use_rule use_rules[];
extern const unsigned use_rule_count;

/* Returns the matching row, never NULL: the last rows match everything. Pure. */
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
    u64 control; /* as programmed: IA32_PERFEVTSELn, or the counter's field of IA32_FIXED_CTR_CTRL at its position */
};

struct agent {
    const char *name;
    struct agent_claim claim[AGENT_COUNTERS];
    unsigned claims;
    u64 running;        /* GLOBAL_CTRL bits that the agent has switched on */
    unsigned reclaimed; /* how often it had to take a counter back */
};

/*
 * Chooses the least capable free counter that is enough for a wish. That is the fixed counter of its event, if the wish
 * is for all privilege levels and no interrupt: fixed counters should run for everybody to read. Next come GP counters,
 * ordered by their rarest ability: the fewer counters share it, the later a counter is taken; among equals the highest
 * number comes first. IA32_PMC0 is often the only one that samples, on Sandy Bridge IA32_PMC3 the only one for load
 * latency. A fixed counter for a lesser wish comes last. False if none is free. Pure.
 */
bool agent_choose(const struct pmu_caps *caps, const struct pmu_state *state, const struct agent_wish *wish,
                  struct counter *counter);
/* Finds a free-running fixed counter for the wish. False: *why is the reason not to share the event's counter. Pure. */
bool agent_shareable(const struct pmu_caps *caps, const struct pmu_state *state, const struct agent_wish *wish,
                     struct counter *counter, const char **why);
/* Is the owner of `own` (GLOBAL_CTRL bits) the only user of PMIs? Pure. */
bool agent_pmi_free(const struct pmu_caps *caps, const struct pmu_state *state, u64 own);
/* The counters of others (GLOBAL_CTRL bits) that a freeze by the owner of `own` would stop; 0: it may freeze. Pure. */
u64 agent_others(const struct pmu_caps *caps, const struct pmu_state *state, u64 own);
/* The counters that an agent owns, as GLOBAL_CTRL bits. Pure. */
u64 agent_counters(const struct agent *agent);

enum obtained { OBTAINED_NOTHING, OBTAINED_SHARED, OBTAINED_OWN };
/*
 * Gets a counter for the wish. A shared one may only be read, with counter_read(); an own one is programmed, holds 0
 * and is stopped. A wish with COUNT_INT gets nothing while another agent uses the PMI.
 */
enum obtained agent_obtain(struct agent *agent, const struct agent_wish *wish, struct counter *counter);
/* Switches all own counters on or off; changes no other bit of IA32_PERF_GLOBAL_CTRL. */
void agent_start(struct agent *agent);
void agent_stop(struct agent *agent);
/* The agent's counters (GLOBAL_CTRL bits) whose control was changed, or which another agent switched off. */
u64 agent_verify(const struct agent *agent);
/* Takes these counters back, as their first user may: programs them again from 0 if need be, and returns their bits. */
u64 agent_reclaim(struct agent *agent);
/* Releases one counter, or all: stopped, control 0, value 0, overflow bit clear. */
void agent_release(struct agent *agent, struct counter counter);
void agent_release_all(struct agent *agent);

/*
 * For the PMI handler: switches the own counters off, clears their overflow bits and no others, and returns those bits.
 * This is a freeze in software: DEBUGCTL[12] would stop everybody. agent_start() continues.
 */
u64 agent_on_pmi(struct agent *agent);

/* ---- A record that survives the agent: a tool that is killed cannot release its counters, so its next start must. */

struct agent_record {
    u32 crc32; /* of the fields below */
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
 * Releases the counters that a killed agent left, and returns their bits. If a control no longer reads as recorded, the
 * counter has another user by now and is left alone.
 */
u64 agent_recover(const struct agent_record *record);
