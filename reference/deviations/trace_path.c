/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of what a processor trace tells about the executed path. */
#define CHAPTERS "trace.*"
#include "reference/deviations/stand_in.h"

/* reference/model/sampling/trace.c writes the packets that these change. */
#define PSB_BYTES 16
#define PSBEND_BYTES 2
#define MODE_BYTES 2
#define IP_BYTES 9
#define FORM_RESERVED 7
#define TNT_TAKEN 6

/* ---- What this instruction's packets will be, before they are made */

static bool tells_direction(const struct model *m, const struct retired *instruction)
{
    return instruction->branch == BRANCH_CONDITIONAL && m->trace.value[TRACE_CTL] & RTIT_CTL_BRANCH_EN;
}

static bool tells_begin(const struct model *m)
{
    return m->trace.begins || !m->trace.open;
}

static bool tells_target(const struct model *m)
{
    return !tells_begin(m) && m->trace.target_due;
}

/* Offset of its TIP.PGE. */
static uint32_t begin_at(bool boundary)
{
    return boundary ? PSB_BYTES + PSBEND_BYTES + MODE_BYTES : 0;
}

static uint32_t without(uint8_t *packets, uint32_t n, uint32_t from, uint32_t bytes)
{
    for (uint32_t i = from; i + bytes < n; i++)
        packets[i] = packets[i + bytes];
    return n - bytes;
}

static void put_ip(uint8_t *to, uint64_t ip)
{
    for (unsigned i = 0; i < sizeof(ip); i++)
        to[i] = (uint8_t)(ip >> 8 * i);
}

/* ---- Directions: a TNT is the last byte of an instruction's packets */

static uint32_t inverted(struct model *m, const struct retired *instruction, uint8_t *to)
{
    uint32_t n = replaced(m, TRACE_DIRECTION_INVERTED, trace_packets)(m, instruction, to);
    if (tells_direction(m, instruction) && strikes(m, TRACE_DIRECTION_INVERTED))
        to[n - 1] ^= 2;
    return n;
}
DEFECT(TRACE_DIRECTION_INVERTED, "trace-direction-inverted", "a TNT has the wrong direction of a branch",
       "class: polarity of a signal", ALSO_ON("alder-lake", "lunar-lake"), INTERMITTENT,
       STANDS_IN(FOR(trace_packets, inverted)));

INSTEAD(trace_packets, untold,
        below(TRACE_DIRECTION_LOST, trace_packets) -
            (tells_direction(m, instruction) && strikes(m, TRACE_DIRECTION_LOST)));
DEFECT(TRACE_DIRECTION_LOST, "trace-direction-lost", "a conditional branch has no bit in a TNT",
       "class: packets lost without OVF", ALSO_ON("broadwell"), STANDS_IN(FOR(trace_packets, untold)));

static uint32_t twice(struct model *m, const struct retired *instruction, uint8_t *to)
{
    uint32_t n = replaced(m, TRACE_DIRECTION_TWICE, trace_packets)(m, instruction, to);
    if (tells_direction(m, instruction) && strikes(m, TRACE_DIRECTION_TWICE)) {
        to[n] = to[n - 1];
        n++;
    }
    return n;
}
DEFECT(TRACE_DIRECTION_TWICE, "trace-direction-twice", "a conditional branch is in the trace twice",
       "class: replayed and traced again", STANDS_IN(FOR(trace_packets, twice)));

/* ---- Targets: a TIP is the first of an instruction's packets */

static uint32_t beside(struct model *m, const struct retired *instruction, uint8_t *to)
{
    bool target = tells_target(m);
    uint32_t n = replaced(m, TRACE_TARGET_WRONG, trace_packets)(m, instruction, to);
    if (target && strikes(m, TRACE_TARGET_WRONG))
        to[1] ^= 4;
    return n;
}
DEFECT(TRACE_TARGET_WRONG, "trace-target-wrong", "a TIP has an address next to the branch's target",
       "class of BDM64: a wrong target", ALSO_ON("lunar-lake"), STANDS_IN(FOR(trace_packets, beside)));

struct before {
    uint64_t target;
    bool returned;
};

