/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A profile's table of events, one row a line: `event CODE NAME`, then optionally the counters that can count it. The
 * name is from Intel's event file for the core; it decides what the model counts.
 */
#include "tools/profile/event.h"
#include <string.h>

#define CONDITIONAL "near conditional branches, LOOP and JRCXZ included"
#define MISSED "such branches that are mispredicted, by rule"

/* One meaning and its names, separated by blanks. */
static const struct {
    uint8_t event;
    const char *names, *counts;
} meanings[] = {
    {EVENT_INSTRUCTIONS, "INST_RETIRED.ANY_P INST_RETIRED.TOTAL_CYCLES_PS", "instructions"},
    {EVENT_BRANCHES, "BR_INST_RETIRED.ALL_BRANCHES BR_INST_RETIRED.ALL_BRANCHES_PEBS BR_INST_RETIRED.ANY1",
     "branches, near and far"},
    {EVENT_BRANCH_MISSES, "BR_MISP_RETIRED.ALL_BRANCHES_PEBS", MISSED},
    {EVENT_CORE_CYCLES, "CPU_CLK_UNHALTED.DISTRIBUTED", "core cycles, by rule; the core's other thread is idle"},
    {EVENT_REF_CLOCK, "CPU_CLK_UNHALTED.ONE_THREAD_ACTIVE CPU_CLK_UNHALTED.REF_DISTRIBUTED",
     "the same as event 013CH, by rule; the core's other thread is idle"},
    {EVENT_CONDITIONAL,
     "BR_INST_RETIRED.COND BR_INST_RETIRED.CONDITIONAL BR_INST_RETIRED.JCC BR_INST_TYPE_RETIRED.COND", CONDITIONAL},
    {EVENT_CONDITIONAL_TAKEN, "BR_INST_RETIRED.COND_TAKEN BR_INST_RETIRED.TAKEN_JCC BR_INST_TYPE_RETIRED.COND_TAKEN",
     "near conditional branches that are taken"},
    {EVENT_NOT_TAKEN, "BR_INST_RETIRED.COND_NTAKEN BR_INST_RETIRED.NOT_TAKEN",
     "near conditional branches that are not taken"},
    {EVENT_NEAR_TAKEN, "BR_INST_RETIRED.NEAR_TAKEN", "near branches that are taken"},
    {EVENT_TAKEN, "BR_INST_RETIRED.TAKEN BR_INST_RETIRED.ALL_TAKEN_BRANCHES BR_TAKEN_RET",
     "branches that are taken, near and far"},
    {EVENT_NEAR_CALL, "BR_INST_RETIRED.NEAR_CALL BR_INST_RETIRED.CALL", "near calls"},
    {EVENT_DIRECT_CALL,
     "BR_INST_RETIRED.REL_CALL BR_INST_RETIRED.NEAR_REL_CALL BR_INST_RETIRED.NEAR_DIRECT_CALL "
     "BR_INST_TYPE_RETIRED.DIR_CALL",
     "direct near calls"},
    {EVENT_INDIRECT_CALL,
     "BR_INST_RETIRED.IND_CALL BR_INST_RETIRED.INDIRECT_CALL BR_INST_RETIRED.NEAR_INDIRECT_CALL "
     "BR_INST_TYPE_RETIRED.IND_CALL",
     "indirect near calls"},
    {EVENT_INDIRECT_JUMP, "BR_INST_RETIRED.INDIRECT_JMP BR_INST_RETIRED.NEAR_INDIRECT_JMP", "near indirect jumps"},
    {EVENT_DIRECT_JUMP, "BR_INST_RETIRED.REL_JMP BR_INST_RETIRED.NEAR_DIRECT_JMP BR_INST_TYPE_RETIRED.UNCOND",
     "near direct jumps that are not conditional"},
    {EVENT_INDIRECT, "BR_INST_RETIRED.INDIRECT BR_INST_RETIRED.NON_RETURN_IND BR_INST_RETIRED.NEAR_INDIRECT",
     "near indirect calls and jumps"},
    {EVENT_NEAR_RETURN, "BR_INST_RETIRED.NEAR_RETURN BR_INST_RETIRED.RETURN BR_INST_TYPE_RETIRED.RET", "near returns"},
    {EVENT_INDIRECT_OR_RETURN, "BR_INST_RETIRED.NEAR_INDIRECT_OR_RETURN", "near indirect calls and jumps, and returns"},
    {EVENT_FAR_BRANCH, "BR_INST_RETIRED.FAR_BRANCH", "far branches, software interrupts and IRET"},
    {EVENT_MISSED(EVENT_CONDITIONAL),
     "BR_MISP_RETIRED.COND BR_MISP_RETIRED.CONDITIONAL BR_MISP_RETIRED.JCC BR_MISSP_TYPE_RETIRED.COND", MISSED},
    {EVENT_MISSED(EVENT_CONDITIONAL_TAKEN),
     "BR_MISP_RETIRED.COND_TAKEN BR_MISP_RETIRED.TAKEN_JCC BR_MISSP_TYPE_RETIRED.COND_TAKEN", MISSED},
    {EVENT_MISSED(EVENT_NOT_TAKEN),
     "BR_MISP_RETIRED.COND_NTAKEN BR_MISP_RETIRED.NOT_TAKEN BR_INST_RETIRED.MISPRED_NOT_TAKEN", MISSED},
    {EVENT_MISSED(EVENT_NEAR_TAKEN), "BR_MISP_RETIRED.NEAR_TAKEN BR_MISP_RETIRED.TAKEN", MISSED},
    {EVENT_MISSED(EVENT_TAKEN), "BR_INST_RETIRED.MISPRED_TAKEN BR_MISPRED_TAKEN_RET", MISSED},
    {EVENT_PREDICTED_TAKEN, "BR_INST_RETIRED.PRED_TAKEN", "branches that are taken and not mispredicted, by rule"},
    {EVENT_PREDICTED_NOT_TAKEN, "BR_INST_RETIRED.PRED_NOT_TAKEN",
     "near branches that are neither taken nor mispredicted, by rule"},
    {EVENT_MISSED(EVENT_NEAR_CALL), "BR_MISP_RETIRED.NEAR_CALL", MISSED},
    {EVENT_MISSED(EVENT_INDIRECT_CALL),
     "BR_MISP_RETIRED.IND_CALL BR_MISP_RETIRED.INDIRECT_CALL BR_MISP_RETIRED.NEAR_INDIRECT_CALL "
     "BR_MISSP_TYPE_RETIRED.IND_CALL",
     MISSED},
    {EVENT_MISSED(EVENT_INDIRECT_JUMP), "BR_MISP_RETIRED.INDIRECT_JMP BR_MISP_RETIRED.NEAR_INDIRECT_JMP", MISSED},
    {EVENT_MISSED(EVENT_INDIRECT),
     "BR_MISP_RETIRED.INDIRECT BR_MISP_RETIRED.NON_RETURN_IND BR_MISP_RETIRED.NEAR_INDIRECT", MISSED},
    {EVENT_MISSED(EVENT_NEAR_RETURN),
     "BR_MISP_RETIRED.RET BR_MISP_RETIRED.RETURN BR_MISP_RETIRED.NEAR_RETURN BR_MISSP_TYPE_RETIRED.RETURN", MISSED},
    {EVENT_SLOTS_USED, "UOPS_RETIRED.RETIRE_SLOTS UOPS_RETIRED.SLOTS UOPS_ISSUED.ANY UOPS_RETIRED.EOM",
     "instructions, by rule"},
    {EVENT_UOPS, "UOPS_RETIRED.ANY UOPS_RETIRED.ALL UOPS_RETIRED",
     "instructions and, once more, those that store, by rule"},
    {EVENT_ASSISTS, "ASSISTS.ANY OTHER_ASSISTS.ANY FP_ASSIST.ANY FP_ASSIST.ALL",
     "instructions, one in so many, by rule"},
    {EVENT_PAUSES, "ROB_MISC_EVENTS.PAUSE_INST MISC_RETIRED.PAUSE_INST", "PAUSE instructions"},
    {EVENT_INTERRUPTS, "HW_INTERRUPTS.RECEIVED HW_INT_RCV HW_INT_RX", "external interrupts delivered, but no NMI"},
    {EVENT_LBR_INSERTS, "ROB_MISC_EVENTS.LBR_INSERTS MISC_RETIRED.LBR_INSERTS", "branch records"},
    {EVENT_OFFCORE_0, "OFFCORE_RESPONSE_0", "off-core responses that MSR_OFFCORE_RSP_0 selects, by rule"},
    {EVENT_OFFCORE_1, "OFFCORE_RESPONSE_1", "off-core responses that MSR_OFFCORE_RSP_1 selects, by rule"},
    {EVENT_LOADS,
     "MEM_INST_RETIRED.LOADS MEM_INST_RETIRED.ALL_LOADS MEM_UOP_RETIRED.LOADS MEM_UOPS_RETIRED.ALL_LOADS "
     "INST_RETIRED.LOADS",
     "instructions that load"},
    {EVENT_STORES,
     "MEM_INST_RETIRED.STORES MEM_INST_RETIRED.ALL_STORES MEM_UOP_RETIRED.STORES MEM_UOPS_RETIRED.ALL_STORES "
     "INST_RETIRED.STORES",
     "instructions that store"},
    {EVENT_LOADS_AND_STORES, "MEM_UOPS_RETIRED.ALL", "loads and stores"},
};

