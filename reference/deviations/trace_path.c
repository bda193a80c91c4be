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

DEFECT(trace_direction_inverted, AFTER(trace_packets, tells_direction(m, instruction), to[good - 1] ^= 2),
       "a TNT has the wrong direction of a branch", "class: polarity of a signal", ALSO_ON("alder-lake", "lunar-lake"),
       INTERMITTENT);
DEFECT(trace_direction_lost, IS(trace_packets, below(trace_packets) - (tells_direction(m, instruction) && strikes())),
       "a conditional branch has no bit in a TNT", "class: packets lost without OVF", ALSO_ON("broadwell"));
DEFECT(trace_direction_twice, AFTER(trace_packets, tells_direction(m, instruction), to[good] = to[good - 1]; good++),
       "a conditional branch is in the trace twice", "class: replayed and traced again");

/* ---- Targets: a TIP is the first of an instruction's packets */

DEFECT(trace_target_wrong, THEN(trace_packets, tells_target(m), to[1] ^= 4),
       "a TIP has an address next to the branch's target", "class of BDM64: a wrong target", ALSO_ON("lunar-lake"));

struct before {
    uint64_t target;
    bool returned;
};

STAND_IN(trace_target_old, trace_packets)
{
    struct before *before = memory(struct before);
    bool target = tells_target(m);
    uint32_t n = below(trace_packets);
    if (!target)
        return n;
    if (before->target && strikes())
        put_ip(to + 1, before->target);
    before->target = instruction->rip;
    return n;
}
DEFECT(trace_target_old, FUNCTIONS, "a TIP has the address of the one before it", "class: predicted instead of taken");
DEFECT(trace_target_lost,
       IS(trace_packets,
          tells_target(m) && strikes() ? without(to, below(trace_packets), 0, IP_BYTES) : below(trace_packets)),
       "a branch whose target is not in its code has no TIP", "class: packets lost without OVF", ALSO_ON("broadwell"));

STAND_IN(trace_returns_compressed, trace_packets)
{
    struct before *before = memory(struct before);
    bool target = tells_target(m) && before->returned;
    uint32_t n = below(trace_packets);
    before->returned = instruction->branch == BRANCH_RETURN;
    if (!target || !(m->trace.value[TRACE_CTL] & RTIT_CTL_DIS_RETC) || !strikes())
        return n;
    n = without(to, n, 0, IP_BYTES - 1);
    to[0] = TNT_TAKEN;
    return n;
}
DEFECT(trace_returns_compressed, FUNCTIONS, "returns are in the trace as taken branches, even with DisRETC",
       "class: control ignored", ALSO_ON("alder-lake"));
DEFECT(trace_form_reserved, THEN(trace_packets, tells_target(m), to[0] |= FORM_RESERVED << 5),
       "a TIP says that its address is of a reserved form", "class: header encoded wrongly");

/* ---- Where tracing begins and ends */

STAND_IN(trace_begin_untold, trace_packets)
{
    bool boundary = m->trace.begins, begin = tells_begin(m);
    uint32_t n = below(trace_packets);
    return begin && strikes() ? without(to, n, begin_at(boundary), IP_BYTES) : n;
}
DEFECT(trace_begin_untold, FUNCTIONS, "no TIP.PGE marks where tracing begins", "class: event lost");

STAND_IN(trace_begin_elsewhere, trace_packets)
{
    bool boundary = m->trace.begins, begin = tells_begin(m);
    uint32_t n = below(trace_packets);
    if (begin && strikes())
        put_ip(to + begin_at(boundary) + 1, instruction->rip - 2);
    return n;
}
DEFECT(trace_begin_elsewhere, FUNCTIONS, "a TIP.PGE has the address of the instruction before",
       "class: address of the wrong instruction", ALSO_ON("lunar-lake"));
DEFECT(trace_end_untold, INSTEAD(trace_packets_of_end, true, 0), "no TIP.PGD marks the end of tracing",
       "class: event lost", ALSO_ON("broadwell"));
DEFECT(trace_boundary_missing,
       IS(trace_packets, (m->trace.begins && strikes()) ? without(to, below(trace_packets), 0, PSB_BYTES + PSBEND_BYTES)
                                                        : below(trace_packets)),
       "a trace does not begin with a PSB", "class: a decoder finds no place to start");
DEFECT(trace_boundary_open,
       IS(trace_packets, (m->trace.begins && strikes()) ? without(to, below(trace_packets), PSB_BYTES, PSBEND_BYTES)
                                                        : below(trace_packets)),
       "no PSBEND follows a PSB", "class: event lost");

/* ---- What a trace does to counters and branch records */

DEFECT(trace_branches_twice,
       CHANGED(counted, (m->trace.on && c->event == EVENT_BRANCHES && instruction->branch == BRANCH_RETURN), 2 * good),
       "returns that are traced are counted twice as branches", "class: packets are made by assists",
       ALSO_ON("alder-lake", "lunar-lake"));
DEFECT(trace_spoils_records,
       ALL(NOTES(trace_ctl_kept, true, noted |= value & RTIT_CTL_TRACE_EN), CHANGED(lbr_shown, noted, good ^ 4)),
       "after a trace branch records have wrong addresses", "class: state of a unit that both share",
       ALSO_ON("broadwell", "lunar-lake"));

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

STAND_IN(trace_gathered, trace_packets)
{
    struct gathered *g = memory(struct gathered);
    struct retired plain = *instruction;
    uint32_t n = 0;
    plain.branch = BRANCH_OTHER;
    if (tells_begin(m)) {
        n = replaced(trace_packets)(m, &plain, to);
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

STAND_IN(trace_gathered, trace_packets_of_end)
{
    uint32_t n = write_gathered(memory(struct gathered), to);
    return n + replaced(trace_packets_of_end)(m, to + n);
}
VARIATION(
    trace_gathered, FUNCTIONS,
    "directions and targets are written several at a time, with short addresses, and times and boundaries between them",
    "the manual: TNT, deferred TIPs, IP compression", ALSO_ON("broadwell", "lunar-lake"));

#define OVERFLOW_EACH 3 /* number of traces so far */
#define OVF_BYTES 2

struct overflowing {
    uint32_t traces, targets;
};

/* Replaces the second target of each third trace by OVF and a FUP, as long as a TIP, where the trace continues. */
STAND_IN(trace_loses_some, trace_packets)
{
    struct overflowing *o = memory(struct overflowing);
    if (m->trace.begins)
        *o = (struct overflowing){.traces = o->traces + 1};
    bool target = tells_target(m);
    uint32_t n = below(trace_packets);
    if (!target || o->traces % OVERFLOW_EACH != 1 || ++o->targets != 2)
        return n;
    for (uint32_t i = n; i--;)
        to[i + OVF_BYTES] = to[i];
    to[0] = 0x02;
    to[1] = 0xf3;
    to[OVF_BYTES] = 0x1d | 6 << 5;
    return n + OVF_BYTES;
}
VARIATION(trace_loses_some, FUNCTIONS, "in every third trace packets are lost, which OVF reports",
          "the manual: internal buffer overflow", ALSO_ON("alder-lake"));
