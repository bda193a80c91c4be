/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Processor trace into memory: bytes about branches go to the regions of a table of physical addresses (ToPA). A region
 * that is full may ask for a PMI (INT) or end the trace (STOP). SDM 3C, "Intel Processor Trace".
 *
 * The bytes are packets for a decoder: PSB, PSBEND, MODE.Exec and TIP.PGE where the trace begins, TNT for each
 * conditional branch, TIP with the full target for each branch whose target is not in the code, TIP.PGD where the trace
 * ends. Interrupts and exceptions have no packets, returns are not compressed, there are no packets of time and cycles,
 * and the filters by CR3 and by address only store what is written to them: only a decoder would notice.
 *
 * A byte is in memory once its instruction has retired. No manual says what hardware keeps in buffers, and how long.
 */
#include "reference/model/model_state.h"

/* An entry of the table. SDM 3C, "Table of Physical Addresses (ToPA)". */
#define ENTRY_END BIT(0)
#define ENTRY_INT BIT(2)
#define ENTRY_STOP BIT(4)
#define ENTRY_ADDRESS MASK(51, 12) /* the model does not know how many address bits the CPU has */
#define ENTRY_RESERVED (MASK(63, 52) | MASK(11, 10) | BIT(5) | BIT(3) | BIT(1))
#define ENTRY_SIZE(entry) (4096ull << FIELD_GET(entry, 9, 6))

#define LEAF_7_EBX_PT BIT(25)
#define RANGES(m) ((unsigned)FIELD_GET((m)->trace.ranges, 2, 0))

/* ---- Features, by leaf 14H. */

void model_trace_reset(struct model *m)
{
    if (!(m->p.leaf7_ebx & LEAF_7_EBX_PT))
        return;
    const struct profile_leaf *what = leaf_row(&m->p, 0x14, 0), *more = leaf_row(&m->p, 0x14, 1);
    if (what) {
        m->trace.features = what->value[1];
        m->trace.outputs = what->value[2];
    }
    if (more) {
        m->trace.ranges = more->value[0];
        m->trace.encodings = more->value[1];
    }
}

static bool has(const struct model *m, uint64_t feature)
{
    return m->trace.features & feature;
}

/* Leaf 14H tells which registers exist. */
bool good_trace_register_exists(struct model *m, unsigned which)
{
    if (!(m->p.leaf7_ebx & LEAF_7_EBX_PT))
        return false;
    if (which == TRACE_OUTPUT_BASE || which == TRACE_MASK_PTRS)
        return m->trace.outputs & (TRACE_TO_TABLE | TRACE_TO_RANGE);
    if (which == TRACE_CR3_MATCH)
        return has(m, TRACE_CR3);
    return which < TRACE_ADDR || which - TRACE_ADDR < 2 * RANGES(m);
}

/* The defined bits of IA32_RTIT_CTL. SDM 3C, "IA32_RTIT_CTL MSR". */
static uint64_t ctl_bits(const struct model *m)
{
    static const struct {
        uint64_t feature, bits;
    } parts[] = {
        {TRACE_CR3, RTIT_CTL_CR3_FILTER},
        {TRACE_CYCLES, RTIT_CTL_CYC_EN | RTIT_CTL_CYC_THRESH | RTIT_CTL_PSB_FREQ},
        {TRACE_MTC, RTIT_CTL_MTC_EN | RTIT_CTL_MTC_FREQ},
        {TRACE_PTWRITE, RTIT_CTL_PTW_EN | RTIT_CTL_FUP_ON_PTW},
        {TRACE_POWER, RTIT_CTL_PWR_EVT_EN},
        {TRACE_PENDING, RTIT_CTL_INJECT},
        {TRACE_EVENTS, RTIT_CTL_EVENT_EN},
        {TRACE_NO_TNT, RTIT_CTL_DIS_TNT},
    };
    uint64_t bits =
        RTIT_CTL_TRACE_EN | RTIT_CTL_OS | RTIT_CTL_USER | RTIT_CTL_TSC_EN | RTIT_CTL_DIS_RETC | RTIT_CTL_BRANCH_EN;
    for (unsigned i = 0; i < ARRAY_SIZE(parts); i++)
        bits |= has(m, parts[i].feature) ? parts[i].bits : 0;
    bits |= m->trace.outputs & TRACE_TO_TABLE ? RTIT_CTL_TOPA : 0;
    bits |= m->trace.outputs & TRACE_TO_FABRIC ? RTIT_CTL_FABRIC_EN : 0;
    return bits | (RANGES(m) ? MASK(31 + 4 * RANGES(m), 32) : 0);
}