static uint32_t old_target(struct model *m, const struct retired *instruction, uint8_t *to)
{
    struct before *before = memory(m, TRACE_TARGET_OLD, struct before);
    bool target = tells_target(m);
    uint32_t n = replaced(m, TRACE_TARGET_OLD, trace_packets)(m, instruction, to);
    if (!target)
        return n;
    if (before->target && strikes(m, TRACE_TARGET_OLD))
        put_ip(to + 1, before->target);
    before->target = instruction->rip;
    return n;
}
DEFECT(TRACE_TARGET_OLD, "trace-target-old", "a TIP has the address of the one before it",
       "class: predicted instead of taken", STANDS_IN(FOR(trace_packets, old_target)));

INSTEAD(trace_packets, no_target,
        tells_target(m) && strikes(m, TRACE_TARGET_LOST)
            ? without(to, below(TRACE_TARGET_LOST, trace_packets), 0, IP_BYTES)
            : below(TRACE_TARGET_LOST, trace_packets));
DEFECT(TRACE_TARGET_LOST, "trace-target-lost", "a branch whose target is not in its code has no TIP",
       "class: packets lost without OVF", ALSO_ON("broadwell"), STANDS_IN(FOR(trace_packets, no_target)));

static uint32_t compressed(struct model *m, const struct retired *instruction, uint8_t *to)
{
    struct before *before = memory(m, TRACE_RETURNS_COMPRESSED, struct before);
    bool target = tells_target(m) && before->returned;
    uint32_t n = replaced(m, TRACE_RETURNS_COMPRESSED, trace_packets)(m, instruction, to);
    before->returned = instruction->branch == BRANCH_RETURN;
    if (!target || !(m->trace.value[TRACE_CTL] & RTIT_CTL_DIS_RETC) || !strikes(m, TRACE_RETURNS_COMPRESSED))
        return n;
    n = without(to, n, 0, IP_BYTES - 1);
    to[0] = TNT_TAKEN;
    return n;
}
DEFECT(TRACE_RETURNS_COMPRESSED, "trace-returns-compressed",
       "returns are in the trace as taken branches, even with DisRETC", "class: control ignored", ALSO_ON("alder-lake"),
       STANDS_IN(FOR(trace_packets, compressed)));

static uint32_t reserved_form(struct model *m, const struct retired *instruction, uint8_t *to)
{
    bool target = tells_target(m);
    uint32_t n = replaced(m, TRACE_FORM_RESERVED, trace_packets)(m, instruction, to);
    if (target && strikes(m, TRACE_FORM_RESERVED))
        to[0] |= FORM_RESERVED << 5;
    return n;
}
DEFECT(TRACE_FORM_RESERVED, "trace-form-reserved", "a TIP says that its address is of a reserved form",
       "class: header encoded wrongly", STANDS_IN(FOR(trace_packets, reserved_form)));

/* ---- Where tracing begins and ends */

static uint32_t no_begin(struct model *m, const struct retired *instruction, uint8_t *to)
{
    bool boundary = m->trace.begins, begin = tells_begin(m);
    uint32_t n = replaced(m, TRACE_BEGIN_UNTOLD, trace_packets)(m, instruction, to);
    return begin && strikes(m, TRACE_BEGIN_UNTOLD) ? without(to, n, begin_at(boundary), IP_BYTES) : n;
}
DEFECT(TRACE_BEGIN_UNTOLD, "trace-begin-untold", "no TIP.PGE marks where tracing begins", "class: event lost",
       STANDS_IN(FOR(trace_packets, no_begin)));

static uint32_t begin_too_early(struct model *m, const struct retired *instruction, uint8_t *to)
{
    bool boundary = m->trace.begins, begin = tells_begin(m);
    uint32_t n = replaced(m, TRACE_BEGIN_ELSEWHERE, trace_packets)(m, instruction, to);
    if (begin && strikes(m, TRACE_BEGIN_ELSEWHERE))
        put_ip(to + begin_at(boundary) + 1, instruction->rip - 2);
    return n;
}
DEFECT(TRACE_BEGIN_ELSEWHERE, "trace-begin-elsewhere", "a TIP.PGE has the address of the instruction before",
       "class: address of the wrong instruction", ALSO_ON("lunar-lake"),
       STANDS_IN(FOR(trace_packets, begin_too_early)));

INSTEAD(trace_packets_of_end, end_untold,
        strikes(m, TRACE_END_UNTOLD) ? 0 : below(TRACE_END_UNTOLD, trace_packets_of_end));
