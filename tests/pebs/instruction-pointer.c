/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The record says where the program was: its IP, and from format 2 on EventingIP (the instruction that caused the
 * event), lie in the code that ran while the counter was on. The exact instruction is not judged: after an overflow the
 * record waits for the next event, and errata move it by an instruction or two (SKL18, SKL120, HSD110, HSD167, AAJ128).
 * One record in a hundred may lie elsewhere. The distance from EventingIP to IP is measured, in bytes, unless the
 * instruction jumped back.
 *
 * Otherwise a profile blames the wrong function.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 3
#define ONE_IN 100

struct seen {
    u32 records, wrong, at_cpl_0; /* at_cpl_0: of the wrong ones, if only CPL 3 is sampled */
    u64 first_wrong;
};

static void look(struct test *t, struct seen *seen, const struct pebs_record *r)
{
    bool eventing = r->has & PEBS_HAS_EVENTING;
    seen->records++;
    if (eventing && r->ip > r->eventing_ip)
        measure(t, "ip-behind-eventing-ip", "bytes", r->ip - r->eventing_ip);
    if (sampled_holds(r->ip) && (!eventing || sampled_holds(r->eventing_ip)))
        return;
    seen->wrong++;
    seen->at_cpl_0 += t->cell.user && ring0_code(r->ip);
    if (!seen->first_wrong)
        seen->first_wrong = sampled_holds(r->ip) ? r->eventing_ip : r->ip;
}

static bool one_pair(struct test *t, void *argument)
{
    struct seen *seen = argument;
    struct sampling s;
    unsigned pairs = sampling_some(t, &s);
    sample(t, &s, RECORDS);
    for_each_record (&s, record)
        look(t, seen, &record);
    return sampling_more(t, pairs);
}

static void instruction_pointer(struct test *t)
{
    struct seen seen = {0};
    repeat_clean(t, one_pair, &seen);
    check_true(t, "no-record", seen.records > 0, seen.records, "1 record or more", 0);
    /* Records of spoilt repeats may be of the stranger's code. */
    u32 spoilt = t->results->discarded * RECORDS, wrong = seen.wrong > spoilt ? seen.wrong - spoilt : 0;
    bool level = seen.wrong && seen.at_cpl_0 == seen.wrong;
    check_true(about(t, level ? ASPECT_SAMPLED_LEVEL : 0), "outside-the-code", wrong * ONE_IN <= seen.records,
               seen.first_wrong, "an address in the code that was sampled", 0);
}

TEST("pebs.instruction-pointer", .title = "IP and EventingIP of a record lie in the code that ran",
     .spec = "SDM 3B, PEBS Record Format", .covers = "B-080", .needs = {.sampling = true}, .scope = EACH_CPU,
     .run = instruction_pointer, .cells = CELL_RINGS, .measures = true);
