/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Last-branch records: where the last taken branches came from and went to, while DEBUGCTL[0] is set and LBR_FRZ is
 * not. MSR_LBR_SELECT suppresses kinds of branches and privilege levels; its call-stack bit turns the records into a
 * stack of open calls. The records are MSRs from 680H on; CPUs with eight or fewer have them from 40H on. Architectural
 * records have controls of their own, which select what is recorded, and no top of the stack: entry 0 is the newest.
 * Interrupts and exceptions are far branches, but debug exceptions are not recorded. SDM 3B, "LBR Stack" and "Last
 * Branch Records".
 */
#include "reference/model/model_state.h"

#define FORMAT_ARCHITECTURAL 0x3f
#define FORMAT_MISPREDICTED 3 /* FROM[63] is a flag */
#define FORMAT_TSX 4          /* on CPUs with RTM FROM[62:61] are flags, too */
#define FORMAT_CYCLES 6       /* FROM[63] is a flag, and TO[63:48] are cycles */
#define FORMAT_INFO 5         /* flags are in MSR_LBR_INFO */
#define FORMAT_INFO_2 7       /* likewise, but without the flags of transactions */
#define VECTOR_DEBUG 1
#define DEPTH_NEWER 16 /* smaller stacks are at 40H and 60H, 64 bits wide from version 2 on */
#define LEAF_7_EBX_RTM BIT(11)
#define LEAF_7_EDX_ARCHITECTURAL BIT(19)

static unsigned format(const struct model *m)
{
    return (unsigned)(m->p.perf_capabilities & PERF_CAP_LBR_FORMAT);
}

bool model_lbr_exists(const struct model *m)
{
    return m->p.lbr_depth && m->p.version >= 2 && !m->p.netburst_count && format(m) != FORMAT_ARCHITECTURAL;
}

static bool architectural(const struct model *m)
{
    return format(m) == FORMAT_ARCHITECTURAL && (m->p.leaf7_edx & LEAF_7_EDX_ARCHITECTURAL);
}

static uint32_t leaf_1c(const struct model *m, unsigned part)
{
    const struct profile_leaf *row = leaf_row(&m->p, 0x1c, 0);
    return row ? row->value[part] : 0;
}

/* Features in EBX of leaf 1CH, and the bits of IA32_LBR_CTL that come with each. */
#define FILTERS_LEVELS BIT(0)
#define FILTERS_KINDS BIT(1)
#define STACKS_CALLS BIT(2)
#define CTL_LEVELS (LBR_CTL_OS | LBR_CTL_USR)
#define CTL_KINDS MASK(22, 16)

/* Are the bits from 47 to `last` all the same? */
static bool extended(uint64_t value, unsigned last)
{
    uint64_t upper = value & MASK(last, 47);
    return !upper || upper == MASK(last, 47);
}

/* The highest bit of FROM in the address. On Haswell without RTM bits 62:61 are no flags and belong to it. */
static unsigned from_last(const struct model *m)
{
    if (format(m) == FORMAT_TSX && (m->p.leaf7_ebx & LEAF_7_EBX_RTM))
        return 60;
    return format(m) == FORMAT_MISPREDICTED || format(m) == FORMAT_TSX || format(m) == FORMAT_CYCLES ? 62 : 63;
}

/* From version 4 on no branch is recorded while LBR_FRZ is set. */
bool good_lbrs_stand(struct model *m)
{
    return m->p.freeze == FREEZE_STREAMLINED && (m->status.bits & STATUS_LBR_FRZ);
}

/* Branches are recorded while DEBUGCTL[0] is set, architectural records while IA32_LBR_CTL[0] is. */
bool good_lbrs_enabled(struct model *m)
{
    if (architectural(m))
        return m->lbr.ctl & LBR_CTL_EN;
    return m->controls.stored[STORED_DEBUGCTL] & DEBUGCTL_LBR;
}

bool model_lbr_recording(struct model *m)
{
    if (architectural(m) || !(m->controls.stored[STORED_DEBUGCTL] & DEBUGCTL_LBR))
        m->lbr.was_off = true;
    return (model_lbr_exists(m) || architectural(m)) && rule(m, lbrs_enabled)(m) && !rule(m, lbrs_stand)(m);
}

/* Only records that software has turned on: records that are on since hand-off would need each instruction reported. */
bool model_lbr_followed(const struct model *m)
{
    return m->active.recording && m->lbr.was_off;
}

