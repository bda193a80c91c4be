/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of the contents of PEBS records, by their effects. */
#include "reference/test/model/pebs_rig.h"

static u64 word(struct bench *b, unsigned n)
{
    written(b);
    return word_at(b, BUFFER)[n];
}

static u64 rflags(struct bench *b)
{
    return word(b, 0);
}

static u64 rip(struct bench *b)
{
    return word(b, 1) - CODE;
}

static u64 rax(struct bench *b)
{
    return word(b, 2);
}

static u64 rbx(struct bench *b)
{
    return word(b, 3);
}

static u64 r9(struct bench *b)
{
    return word(b, 11);
}

static u64 named(struct bench *b)
{
    return word(b, 18);
}

static u64 eventing(struct bench *b)
{
    return word(b, 22) - CODE;
}

static u64 stamped(struct bench *b)
{
    return word(b, 24) != 0;
}

/* A load by latency: the contents of its record. Words 19 address, 20 source, 21 latency. */
static u64 load_word(struct bench *b, unsigned n, u64 least)
{
    set_area(b, DS, BUFFER, SIZE, 40, 40);
    wr(&b->r, MSR_PEBS_LD_LAT, least);
    sample_gp(b, 3, EVENT_CODE_LOAD_LATENCY, 1);
    wr(&b->r, MSR_PEBS_ENABLE, PEBS_GP(3) | PEBS_LL(3));
    start(b, 8);
    for (unsigned i = 0; i < 600; i++)
        run_one(b, RETIRED_PLAIN, 0, ACCESS_LOAD);
    const u64 *record = word_at(b, BUFFER);
    return n == 19 ? record[19] - LOAD_ADDRESS - 8 * ((record[22] - CODE) / 4) : n ? record[n] : records(b, SIZE);
}

static u64 load_address(struct bench *b)
{
    return load_word(b, 19, 3);
}

static u64 load_latency(struct bench *b)
{
    return load_word(b, 20, 3) && load_word(b, 21, 3) > 2;
}

static u64 below_latency(struct bench *b)
{
    return load_word(b, 0, 1000) > 0;
}

static u64 many_loads(struct bench *b)
{
    return load_word(b, 0, 3) > 30;
}

static u64 high_address(struct bench *b)
{
    struct retired in = {.access = ACCESS_LOAD, .address = 0xffff800000001000};
    load_word(b, 0, 3);
    set_area(b, DS, BUFFER, SIZE, 40, 40);
    for (unsigned i = 0; i < 20; i++)
        model_retire(b->r.model, &in);
    return word_at(b, BUFFER)[19] >> 48;
}

static u64 not_taken(struct bench *b)
{
    sampling(b, 1024, 20, 20);
    run(b, 1024);
    struct retired in = {.kind = RETIRED_BRANCH, .rip = 0x5000};
    model_retire(b->r.model, &in);
    return word_at(b, BUFFER)[22];
}

static u64 rare_ip(struct bench *b)
{
    unsigned next = 0;
    sampling(b, 2, 150, 150);
    run(b, 140 * 3);
    for (unsigned i = 0; i < 140; i++)
        next += word_at(b, BUFFER + i * SIZE)[22] == word_at(b, BUFFER + i * SIZE)[1];
    sampling(b, 2, 150, 150);
    run(b, 140 * 3);
    for (unsigned i = 0; i < 140; i++)
        next += word_at(b, BUFFER + i * SIZE)[22] == word_at(b, BUFFER + i * SIZE)[1];
    return next;
}

static const u64 *adaptive(struct bench *b, u64 groups, u64 flags)
{
    set_area(b, DS, BUFFER, 1232, 10, 10);
    sample_gp(b, 0, ARCH_EVENT_INSTRUCTIONS | flags, 1024);
    wr(&b->r, MSR_PEBS_DATA_CFG, groups);
    start(b, 1);
    run(b, 1040);
    return word_at(b, BUFFER);
}