/* Encodings that sub-leaf 1 does not list are reserved; 0 is always listed. */
static bool encodings_known(const struct model *m, uint64_t value)
{
    unsigned mtc = FIELD_GET(value, 17, 14), cycles = FIELD_GET(value, 22, 19), psb = FIELD_GET(value, 27, 24);
    for (unsigned n = 0; n < RANGES(m); n++)
        if ((value >> (32 + 4 * n) & 15) > 2)
            return false;
    return (!mtc || m->trace.ranges >> (16 + mtc) & 1) && (!cycles || m->trace.encodings >> cycles & 1) &&
           (!psb || m->trace.encodings >> (16 + psb) & 1);
}

/* ---- Writes of IA32_RTIT_CTL and the other registers. */

/* While the trace is on, a write must not change IA32_RTIT_CTL unless it turns the trace off. */
bool good_trace_ctl_changes(struct model *m, uint64_t was, uint64_t value)
{
    (void)m;
    return !(was & RTIT_CTL_TRACE_EN) || !(value & RTIT_CTL_TRACE_EN) || value == was;
}

/* Bits that leaf 14H does not name are reserved. */
bool good_trace_ctl_defined(struct model *m, uint64_t value)
{
    return !(value & ~ctl_bits(m)) && encodings_known(m, value);
}

/* A trace needs an output: a table, the fabric or, if supported, a single range. */
bool good_trace_ctl_output(struct model *m, uint64_t value)
{
    return !(value & RTIT_CTL_TRACE_EN) || (value & (RTIT_CTL_TOPA | RTIT_CTL_FABRIC_EN)) ||
           (m->trace.outputs & TRACE_TO_RANGE);
}

/* IA32_RTIT_CTL keeps the bits that were written. */
uint64_t good_trace_ctl_kept(struct model *m, uint64_t value)
{
    (void)m;
    return value;
}

/* The registers of output and filters may be written only while the trace is off. */
bool good_trace_writable(struct model *m, unsigned which)
{
    (void)which;
    return !(m->trace.value[TRACE_CTL] & RTIT_CTL_TRACE_EN);
}

static bool canonical(uint64_t value)
{
    uint64_t upper = value & MASK(63, 47);
    return !upper || upper == MASK(63, 47);
}

static uint64_t status_bits(const struct model *m)
{
    return RTIT_STATUS_ERROR | RTIT_STATUS_STOPPED | (has(m, TRACE_CYCLES) ? RTIT_STATUS_BYTES : 0) |
           (has(m, TRACE_PENDING) ? RTIT_STATUS_PENDING : 0);
}

#define STATUS_OWN (RTIT_STATUS_FILTER_EN | RTIT_STATUS_CONTEXT_EN | RTIT_STATUS_TRIGGER_EN)

/* The reserved bits of a register. */
uint64_t good_trace_reserved(struct model *m, unsigned which)
{
    if (which == TRACE_OUTPUT_BASE)
        return ~ENTRY_ADDRESS & ~MASK(11, 7);
    if (which == TRACE_CR3_MATCH)
        return RTIT_CR3_RESERVED;
    return which == TRACE_STATUS ? ~(status_bits(m) | STATUS_OWN) : 0;
}

/* A register holds what was written. */
uint64_t good_trace_kept(struct model *m, unsigned which, uint64_t value)
{
    if (which == TRACE_STATUS)
        return value & status_bits(m);
    return which == TRACE_MASK_PTRS ? value | RTIT_PTRS_ONES : value;
}

/* ---- Output. */

static uint64_t index_of(const struct model *m)
{
    return FIELD_GET(m->trace.value[TRACE_MASK_PTRS], 31, 7);
}

static uint64_t offset_of(const struct model *m)
{
    return m->trace.value[TRACE_MASK_PTRS] >> 32;
}

static void point(struct model *m, uint64_t index, uint64_t offset)
{
    m->trace.value[TRACE_MASK_PTRS] = RTIT_PTRS_OFFSET(offset) | RTIT_PTRS_INDEX(index) | RTIT_PTRS_ONES;
}