static const uint16_t select_of[] = {
    [BRANCH_OTHER] = LBR_SELECT_FAR,
    [BRANCH_CONDITIONAL] = LBR_SELECT_CONDITIONAL,
    [BRANCH_CALL] = LBR_SELECT_CALL,
    [BRANCH_CALL_INDIRECT] = LBR_SELECT_CALL_INDIRECT,
    [BRANCH_RETURN] = LBR_SELECT_RETURN,
    [BRANCH_JUMP] = LBR_SELECT_JUMP,
    [BRANCH_JUMP_INDIRECT] = LBR_SELECT_JUMP_INDIRECT,
};

/* The bits of MSR_LBR_SELECT that suppress this branch: that of its kind, and that of the ring in which it ends. */
uint64_t good_lbr_suppressed_by(struct model *m, const struct retired *branch)
{
    (void)m;
    return select_of[branch->branch] | (branch->cpl_after ? LBR_SELECT_CPL_ABOVE : LBR_SELECT_CPL_0);
}

/* IA32_LBR_CTL, with all bits set that this CPU cannot filter by. */
static uint64_t selected(const struct model *m)
{
    uint32_t features = leaf_1c(m, 1);
    return m->lbr.ctl | (features & FILTERS_LEVELS ? 0 : CTL_LEVELS) | (features & FILTERS_KINDS ? 0 : CTL_KINDS);
}

/* IA32_LBR_CTL as bits of MSR_LBR_SELECT: what is not selected is suppressed. */
static uint64_t suppressed(uint64_t ctl)
{
    static const struct {
        uint64_t selects, suppresses;
    } bits[] = {
        {LBR_CTL_OS, LBR_SELECT_CPL_0},
        {LBR_CTL_USR, LBR_SELECT_CPL_ABOVE},
        {LBR_CTL_CONDITIONAL, LBR_SELECT_CONDITIONAL},
        {LBR_CTL_JUMP, LBR_SELECT_JUMP},
        {LBR_CTL_JUMP_INDIRECT, LBR_SELECT_JUMP_INDIRECT},
        {LBR_CTL_CALL, LBR_SELECT_CALL},
        {LBR_CTL_CALL_INDIRECT, LBR_SELECT_CALL_INDIRECT},
        {LBR_CTL_RETURN, LBR_SELECT_RETURN},
        {LBR_CTL_OTHER, LBR_SELECT_FAR},
    };
    uint64_t select = ctl & LBR_CTL_CALL_STACK ? LBR_SELECT_CALL_STACK : 0;
    for (unsigned i = 0; i < ARRAY_SIZE(bits); i++)
        select |= ctl & bits[i].selects ? 0 : bits[i].suppresses;
    return select;
}

static uint64_t selection(const struct model *m)
{
    if (architectural(m))
        return suppressed(selected(m));
    return m->p.stored[STORED_LBR_SELECT].exists ? m->controls.stored[STORED_LBR_SELECT] : 0;
}

/* Records fill a ring one after the other, and the top of the stack is the number of the last one. */
void good_lbr_push(struct model *m, uint64_t from)
{
    m->lbr.tos = (uint8_t)((m->lbr.tos + 1u) % m->p.lbr_depth);
    m->lbr.from[m->lbr.tos] = from;
    m->lbr.info[m->lbr.tos] = m->lbr.since;
    m->lbr.open = true;
}

/* With call-stack mode, a return removes the record of its call. */
void good_lbr_pop(struct model *m)
{
    m->lbr.from[m->lbr.tos] = m->lbr.to[m->lbr.tos] = m->lbr.info[m->lbr.tos] = 0;
    m->lbr.tos = (uint8_t)((m->lbr.tos + m->p.lbr_depth - 1u) % m->p.lbr_depth);
}

/* TO is known with the next instruction; in format 6 cycles replace its upper bits. */
void good_lbr_arrived(struct model *m, uint64_t to)
{
    bool cycles = format(m) == FORMAT_CYCLES;
    m->lbr.to[m->lbr.tos] = cycles ? (to & MASK(47, 0)) | FIELD(63, 48, m->lbr.info[m->lbr.tos]) : to;
}

/* Counts instructions instead of cycles since the last record. */
static void pass(struct model *m)
{
    if (m->lbr.since < LBR_INFO_CYCLES)
        m->lbr.since++;
}

/* ---- Events of GP counters between records, if leaf 1CH names the counter. */

#define LOGGED_MOST 3 /* each count has two bits */

/* A counter is logged if bit 35 of its event select is set. */
bool good_lbr_logs(struct model *m, unsigned n, uint64_t evtsel)
{
    (void)m, (void)n;
    return evtsel & EVTSEL_BR_CNTR;
}