/* The syntax of such a line, for messages. */
static const struct form looks = {
    .looks = "CODE NAME, then optionally counters such as pmc0-3; CODE: 4 hexadecimal digits, or 6 with the second "
             "unit mask",
};
static const struct key key = {.name = "event", .form = &looks};

/* Is the word one of those in `names`? */
static bool among(struct span word, const char *names)
{
    struct span rest = {names, strlen(names)};
    while (rest.length) {
        const char *blank = memchr(rest.text, ' ', rest.length);
        size_t length = blank ? (size_t)(blank - rest.text) : rest.length;
        if (length == word.length && memcmp(rest.text, word.text, length) == 0)
            return true;
        length += blank ? 1 : 0;
        span_step(&rest, length);
    }
    return false;
}

static bool read_name(struct profile_reader *r, uint8_t *event)
{
    struct span word = profile_word(r);
    for_each_row (meanings, meaning)
        if (among(word, meaning->names)) {
            *event = meaning->event;
            return true;
        }
    return profile_wrong(r, "the model knows no event \"%.*s\"", SHOWN(word));
}

bool profile_read_event(struct profile_reader *r)
{
    struct span word = profile_word(r), digits = word;
    struct profile_event row = {.counters = (1u << GP_MAX) - 1}, *rows = r->profile->events;
    uint64_t code, counters;
    r->key = &key;
    if (!profile_hex(&digits, &code) || digits.length || !code || (word.length != 4 && word.length != 6))
        return profile_not_allowed(r, word);
    row.encoding = (uint32_t)code;
    if (!read_name(r, &row.event))
        return false;
    if (profile_peek(r).length) {
        if (!profile_indices(r, "pmc", GP_MAX, &counters))
            return false;
        row.counters = (uint16_t)counters;
    }
    for (unsigned i = 0; i < EVENTS_MAX; i++, rows++) {
        if (rows->encoding == row.encoding)
            return profile_wrong(r, "event %.*s is given twice", SHOWN(word));
        if (!rows->encoding) {
            *rows = row;
            return true;
        }
    }
    return profile_wrong(r, "more than %d events", EVENTS_MAX);
}

void profile_print_events(FILE *out, const struct profile_event *rows)
{
    if (!rows->encoding)
        return;
    fprintf(out, "    .events = {\n");
    for (unsigned i = 0; i < EVENTS_MAX && rows[i].encoding; i++)
        fprintf(out, "        {0x%06x, 0x%03x, %u},\n", rows[i].encoding, rows[i].counters, rows[i].event);
    fprintf(out, "    },\n");
}

int profile_print_meanings(FILE *out)
{
    fprintf(out, "| names | what counts |\n|---|---|\n");
    for_each_row (meanings, meaning) {
        fprintf(out, "| `");
        for (const char *c = meaning->names; *c; c++)
            fprintf(out, *c == ' ' ? "` `" : "%c", *c);
        fprintf(out, "` | %s |\n", meaning->counts);
    }
    return 0;
}