/* Nothing more is written; the reason is in IA32_RTIT_STATUS until software clears it. */
static void end_with(struct model *m, uint64_t why)
{
    m->trace.value[TRACE_STATUS] |= why;
    m->trace.on = false;
}

/* A table that violates the manual's rules ends the trace with an error. SDM 3C, "Operational Errors". */
void good_trace_fails(struct model *m)
{
    end_with(m, RTIT_STATUS_ERROR);
}

/* A full region with STOP ends the trace as stopped. */
void good_trace_stops(struct model *m)
{
    end_with(m, RTIT_STATUS_STOPPED);
}

/*
 * The rules for an entry of the table. If the table can have only one region, its second entry must lead back to it.
 * SDM 3C, "ToPA Errors".
 */
bool good_trace_entry_allowed(struct model *m, uint64_t index, uint64_t entry)
{
    bool end = entry & ENTRY_END;
    if ((entry & ENTRY_RESERVED) || (end && (!index || (entry & (ENTRY_INT | ENTRY_STOP)))))
        return false;
    if (!(m->trace.outputs & TRACE_TO_REGIONS) && index)
        return end && (entry & ENTRY_ADDRESS) == m->trace.value[TRACE_OUTPUT_BASE];
    return end || !(entry & ENTRY_ADDRESS & (ENTRY_SIZE(entry) - 1));
}

static bool entry_read(struct model *m)
{
    uint64_t at = m->trace.value[TRACE_OUTPUT_BASE] + index_of(m) * sizeof(m->trace.entry);
    if (!m->host.physical_read || !m->host.physical_read(m->host.context, at, &m->trace.entry, sizeof(m->trace.entry)))
        return false;
    return rule(m, trace_entry_allowed)(m, index_of(m), m->trace.entry);
}

/* The table begins on a page. */
bool good_trace_base_allowed(struct model *m)
{
    return !(m->trace.value[TRACE_OUTPUT_BASE] & MASK(11, 0));
}

/* The next byte must lie within its region. */
bool good_trace_offset_allowed(struct model *m, uint64_t offset, uint64_t size)
{
    (void)m;
    return offset < size;
}

/* Reads the entry at the index: an END leads to the table that it names, which may be this one. */
static bool entry_taken(struct model *m)
{
    if (!rule(m, trace_base_allowed)(m) || !entry_read(m))
        return false;
    if (!(m->trace.entry & ENTRY_END))
        return true;
    m->trace.value[TRACE_OUTPUT_BASE] = m->trace.entry & ENTRY_ADDRESS;
    point(m, 0, 0);
    return entry_read(m);
}

/* The entries of a table follow one after the other. */
uint64_t good_trace_next(struct model *m, uint64_t index)
{
    (void)m;
    return index + 1;
}

/* The trace's PMI sets bit 55 of IA32_PERF_GLOBAL_STATUS. */
uint64_t good_trace_pmi_status(struct model *m)
{
    (void)m;
    return STATUS_TRACE_TOPA_PMI;
}

/* The trace's PMI is like any other: it freezes as IA32_DEBUGCTL says, and is delivered by LVTPC. */
void good_trace_pmi(struct model *m)
{
    rule(m, pmi_raise)(m);
}

/* A full region asks for a PMI if its entry has INT. */
bool good_trace_region_asks(struct model *m, uint64_t entry)
{
    (void)m;
    return entry & ENTRY_INT;
}

/* A full region ends the trace if its entry has STOP: the pointers stay behind its last byte. */
bool good_trace_region_stops(struct model *m, uint64_t entry)
{
    (void)m;
    return entry & ENTRY_STOP;
}

static void ask(struct model *m)
{
    model_status_raise(m, rule(m, trace_pmi_status)(m));
    rule(m, trace_pmi)(m);
    mark_stale(m);
}

static void region_full(struct model *m)
{
    uint64_t entry = m->trace.entry;
    if (rule(m, trace_region_stops)(m, entry))
        rule(m, trace_stops)(m);
    if (m->trace.on) {
        point(m, rule(m, trace_next)(m, index_of(m)), 0);
        if (!entry_taken(m))
            rule(m, trace_fails)(m);
    }
    if (rule(m, trace_region_asks)(m, entry))
        ask(m);
}

