/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The local APIC: its modes, by IA32_APIC_BASE, its state after a reset, and its registers as MSRs. SDM 3A, "Local APIC
 * Status and Location" and "Extended XAPIC (x2APIC)". The host has the registers themselves, at their xAPIC offsets;
 * here are the rules of access, and what hardware does beyond storing a value.
 */
#include "reference/model/model_state.h"

#define OFFSET_ID 0x020
#define OFFSET_TPR 0x080
#define OFFSET_LDR 0x0d0
#define OFFSET_DFR 0x0e0
#define OFFSET_SVR 0x0f0
#define OFFSET_ESR 0x280
#define OFFSET_CMCI 0x2f0
#define OFFSET_ICR 0x300
#define OFFSET_ICR_HIGH 0x310
#define OFFSET_LINT0 0x350
#define OFFSET_LINT1 0x360
#define OFFSET_INITIAL_COUNT 0x380
#define OFFSET_DIVIDE 0x3e0
#define OFFSET_SELF_IPI 0x3f0

enum { READ = 1, WRITE = 2, LVT = 4, ZERO_ONLY = 8 };

/* Registers of x2APIC mode by xAPIC offset: allowed accesses, and the bits that a write may set. */
static const struct register_rule {
    uint16_t first, last;
    uint8_t may;
    uint32_t bits;
} rules[] = {
    {0x020, 0x030, READ, 0},                     /* id, version */
    {0x080, 0x080, READ | WRITE, 0xff},          /* task priority */
    {0x0a0, 0x0a0, READ, 0},                     /* processor priority */
    {0x0b0, 0x0b0, WRITE | ZERO_ONLY, 0},        /* EOI */
    {0x0d0, 0x0d0, READ, 0},                     /* logical destination */
    {0x0f0, 0x0f0, READ | WRITE, 0x13ff},        /* spurious vector */
    {0x100, 0x270, READ, 0},                     /* ISR, TMR, IRR */
    {0x280, 0x280, READ | WRITE | ZERO_ONLY, 0}, /* error status */
    {0x2f0, 0x2f0, READ | WRITE | LVT, 0x117ff}, /* CMCI */
    {0x320, 0x320, READ | WRITE | LVT, 0x710ff}, /* timer */
    {0x330, 0x340, READ | WRITE | LVT, 0x117ff}, /* thermal, performance counters */
    {0x350, 0x360, READ | WRITE | LVT, 0x1f7ff}, /* LINT0, LINT1 */
    {0x370, 0x370, READ | WRITE | LVT, 0x110ff}, /* error */
    {0x380, 0x380, READ | WRITE, 0xffffffff},    /* initial count */
    {0x390, 0x390, READ, 0},                     /* current count */
    {0x3e0, 0x3e0, READ | WRITE, 0xb},           /* divide */
    {0x3f0, 0x3f0, WRITE, 0xff},                 /* self IPI */
};

static const struct register_rule *rule_of(uint32_t offset)
{
    for_each_row (rules, rule)
        if (offset >= rule->first && offset <= rule->last)
            return rule;
    return NULL;
}

/* The host's APIC may be too old to have the entry of the corrected machine-check interrupt. */
static uint32_t page_read(struct model *m, uint32_t offset)
{
    return offset == OFFSET_CMCI ? m->lapic.cmci : m->host.apic_read(m->host.context, offset);
}

static void page_write(struct model *m, uint32_t offset, uint32_t value)
{
    if (offset == OFFSET_CMCI)
        m->lapic.cmci = value;
    else
        m->host.apic_write(m->host.context, offset, value);
}

/* ---- Modes */

enum { DISABLED = 0, XAPIC = APIC_BASE_EN, X2APIC = APIC_BASE_EN | APIC_BASE_EXTD };
#define MODE (APIC_BASE_EN | APIC_BASE_EXTD)

bool model_apic_base_read(struct model *m, unsigned unused, uint64_t *value)
{
    (void)unused;
    *value = APIC_BASE_RESET | (m->cpu ? 0 : APIC_BASE_BSP) | m->lapic.mode;
    return true;
}

bool model_apic_enabled(const struct model *m)
{
    return m->lapic.mode != DISABLED;
}

/* x2APIC mode can only be entered from xAPIC mode, and left only to the disabled state. SDM 3A, "x2APIC State
 * Transitions". */
static bool mode_follows(const struct model *m, uint64_t mode)
{
    switch (mode) {
    case DISABLED:
        return true;
    case XAPIC:
        return m->lapic.mode != X2APIC;
    case X2APIC:
        return m->lapic.mode == X2APIC || (m->lapic.mode == XAPIC && m->p.apic_x2_available);
    }
    return false;
}

/* SDM 3A, "Local APIC State After Power-Up or Reset". */
static void reset_registers(struct model *m)
{
    static const struct {
        uint16_t offset;
        uint32_t value;
    } after_reset[] = {
        {OFFSET_SVR, 0xff}, {OFFSET_TPR, 0},           {OFFSET_LDR, 0},    {OFFSET_DFR, 0xffffffff},
        {OFFSET_ESR, 0},    {OFFSET_INITIAL_COUNT, 0}, {OFFSET_DIVIDE, 0},
    };
    for_each_row (rules, rule)
        for (uint32_t offset = rule->first; (rule->may & LVT) && offset <= rule->last; offset += 0x10)
            page_write(m, offset, LVT_MASKED);
    for_each_row (after_reset, row)
        page_write(m, row->offset, row->value);
}

/* Without a local APIC its two pins are the CPU's: INTR and NMI. */
static void connect_pins(struct model *m)
{
    page_write(m, OFFSET_LINT0, FIELD(10, 8, 7));
    page_write(m, OFFSET_LINT1, LVT_DELIVERY_NMI);
}

