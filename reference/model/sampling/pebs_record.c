/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * PEBS records of the fixed formats 0 to 3: general registers, then what each format adds. SDM 3B, "PEBS Record Format"
 * of Core 2, Nehalem, Haswell and Skylake; NetBurst with 64-bit support has that of Core 2.
 */
#include "reference/model/model_state.h"

/* Indexes of words in the record. */
enum {
    WORD_RFLAGS,
    WORD_RIP,
    WORD_GENERAL, /* 16 of them, in the order below */
    FORMAT0_WORDS = WORD_GENERAL + 16,
    WORD_STATUS = FORMAT0_WORDS, /* IA32_PERF_GLOBAL_STATUS; in format 3 the applicable counters */
    WORD_ADDRESS,
    WORD_SOURCE,
    WORD_LATENCY,
    FORMAT1_WORDS,
    WORD_EVENTING_IP = FORMAT1_WORDS,
    WORD_TX,
    FORMAT2_WORDS,
    WORD_TSC = FORMAT2_WORDS,
    FORMAT3_WORDS,
};

/* RAX RBX RCX RDX RSI RDI RBP RSP R8 .. R15, by register number. */
static const uint8_t order[16] = {0, 3, 1, 2, 6, 7, 5, 4, 8, 9, 10, 11, 12, 13, 14, 15};

static const uint8_t words_of_format[] = {FORMAT0_WORDS, FORMAT1_WORDS, FORMAT2_WORDS, FORMAT3_WORDS};

static void build(struct model *m, const struct pebs_sample *sample, unsigned format)
{
    uint64_t *record = m->pebs.record;
    record[WORD_RFLAGS] = sample->registers.rflags;
    record[WORD_RIP] = sample->registers.rip;
    for (unsigned i = 0; i < ARRAY_SIZE(order); i++)
        record[WORD_GENERAL + i] = sample->registers.general[order[i]];
    record[WORD_STATUS] = format >= 3 ? rule(m, pebs_named)(m, sample->counters) : sample->status;
    record[WORD_ADDRESS] = sample->address;
    record[WORD_SOURCE] = sample->source;
    record[WORD_LATENCY] = sample->latency;
    record[WORD_EVENTING_IP] = sample->eventing_ip;
    record[WORD_TX] = 0; /* no transactions */
    record[WORD_TSC] = sample->tsc;
}

/* A record names its counters. */
uint64_t good_pebs_named(struct model *m, uint64_t counters)
{
    (void)m;
    return counters;
}

uint32_t model_pebs_build(struct model *m, const struct pebs_sample *sample)
{
    unsigned format = FIELD_GET(m->p.perf_capabilities, 11, 8);
    if (format >= ARRAY_SIZE(words_of_format))
        return model_pebs_build_adaptive(m, sample);
    build(m, sample, format);
    return 8u * words_of_format[format];
}