DEFECT(TRACE_END_UNTOLD, "trace-end-untold", "no TIP.PGD marks the end of tracing", "class: event lost",
       ALSO_ON("broadwell"), STANDS_IN(FOR(trace_packets_of_end, end_untold)));

INSTEAD(trace_packets, no_boundary,
        (m->trace.begins && strikes(m, TRACE_BOUNDARY_MISSING))
            ? without(to, below(TRACE_BOUNDARY_MISSING, trace_packets), 0, PSB_BYTES + PSBEND_BYTES)
            : below(TRACE_BOUNDARY_MISSING, trace_packets));
DEFECT(TRACE_BOUNDARY_MISSING, "trace-boundary-missing", "a trace does not begin with a PSB",
       "class: a decoder finds no place to start", STANDS_IN(FOR(trace_packets, no_boundary)));

INSTEAD(trace_packets, open_boundary,
        (m->trace.begins && strikes(m, TRACE_BOUNDARY_OPEN))
            ? without(to, below(TRACE_BOUNDARY_OPEN, trace_packets), PSB_BYTES, PSBEND_BYTES)
            : below(TRACE_BOUNDARY_OPEN, trace_packets));
DEFECT(TRACE_BOUNDARY_OPEN, "trace-boundary-open", "no PSBEND follows a PSB", "class: event lost",
       STANDS_IN(FOR(trace_packets, open_boundary)));

/* ---- What a trace does to counters and branch records */

static uint32_t counts_twice(struct model *m, const struct retired *instruction, const struct counting *c, uint32_t n)
{
    n = replaced(m, TRACE_BRANCHES_TWICE, counted)(m, instruction, c, n);
    bool told = m->trace.on && c->event == EVENT_BRANCHES && instruction->branch == BRANCH_RETURN;
    return told && strikes(m, TRACE_BRANCHES_TWICE) ? 2 * n : n;
}
DEFECT(TRACE_BRANCHES_TWICE, "trace-branches-twice", "returns that are traced are counted twice as branches",
       "class: packets are made by assists", ALSO_ON("alder-lake", "lunar-lake"),
       STANDS_IN(FOR(counted, counts_twice)));

struct traced_once {
    bool ever;
};

static uint64_t remembers(struct model *m, uint64_t value)
{
    memory(m, TRACE_SPOILS_RECORDS, struct traced_once)->ever |= value & RTIT_CTL_TRACE_EN;
    return replaced(m, TRACE_SPOILS_RECORDS, trace_ctl_kept)(m, value);
}

static uint64_t spoilt(struct model *m, uint64_t value)
{
    value = replaced(m, TRACE_SPOILS_RECORDS, lbr_shown)(m, value);
    bool ever = memory(m, TRACE_SPOILS_RECORDS, struct traced_once)->ever;
    return ever && strikes(m, TRACE_SPOILS_RECORDS) ? value ^ 4 : value;
}
DEFECT(TRACE_SPOILS_RECORDS, "trace-spoils-records", "after a trace branch records have wrong addresses",
       "class: state of a unit that both share", ALSO_ON("broadwell", "lunar-lake"),
       STANDS_IN(FOR(trace_ctl_kept, remembers), FOR(lbr_shown, spoilt)));

/* ---- What good CPUs may do */

#define DIRECTIONS_MOST 20
#define TARGETS_MOST 4
#define SHORT_MOST 6
#define BOUNDARY_EACH 5

/* Packets that are not written yet. */
struct gathered {
    uint64_t taken, last_ip, target[TARGETS_MOST];
    uint32_t directions, targets, turn;
};

static uint32_t write_directions(struct gathered *g, uint8_t *to)
{
    uint64_t bits = BIT(g->directions) | g->taken;
    if (!g->directions)
        return 0;
    bool brief = g->directions <= SHORT_MOST;
    g->taken = g->directions = 0;
    if (brief) {
        to[0] = (uint8_t)(bits << 1);
        return 1;
    }
    to[0] = 0x02;
    to[1] = 0xa3;
    for (unsigned i = 0; i < 6; i++)
        to[2 + i] = (uint8_t)(bits >> 8 * i);
    return 8;
}