/* A region is full after as many bytes as it has. */
uint64_t good_trace_region_room(struct model *m, uint64_t entry)
{
    (void)m;
    return ENTRY_SIZE(entry);
}

/* A byte goes to its offset in the region. */
uint64_t good_trace_address(struct model *m, uint64_t entry, uint64_t offset)
{
    (void)m;
    return (entry & ENTRY_ADDRESS) + offset;
}

/* `n` bytes advance the offset by `n`. */
uint64_t good_trace_advanced(struct model *m, uint64_t offset, uint32_t n)
{
    (void)m;
    return offset + n;
}

static void put(struct model *m, const uint8_t *bytes, uint32_t n)
{
    while (n && m->trace.on) {
        uint64_t room = rule(m, trace_region_room)(m, m->trace.entry), offset = offset_of(m);
        uint32_t part = offset + n <= room ? n : offset < room ? (uint32_t)(room - offset) : 1;
        uint64_t to = rule(m, trace_address)(m, m->trace.entry, offset);
        if (m->host.physical_write)
            m->host.physical_write(m->host.context, to, bytes, part);
        bytes += part;
        n -= part;
        offset = rule(m, trace_advanced)(m, offset, part);
        point(m, index_of(m), offset);
        if (offset >= room)
            region_full(m);
    }
}

/* ---- Packets. SDM 3C, "Packet Definitions". */

static uint32_t with_ip(uint8_t *to, uint8_t opcode, uint64_t ip)
{
    to[0] = opcode | 6 << 5; /* all eight bytes follow */
    for (unsigned i = 0; i < 8; i++)
        to[1 + i] = (uint8_t)(ip >> 8 * i);
    return 9;
}

#define TIP 0x0d
#define TIP_PGE 0x11
#define TIP_PGD 0x01

static uint32_t packets_of_start(uint8_t *to)
{
    uint32_t n = 0;
    while (n < 16) { /* PSB */
        to[n++] = 0x02;
        to[n++] = 0x82;
    }
    to[n++] = 0x02; /* PSBEND */
    to[n++] = 0x23;
    to[n++] = 0x99; /* MODE.Exec: 64 bits */
    to[n++] = 0x01;
    return n;
}

/* The packets of a traced instruction: at most TRACE_PACKET_MOST bytes. */
uint32_t good_trace_packets(struct model *m, const struct retired *instruction, uint8_t *to)
{
    uint32_t n = 0;
    if (m->trace.begins)
        n += packets_of_start(to);
    if (m->trace.begins || !m->trace.open)
        n += with_ip(to + n, TIP_PGE, instruction->rip);
    else if (m->trace.target_due)
        n += with_ip(to + n, TIP, instruction->rip);
    if (instruction->branch == BRANCH_CONDITIONAL && (m->trace.value[TRACE_CTL] & RTIT_CTL_BRANCH_EN))
        to[n++] = (uint8_t)(4 | instruction->taken << 1);
    return n;
}

static bool target_unknown(const struct retired *instruction)
{
    uint8_t branch = instruction->branch;
    return branch == BRANCH_CALL_INDIRECT || branch == BRANCH_RETURN || branch == BRANCH_JUMP_INDIRECT ||
           instruction->kind == RETIRED_FAR_BRANCH || instruction->kind == RETIRED_IRET;
}

/* IA32_RTIT_CTL selects the privilege levels that are traced. */
bool good_trace_level(struct model *m, uint8_t cpl)
{
    return m->trace.value[TRACE_CTL] & (cpl ? RTIT_CTL_USER : RTIT_CTL_OS);
}

/* The packets where untraced code begins: at most TRACE_PACKET_MOST bytes. */
uint32_t good_trace_packets_of_end(struct model *m, uint8_t *to)
{
    (void)m;
    to[0] = TIP_PGD;
    return 1;
}

static void left(struct model *m)
{
    uint8_t packets[TRACE_PACKET_MOST];
    if (m->trace.open)
        put(m, packets, rule(m, trace_packets_of_end)(m, packets));
    m->trace.open = m->trace.target_due = false;
}

