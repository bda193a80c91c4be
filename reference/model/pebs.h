/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processor event based sampling inside the model: its state between instructions, and the functions of its files.
 * SDM 3B, "Processor Event Based Sampling (PEBS)" of each microarchitecture.
 *
 * What the manual leaves open follows these rules:
 *
 * - An overflow arms the counter: at once if it has the precise distribution, else some instructions later. The next
 *   occurrence after that writes the record and reloads the counter, which does not count that occurrence again. So
 *   records of a counter with reset value -p are p + 1 occurrences apart, or a few more.
 * - Counters that fire in the same instruction share a record; with adaptive records, those with their ADAPTIVE bit
 *   set share one, and the others share another.
 * - The record shows the CPU after the instruction that fired; fault-like ones show it before.
 * - A record is written if the index is not below the base and not above the absolute maximum; on CPUs that do not
 *   report skipped records, only if it is below the maximum.
 * - A counter that is stopped while armed still writes its record, some time later, to the DS area that was set when
 *   it was armed.
 * - Nothing is written with IA32_DS_AREA at 0, or where memory cannot be accessed.
 */
#pragma once

#include "reference/model/profile.h"

struct model;
struct counting;

/* The data for one record. Counters are bits as in STATUS: PMCn is bit n, fixed counter i is bit 32 + i. */
struct pebs_sample {
    uint64_t area; /* IA32_DS_AREA, when it was armed */
    uint64_t counters;
    uint64_t status; /* IA32_PERF_GLOBAL_STATUS */
    uint64_t groups; /* as in MSR_PEBS_DATA_CFG; 0: only the basic group */
    uint64_t eventing_ip, tsc;
    uint64_t address, source, latency; /* address of the memory operand */
    struct model_registers registers;
};

/* The PEBS part of the DS management area. */
struct pebs_buffer {
    uint64_t base, index, maximum, threshold;
};

#define PEBS_LBR_ENTRIES_MAX 256
#define PEBS_RECORD_WORDS (4 + 4 + 18 + 32 + 3 * PEBS_LBR_ENTRIES_MAX + 2 + GP_MAX + FIXED_MAX + 2)

struct pebs {
    uint64_t sampling; /* counters that count now and write records */
    uint64_t armed;    /* of those, the ones that have overflowed */
    uint64_t occurred; /* counters whose event the last instruction had */
    uint8_t wait[64];  /* by counter bit: instructions until the counter can fire */
    uint32_t arms;     /* number of armings so far: for the pattern of `wait` */
    uint64_t area;     /* IA32_DS_AREA at the last arming */
    uint64_t groups;   /* groups of the counter's record at the last arming */
    bool waiting;      /* a residual record is due: */
    bool captured;     /* its data are complete, and it only has to be written */
    uint64_t due;      /* time at which a captured record is written */
    struct pebs_sample residual;
    struct pebs_sample sample;
    struct model_registers before; /* the state before the instruction, for fault-like records */
    uint64_t record[PEBS_RECORD_WORDS];
    uint64_t records; /* number of records stored so far */
};

/* pebs.c */
/* After an instruction was counted and before its overflows are handled: writes the records that are due. */
void model_pebs_pass(struct model *m, const struct retired *instruction);
/* After an instruction: arms the counters in `wrapped` that sample. */
void model_pebs_arm(struct model *m, uint64_t wrapped);
/* Arms `counters` at any time, but fault-like records need the function above. */
void model_pebs_arm_now(struct model *m, uint64_t counters);

/* pebs_write.c: the effects of a record that reaches the threshold. */
void model_pebs_at_threshold(struct model *m, const struct pebs_sample *sample);

/* pebs_sampling.c */
/* After model_settle() has gathered the active counters: which of them sample. */
void model_pebs_gather(struct model *m);
/* A record of these counters is still due, in `ticks` ticks, to the area of the last arming. */
void model_pebs_leave_residual(struct model *m, uint64_t counters, uint32_t ticks);
/* An instruction passes while a residual record is due; the record shows the first such instruction. */
void model_pebs_pass_residual(struct model *m, const struct retired *instruction);

/* pebs_capable.c: does this counter, with its event, write records with the precise distribution? */
bool model_pebs_precise(const struct model *m, const struct counting *c);

/* pebs_buffer.c: the DS area. */
enum pebs_stored {
    PEBS_NOWHERE,      /* there is no area, or its memory cannot be accessed */
    PEBS_SKIPPED,      /* the record did not fit */
    PEBS_STORED,       /* below the threshold */
    PEBS_AT_THRESHOLD, /* stored, and the index has reached the threshold */
};
enum pebs_stored model_pebs_store(struct model *m, const struct pebs_sample *sample);
/* The counter's reset value, from the area; false: it cannot be read. */
bool model_pebs_reset_value(struct model *m, uint64_t area, unsigned bit, uint64_t *value);

/* pebs_record.c, pebs_adaptive.c: build the record in m->pebs.record; return its size in bytes. */
uint32_t model_pebs_build(struct model *m, const struct pebs_sample *sample);
uint32_t model_pebs_build_adaptive(struct model *m, const struct pebs_sample *sample);

/* memory.c: events of memory operands, and the latency of a load. */
void model_memory_of(struct model *m, const struct retired *instruction, uint32_t happened[]);
uint32_t model_load_latency(uint64_t address);
uint64_t model_data_source(uint64_t address);