/* As short as possible: the bits above the lowest 16 or 32 are often the same as in the last one. */
static uint32_t write_target(struct gathered *g, uint64_t ip, uint8_t *to)
{
    uint64_t differs = ip ^ g->last_ip;
    unsigned form = !(differs >> 16) ? 1 : !(differs >> 32) ? 2 : 3;
    to[0] = (uint8_t)(0x0d | form << 5);
    for (unsigned i = 0; i < 2 * form; i++)
        to[1 + i] = (uint8_t)(ip >> 8 * i);
    g->last_ip = ip;
    return 1 + 2 * form;
}

static uint32_t write_gathered(struct gathered *g, uint8_t *to)
{
    uint32_t n = write_directions(g, to);
    for (uint32_t i = 0; i < g->targets; i++)
        n += write_target(g, g->target[i], to + n);
    g->targets = 0;
    return n;
}

/* MTC, CBR and a CYC of two bytes; now and then a complete PSB instead. */
static uint32_t write_between(struct gathered *g, uint64_t ip, uint8_t *to)
{
    static const uint8_t times[] = {0x59, 0x2a, 0x02, 0x03, 0x1b, 0x00, 0x07, 0x24};
    uint32_t n = 0;
    if (++g->turn % BOUNDARY_EACH) {
        for (; n < sizeof(times); n++)
            to[n] = times[n];
        return n;
    }
    for (; n < PSB_BYTES; n++)
        to[n] = n % 2 ? 0x82 : 0x02;
    to[n++] = 0x1d | 6 << 5; /* FUP */
    put_ip(to + n, ip);
    n += sizeof(ip);
    g->last_ip = ip;
    to[n++] = 0x02; /* PSBEND */
    to[n++] = 0x23;
    return n;
}

static uint32_t gathers(struct model *m, const struct retired *instruction, uint8_t *to)
{
    struct gathered *g = memory(m, TRACE_GATHERED, struct gathered);
    struct retired plain = *instruction;
    uint32_t n = 0;
    plain.branch = BRANCH_OTHER;
    if (tells_begin(m)) {
        n = replaced(m, TRACE_GATHERED, trace_packets)(m, &plain, to);
        *g = (struct gathered){.last_ip = instruction->rip, .turn = g->turn};
    } else if (m->trace.target_due)
        g->target[g->targets++] = instruction->rip;
    if (tells_direction(m, instruction)) {
        g->taken = g->taken << 1 | instruction->taken;
        g->directions++;
    }
    if (g->directions < DIRECTIONS_MOST && g->targets < TARGETS_MOST)
        return n;
    n += write_gathered(g, to + n);
    return n + write_between(g, instruction->rip, to + n);
}

static uint32_t writes_rest(struct model *m, uint8_t *to)
{
    uint32_t n = write_gathered(memory(m, TRACE_GATHERED, struct gathered), to);
    return n + replaced(m, TRACE_GATHERED, trace_packets_of_end)(m, to + n);
}
VARIATION(
    TRACE_GATHERED, "trace-gathered",
    "directions and targets are written several at a time, with short addresses, and times and boundaries between them",
    "the manual: TNT, deferred TIPs, IP compression", ALSO_ON("broadwell", "lunar-lake"),
    STANDS_IN(FOR(trace_packets, gathers), FOR(trace_packets_of_end, writes_rest)));

#define OVERFLOW_EACH 3 /* number of traces so far */
#define OVF_BYTES 2

struct overflowing {
    uint32_t traces, targets;
};

/* Replaces the second target of each third trace by OVF and a FUP, as long as a TIP, where the trace continues. */
static uint32_t loses_some(struct model *m, const struct retired *instruction, uint8_t *to)
{
    struct overflowing *o = memory(m, TRACE_LOSES_SOME, struct overflowing);
    if (m->trace.begins)
        *o = (struct overflowing){.traces = o->traces + 1};
    bool target = tells_target(m);
    uint32_t n = replaced(m, TRACE_LOSES_SOME, trace_packets)(m, instruction, to);
    if (!target || o->traces % OVERFLOW_EACH != 1 || ++o->targets != 2)
        return n;
    for (uint32_t i = n; i--;)
        to[i + OVF_BYTES] = to[i];
    to[0] = 0x02;
    to[1] = 0xf3;
    to[OVF_BYTES] = 0x1d | 6 << 5;
    return n + OVF_BYTES;
}
VARIATION(TRACE_LOSES_SOME, "trace-loses-some", "in every third trace packets are lost, which OVF reports",
          "the manual: internal buffer overflow", ALSO_ON("alder-lake"), STANDS_IN(FOR(trace_packets, loses_some)));