void model_trace_retire(struct model *m, const struct retired *instruction)
{
    uint8_t packets[TRACE_PACKET_MOST];
    bool by_this = m->trace.turned_on && instruction->kind == RETIRED_WRMSR;
    m->trace.turned_on = false;
    if (by_this)
        return;
    if (!rule(m, trace_level)(m, instruction->cpl)) {
        left(m);
        return;
    }
    uint32_t n = rule(m, trace_packets)(m, instruction, packets);
    m->trace.begins = false;
    m->trace.open = true;
    m->trace.target_due = target_unknown(instruction) && (m->trace.value[TRACE_CTL] & RTIT_CTL_BRANCH_EN);
    put(m, packets, n);
}

#define BRANCH_BYTES 10 /* of a traced branch, at most: TIP or TIP.PGE before it, and its TNT */

/* The instruction after the last branch may need such packets, too, and the region must not become full. */
uint32_t model_trace_room(struct model *m)
{
    uint64_t room = ENTRY_SIZE(m->trace.entry), taken = offset_of(m) + 1 + BRANCH_BYTES;
    return taken < room ? (uint32_t)((room - taken) / BRANCH_BYTES) : 0;
}

/* Rules that may be replaced by intermittent defects must be called for each instruction. */
bool model_trace_each_matters(struct model *m)
{
    return m->trace.begins || m->rules.trace_packets != good_trace_packets ||
           m->rules.trace_level != good_trace_level || m->rules.trace_advanced != good_trace_advanced ||
           m->rules.trace_region_room != good_trace_region_room || !model_trace_room(m);
}

/* Only the first instruction of a run can have a packet, which tells its address. */
void model_trace_run(struct model *m, const struct model_run *run)
{
    model_trace_retire(
        m, &(struct retired){.kind = RETIRED_PLAIN, .cpl = run->cpl, .cpl_after = run->cpl, .rip = run->rip});
}

/* ---- On and off. */

/* A trace does not begin while an error or a stop is set that software has not cleared. */
bool good_trace_begins(struct model *m)
{
    return !(m->trace.value[TRACE_STATUS] & (RTIT_STATUS_ERROR | RTIT_STATUS_STOPPED));
}

static void begin(struct model *m)
{
    if (!rule(m, trace_begins)(m))
        return;
    m->trace.on = m->trace.turned_on = m->trace.begins = true;
    m->trace.open = m->trace.target_due = false;
    if (!(m->trace.value[TRACE_CTL] & RTIT_CTL_TOPA)) { /* a single range, or the fabric: neither is modelled */
        m->trace.on = false;
        return;
    }
    if (!entry_taken(m) || !rule(m, trace_offset_allowed)(m, offset_of(m), ENTRY_SIZE(m->trace.entry)))
        rule(m, trace_fails)(m);
}

static bool ctl_write(struct model *m, uint64_t value)
{
    uint64_t was = m->trace.value[TRACE_CTL];
    if (!rule(m, trace_ctl_defined)(m, value) || !rule(m, trace_ctl_changes)(m, was, value) ||
        !rule(m, trace_ctl_output)(m, value))
        return false;
    if (m->trace.on && !(value & RTIT_CTL_TRACE_EN))
        left(m);
    m->trace.value[TRACE_CTL] = rule(m, trace_ctl_kept)(m, value);
    if (!(value & RTIT_CTL_TRACE_EN))
        m->trace.on = false;
    else if (!(was & RTIT_CTL_TRACE_EN))
        begin(m);
    return true;
}

/* The three bits that tell what is being traced follow the trace; everything else reads as stored. */
uint64_t good_trace_shown(struct model *m, unsigned which)
{
    uint64_t triggered = m->trace.on ? RTIT_STATUS_TRIGGER_EN | RTIT_STATUS_CONTEXT_EN | RTIT_STATUS_FILTER_EN : 0;
    return m->trace.value[which] | (which == TRACE_STATUS ? triggered : 0);
}

bool model_trace_read(struct model *m, unsigned which, uint64_t *value)
{
    if (!rule(m, trace_register_exists)(m, which))
        return false;
    *value = rule(m, trace_shown)(m, which);
    return true;
}

bool model_trace_write(struct model *m, unsigned which, uint64_t value)
{
    if (!rule(m, trace_register_exists)(m, which))
        return false;
    if (which == TRACE_CTL)
        return ctl_write(m, value);
    if (!rule(m, trace_writable)(m, which) || (value & rule(m, trace_reserved)(m, which)) ||
        (which >= TRACE_ADDR && !canonical(value)))
        return false;
    m->trace.value[which] = rule(m, trace_kept)(m, which, value);
    return true;
}