static u64 shown(struct bench *b)
{
    return adaptive(b, PEBS_DATA_GPR | PEBS_DATA_XMM, EVTSEL_ADAPTIVE)[0];
}

static u64 advanced(struct bench *b)
{
    adaptive(b, PEBS_DATA_GPR | PEBS_DATA_XMM, EVTSEL_ADAPTIVE);
    return index_of(b, DS) - BUFFER;
}

static u64 without_adaptive(struct bench *b)
{
    adaptive(b, PEBS_DATA_GPR | PEBS_DATA_XMM, 0);
    return index_of(b, DS) - BUFFER;
}

static u64 branch_entries(struct bench *b)
{
    adaptive(b, PEBS_DATA_LBR | PEBS_DATA_LBR_ENTRIES(8), EVTSEL_ADAPTIVE);
    return index_of(b, DS) - BUFFER - 32;
}

static u64 xmm_low(struct bench *b)
{
    return adaptive(b, PEBS_DATA_XMM, EVTSEL_ADAPTIVE)[4];
}

static u64 changed_groups(struct bench *b)
{
    adaptive(b, PEBS_DATA_GPR, EVTSEL_ADAPTIVE);
    wr(&b->r, MSR_PERF_GLOBAL_CTRL, 0);
    adaptive(b, PEBS_DATA_XMM, EVTSEL_ADAPTIVE);
    run(b, 10);
    return index_of(b, DS) - BUFFER;
}

static u64 status_field(struct bench *b)
{
    set_area(b, DS, BUFFER, 192, 10, 10);
    sample_gp(b, 1, EVENT_CODE_PREC_DIST, 1024);
    start(b, 2);
    run(b, 1025);
    return word_at(b, BUFFER)[18];
}

static const struct pebs_row rows[] = {
    {"pebs-rip-wrong", rip, 4 * 1025, 4 * 1025 + 0x10000},
    {"eventing-ip-wrong", eventing, 4 * 1024, 4 * 1024 + 0x10000},
    {"pebs-registers-stale", rax, 1024, 0},
    {"pebs-registers-swapped", rbx, 0x3333333333333333, 0x1111111111111111},
    {"pebs-high-registers-zero", r9, 0x9999999999999999, 0},
    {"pebs-rflags-zero", rflags, 0x246, 0},
    {"pebs-rf-set", rflags, 0x246, 0x10246},
    {"pebs-xmm-zero", xmm_low, 0x100, 0},
    {"pebs-xmm-halves-swapped", xmm_low, 0x100, 0x200},
    {"pebs-applicable-neighbour", named, 2, 4},
    {"pebs-applicable-zero", named, 2, 0},
    {"pebs-tsc-zero", stamped, 1, 0},
    {"pebs-address-wrong", load_address, 0, 8},
    {"pebs-latency-zero", load_latency, 1, 0},
    {"ld-lat-ignored", below_latency, 0, 1},
    {"pebs-adaptive-ignored", without_adaptive, 32, 32 + 144 + 256},
    {"pebs-group-missing", advanced, 32 + 144 + 256, 32 + 256},
    {"pebs-lbr-one-short", branch_entries, 192, 168},
    {"pebs-groups-shown-wrong", shown, FIELD(63, 48, 432) | 6, FIELD(63, 48, 432) | 7},
    {"pebs-size-wrong", shown, FIELD(63, 48, 432) | 6, FIELD(63, 48, 440) | 6},
    {"record-old-size-after-data-cfg", changed_groups, 32 + 256, 32 + 144},
    {"pebs-ip-next", rare_ip, 0, 2},
    {"pebs-status-field-zero", status_field, 2, 0},
    {"eventing-ip-before-not-taken-jcc", not_taken, 0x5000, CODE + 4 * 1023},
    {"dla-not-sign-extended", high_address, 0xffff, 0},
    {"load-latency-stops-with-ht", many_loads, 1, 0},
};

CASE(by_what_they_do)
{
    check_pebs_rows(rows, ARRAY_SIZE(rows));
}

int main(void)
{
    return run_cases();
}