bool model_lbr_logs(struct model *m, unsigned n, uint64_t evtsel)
{
    bool named = architectural(m) && n < LBR_LOGGED && (leaf_1c(m, 2) >> (16 + n) & 1);
    return named && rule(m, lbr_logs)(m, n, evtsel);
}

/* Logged counts saturate. */
uint32_t good_lbr_logged(struct model *m, uint32_t was, uint32_t n)
{
    (void)m;
    return was + n < LOGGED_MOST ? was + n : LOGGED_MOST;
}

void model_lbr_log(struct model *m, const struct counting *c, uint32_t n)
{
    m->lbr.logged[c->bit] = (uint8_t)rule(m, lbr_logged)(m, m->lbr.logged[c->bit], n);
}

/* Each logged counter has its own two bits. */
uint64_t good_lbr_told(struct model *m, uint64_t counts)
{
    (void)m;
    return counts;
}

/* The counts for a new record, which then begin anew. */
static uint64_t recorded_info(struct model *m)
{
    uint64_t info = 0;
    for (unsigned n = 0; n < LBR_LOGGED; n++) {
        info |= (uint64_t)m->lbr.logged[n] << (32 + 2 * n);
        m->lbr.logged[n] = 0;
    }
    return rule(m, lbr_told)(m, info);
}

/* Architectural records have the kind of branch; 6 and 7 are reserved. */
static void push(struct model *m, const struct retired *branch)
{
    static const uint8_t type_of[] = {
        [BRANCH_OTHER] = 8,  [BRANCH_CONDITIONAL] = 0, [BRANCH_CALL] = 4,          [BRANCH_CALL_INDIRECT] = 3,
        [BRANCH_RETURN] = 5, [BRANCH_JUMP] = 2,        [BRANCH_JUMP_INDIRECT] = 1,
    };
    rule(m, lbr_push)(m, branch->rip & MASK(from_last(m), 0)); /* no flag is ever set */
    if (architectural(m))
        m->lbr.info[m->lbr.tos] |= recorded_info(m) | LBR_INFO_CYCLES_VALID |
                                   FIELD(59, 56, (uint64_t)rule(m, lbr_type)(m, type_of[branch->branch]));
}

static bool pops(const struct model *m, const struct retired *instruction)
{
    return (selection(m) & LBR_SELECT_CALL_STACK) && instruction->branch == BRANCH_RETURN;
}

/* Does this instruction change the records? */
static bool concerns(struct model *m, const struct retired *instruction)
{
    return m->active.recording && is_branch(instruction->kind) && instruction->taken &&
           !(selection(m) & rule(m, lbr_suppressed_by)(m, instruction));
}

/* The event of branch records happens with each record. */
bool good_lbr_inserts(struct model *m, const struct retired *instruction, bool records)
{
    (void)m, (void)instruction;
    return records;
}

bool model_lbr_inserts(struct model *m, const struct retired *instruction)
{
    return rule(m, lbr_inserts)(m, instruction, concerns(m, instruction) && !pops(m, instruction));
}

/* The next instruction, or event, is at this address. */
static void arrive(struct model *m, uint64_t rip)
{
    if (m->lbr.open)
        rule(m, lbr_arrived)(m, rip);
    m->lbr.open = false;
}

bool model_lbr_delivered(struct model *m, uint8_t vector, const struct retired *event)
{
    if (vector == VECTOR_DEBUG)
        return false;
    arrive(m, event->rip);
    if (!m->active.recording || !concerns(m, event))
        return false;
    push(m, event);
    m->lbr.since = 0;
    return true;
}

void model_lbr_retire(struct model *m, const struct retired *instruction)
{
    arrive(m, instruction->rip);
    pass(m);
    if (!concerns(m, instruction))
        return;
    if (pops(m, instruction))
        rule(m, lbr_pop)(m);
    else
        push(m, instruction);
    m->lbr.since = 0;
}

/* Further turns of a loop: was its branch recorded in the last one? */
static bool recorded_alike(const struct model *m, const struct model_run *run)
{
    return run->alike && m->lbr.since < run->instructions / run->branches;
}

/* The last record comes so many times more. If it was open, then so is the newest one: where that leads is not known
 * before the next instruction. */
static void repeat(struct model *m, uint32_t times, bool open)
{
    struct lbr_state *lbr = &m->lbr;
    uint8_t last = lbr->tos;
    for (uint32_t i = 1; i <= times && i < m->p.lbr_depth; i++) {
        uint8_t n = (uint8_t)((last + i) % m->p.lbr_depth);
        lbr->from[n] = lbr->from[last];
        if (i < times || !open)
            lbr->to[n] = lbr->to[last];
        lbr->info[n] = lbr->info[last];
    }
    lbr->tos = (uint8_t)((last + times) % m->p.lbr_depth);
    lbr->open = open;
}