/* A disabled local APIC keeps no state: enabled again, it is as after a reset. */
static void enter_mode(struct model *m, uint64_t mode)
{
    bool was_enabled = model_apic_enabled(m);
    m->lapic.mode = mode;
    if (m->host.apic_write && was_enabled != model_apic_enabled(m)) {
        reset_registers(m);
        if (was_enabled)
            connect_pins(m);
    }
    if (m->host.apic_mode)
        m->host.apic_mode(m->host.context, mode == XAPIC, was_enabled && mode == DISABLED);
}

/* A write must not change any other bit: the page does not move. */
bool model_apic_base_write(struct model *m, unsigned unused, uint64_t value)
{
    uint64_t now;
    model_apic_base_read(m, unused, &now);
    if ((value ^ now) & ~(uint64_t)MODE || !mode_follows(m, value & MODE))
        return false;
    if (value != now)
        enter_mode(m, value & MODE);
    return true;
}

void model_apic_reset(struct model *m)
{
    m->lapic = (struct lapic_state){.mode = m->p.apic_x2 ? X2APIC : XAPIC, .cmci = LVT_MASKED};
}

/* SDM 3A, "Local APIC State After an INIT Reset": as after a reset, in the same mode. */
void model_apic_init(struct model *m)
{
    if (!model_apic_enabled(m) || !m->host.apic_write)
        return;
    reset_registers(m);
    if (m->host.apic_mode)
        m->host.apic_mode(m->host.context, m->lapic.mode == XAPIC, true);
}

/* ---- Registers of x2APIC mode */

static uint32_t logical_destination(uint32_t id)
{
    return (id >> 4) << 16 | 1u << (id & 15);
}

/* The page has room for 8-bit ids only. */
#define NOBODY 0xfeu

static uint32_t own_id(struct model *m)
{
    return (page_read(m, OFFSET_ID) >> 24) + model_apic_id_above(m);
}

uint32_t model_apic_id_above(const struct model *m)
{
    return m->cpu ? m->p.apic_ids_above : 0;
}

static uint32_t destination_on_page(const struct model *m, uint32_t id)
{
    uint32_t above = m->p.apic_ids_above;
    if (!above || !id || id == ~0u)
        return id;
    return id > above && id - above < NOBODY ? id - above : NOBODY;
}

static uint32_t destination_shown(const struct model *m, uint32_t page)
{
    return page && page < NOBODY ? page + m->p.apic_ids_above : page;
}

bool model_x2apic_read(struct model *m, unsigned index, uint64_t *value)
{
    uint32_t offset = index << 4;
    const struct register_rule *rule = rule_of(offset);
    bool command = offset == OFFSET_ICR;
    if (m->lapic.mode != X2APIC || !m->host.apic_read || (!command && (!rule || !(rule->may & READ))))
        return false;
    if (offset == OFFSET_ID)
        *value = own_id(m);
    else if (offset == 0x0d0)
        *value = logical_destination(own_id(m));
    else if (command)
        *value = (uint64_t)destination_shown(m, page_read(m, OFFSET_ICR_HIGH) >> 24) << 32 | page_read(m, OFFSET_ICR);
    else
        *value = page_read(m, offset);
    return true;
}

/* Software disable sets all mask bits, and no write clears them until the APIC is enabled again. */
static void disable(struct model *m)
{
    for_each_row (rules, rule)
        for (uint32_t offset = rule->first; (rule->may & LVT) && offset <= rule->last; offset += 0x10)
            page_write(m, offset, page_read(m, offset) | LVT_MASKED);
}

static void write_rule(struct model *m, const struct register_rule *rule, uint32_t offset, uint32_t value)
{
    bool enabled = page_read(m, OFFSET_SVR) & SPURIOUS_ENABLE;
    if (rule->may & LVT)
        value = (value & ~(uint32_t)LVT_STATUS) | (enabled ? 0 : LVT_MASKED);
    if (offset == OFFSET_SVR && !(value & SPURIOUS_ENABLE))
        disable(m);
    if (offset == OFFSET_SELF_IPI)
        page_write(m, OFFSET_ICR, ICR_SELF | value);
    else
        page_write(m, offset, value);
}

static bool write_command(struct model *m, uint64_t value)
{
    if (value & (MASK(31, 20) | MASK(17, 16) | MASK(13, 12)))
        return false;
    page_write(m, OFFSET_ICR_HIGH, destination_on_page(m, (uint32_t)(value >> 32)) << 24);
    page_write(m, OFFSET_ICR, (uint32_t)value);
    return true;
}

bool model_x2apic_write(struct model *m, unsigned index, uint64_t value)
{
    uint32_t offset = index << 4;
    const struct register_rule *rule = rule_of(offset);
    if (m->lapic.mode != X2APIC || !m->host.apic_write)
        return false;
    if (offset == OFFSET_ICR)
        return write_command(m, value);
    if (!rule || !(rule->may & WRITE) || (rule->may & ZERO_ONLY && value) || (value & ~(uint64_t)rule->bits && value))
        return false;
    write_rule(m, rule, offset, (uint32_t)value);
    return true;
}

/* ---- The page, in xAPIC mode */

/* Corrects stores: reserved bits are 0, delivery status is read-only, and disabled means masked. */
void model_apic_written(struct model *m)
{
    uint32_t masked = page_read(m, OFFSET_SVR) & SPURIOUS_ENABLE ? 0 : LVT_MASKED;
    for_each_row (rules, rule)
        for (uint32_t offset = rule->first; (rule->may & LVT) && offset <= rule->last; offset += 0x10) {
            uint32_t stored = page_read(m, offset);
            uint32_t kept = (stored & rule->bits & ~(uint32_t)LVT_STATUS) | masked;
            if (kept != stored)
                page_write(m, offset, kept);
        }
}