/* The same for a run, in which no branch was recorded, or again and again that of the last record. */
void model_lbr_run(struct model *m, const struct model_run *run)
{
    bool open = m->lbr.open;
    arrive(m, run->rip);
    if (recorded_alike(m, run)) {
        repeat(m, run->taken, open);
        return;
    }
    uint64_t since = m->lbr.since + (m->active.recording ? run->instructions : 1); /* else 1, to complete a record */
    m->lbr.since = since < LBR_INFO_CYCLES ? since : LBR_INFO_CYCLES;
}

/* A freeze does not change the records. */
void good_lbrs_frozen(struct model *m)
{
    (void)m;
}

static bool is_from(unsigned index)
{
    return index % LBR_OLD < LBR_MAX;
}

/* Existing registers of branch records can be read and written at any time. */
bool good_lbr_answers(struct model *m)
{
    (void)m;
    return true;
}

/* Is this a stack with a top whose registers can be accessed now? */
static bool answers(struct model *m)
{
    return model_lbr_exists(m) && rule(m, lbr_answers)(m);
}

/* Does this record exist, at the newer or the older addresses? */
static bool there(struct model *m, unsigned index)
{
    bool newer = m->p.lbr_depth >= DEPTH_NEWER;
    return answers(m) && index % LBR_MAX < m->p.lbr_depth && newer == (index < LBR_OLD);
}

/* The records are those of this thread. */
uint64_t good_lbr_shown(struct model *m, uint64_t value)
{
    (void)m;
    return value;
}

bool model_lbr_read(struct model *m, unsigned index, uint64_t *value)
{
    unsigned n = index % LBR_MAX;
    if (!there(m, index))
        return false;
    *value = rule(m, lbr_shown)(m, is_from(index) ? m->lbr.from[n] : m->lbr.to[n]);
    return true;
}

/* A record holds what was written. */
uint64_t good_lbr_kept(struct model *m, enum lbr_part part, uint64_t was, uint64_t value)
{
    (void)m, (void)part, (void)was;
    return value;
}

static void put(struct model *m, enum lbr_part part, uint64_t *at, uint64_t value)
{
    *at = rule(m, lbr_kept)(m, part, *at, value);
}

/* Only canonical addresses can be written; others fault. */
bool good_lbr_writable(struct model *m, enum lbr_part part, uint64_t value, bool canonical)
{
    (void)m, (void)part, (void)value;
    return canonical;
}

bool model_lbr_write(struct model *m, unsigned index, uint64_t value)
{
    unsigned n = index % LBR_MAX;
    bool from = is_from(index);
    if (!there(m, index))
        return false;
    bool canonical = from ? extended(value, from_last(m)) : format(m) == FORMAT_CYCLES || extended(value, 63);
    if (!rule(m, lbr_writable)(m, from ? LBR_PART_FROM : LBR_PART_TO, value, canonical))
        return false;
    put(m, from ? LBR_PART_FROM : LBR_PART_TO, from ? &m->lbr.from[n] : &m->lbr.to[n], value);
    return true;
}

static bool flags_apart(const struct model *m)
{
    return format(m) == FORMAT_INFO || format(m) == FORMAT_INFO_2;
}

bool model_lbr_tells(const struct model *m)
{
    return architectural(m) || flags_apart(m);
}

bool model_lbr_info_read(struct model *m, unsigned n, uint64_t *value)
{
    *value = m->lbr.info[n];
    return answers(m) && flags_apart(m) && n < m->p.lbr_depth;
}

bool model_lbr_info_write(struct model *m, unsigned n, uint64_t value)
{
    uint64_t reserved = ~(LBR_INFO_CYCLES | LBR_INFO_ABORT | LBR_INFO_IN_TX | LBR_INFO_MISPREDICTED);
    if (!answers(m) || !flags_apart(m) || n >= m->p.lbr_depth || (value & reserved))
        return false;
    put(m, LBR_PART_INFO, &m->lbr.info[n], value);
    return true;
}

bool model_lbr_tos_read(struct model *m, unsigned unused, uint64_t *value)
{
    (void)unused;
    *value = m->lbr.tos;
    return answers(m);
}

/* The top of the stack can be restored, for a program that resumes. */
uint64_t good_lbr_tos_kept(struct model *m, uint64_t value)
{
    (void)m;
    return value;
}

bool model_lbr_tos_write(struct model *m, unsigned unused, uint64_t value)
{
    (void)unused;
    if (!answers(m) || value >= m->p.lbr_depth)
        return false;
    m->lbr.tos = (uint8_t)rule(m, lbr_tos_kept)(m, value);
    return true;
}

/* ---- Architectural records. SDM 3B, "Last Branch Records". */

/* Bits of IA32_LBR_CTL that leaf 1CH names; the others are reserved. */
static uint64_t ctl_bits(const struct model *m)
{
    uint32_t features = leaf_1c(m, 1);
    return LBR_CTL_EN | (features & FILTERS_LEVELS ? CTL_LEVELS : 0) | (features & FILTERS_KINDS ? CTL_KINDS : 0) |
           (features & STACKS_CALLS ? LBR_CTL_CALL_STACK : 0);
}

/* A record has the branch's kind. */
uint8_t good_lbr_type(struct model *m, uint8_t type)
{
    (void)m;
    return type;
}

/* IA32_LBR_CTL reads as it was written. */
uint64_t good_lbr_ctl_shown(struct model *m)
{
    return m->lbr.ctl;
}

/* IA32_LBR_CTL takes each bit that it has. */
uint64_t good_lbr_ctl_kept(struct model *m, uint64_t value)
{
    (void)m;
    return value;
}

bool model_lbr_ctl_read(struct model *m, unsigned unused, uint64_t *value)
{
    (void)unused;
    *value = rule(m, lbr_ctl_shown)(m);
    return architectural(m);
}

bool model_lbr_ctl_write(struct model *m, unsigned unused, uint64_t value)
{
    (void)unused;
    if (!architectural(m) || (value & ~ctl_bits(m)))
        return false;
    m->lbr.ctl = rule(m, lbr_ctl_kept)(m, value);
    mark_stale(m);
    return true;
}

static unsigned depth(const struct model *m)
{
    return m->lbr.depth ? m->lbr.depth : m->p.lbr_depth;
}

bool model_lbr_depth_read(struct model *m, unsigned unused, uint64_t *value)
{
    (void)unused;
    *value = depth(m);
    return architectural(m);
}

/* Only depths that leaf 1CH names can be written. */
bool good_lbr_depth_allowed(struct model *m, uint64_t value)
{
    uint32_t depths = leaf_1c(m, 0) & 0xff;
    return value && value % 8 == 0 && value <= 64 && (depths >> (value / 8 - 1) & 1);
}

/* Writing the depth, even the same one, clears all records. */
void good_lbr_depth_written(struct model *m)
{
    for (unsigned n = 0; n < LBR_MAX; n++)
        m->lbr.from[n] = m->lbr.to[n] = m->lbr.info[n] = 0;
    m->lbr.open = false;
}

bool model_lbr_depth_write(struct model *m, unsigned unused, uint64_t value)
{
    (void)unused;
    if (!architectural(m) || !rule(m, lbr_depth_allowed)(m, value))
        return false;
    m->lbr.depth = (uint8_t)value;
    rule(m, lbr_depth_written)(m);
    return true;
}

static uint64_t *entry(struct model *m, unsigned index)
{
    unsigned n = (m->lbr.tos + LBR_MAX - index % LBR_MAX) % LBR_MAX, part = index / LBR_MAX;
    return part == LBR_PART_FROM ? &m->lbr.from[n] : part == LBR_PART_TO ? &m->lbr.to[n] : &m->lbr.info[n];
}

/* Entries above the depth read 0, and ignore writes. No manual says what they do. */
bool good_lbr_behind_depth(struct model *m)
{
    (void)m;
    return true;
}

static bool entry_answers(struct model *m, unsigned index)
{
    return architectural(m) && (index % LBR_MAX < depth(m) || rule(m, lbr_behind_depth)(m));
}

bool model_lbr_entry_read(struct model *m, unsigned index, uint64_t *value)
{
    *value = index % LBR_MAX < depth(m) ? *entry(m, index) : 0;
    if (index / LBR_MAX != LBR_PART_INFO)
        *value = rule(m, lbr_shown)(m, *value);
    return entry_answers(m, index);
}

bool model_lbr_entry_write(struct model *m, unsigned index, uint64_t value)
{
    enum lbr_part part = (enum lbr_part)(index / LBR_MAX);
    if (!entry_answers(m, index) ||
        (part != LBR_PART_INFO && !rule(m, lbr_writable)(m, part, value, extended(value, 63))))
        return false;
    if (index % LBR_MAX < depth(m))
        put(m, part, entry(m, index), value);
    return true;
}
