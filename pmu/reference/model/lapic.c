/*
 * The local APIC where it is reached by MSR: IA32_APIC_BASE and x2APIC mode. SDM 3A, "Extended XAPIC (x2APIC)". The
 * host has the registers themselves, at their xAPIC offsets; here are the rules of access, and what the LVT
 * performance-counter entry does that a plain register would not.
 */
#include "pmu/reference/model/model_state.h"

#define OFFSET_ID 0x020
#define OFFSET_SVR 0x0f0
#define OFFSET_ICR 0x300
#define OFFSET_ICR_HIGH 0x310
#define OFFSET_LVTPC 0x340
#define OFFSET_SELF_IPI 0x3f0

enum { READ = 1, WRITE = 2, LVT = 4, ZERO_ONLY = 8 };

/* Registers of x2APIC mode by xAPIC offset: what may be done, and the bits that a write may set. */
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

static uint32_t page_read(struct model *m, uint32_t offset)
{
    return m->host.apic_read(m->host.context, offset);
}

static void page_write(struct model *m, uint32_t offset, uint32_t value)
{
    m->host.apic_write(m->host.context, offset, value);
}

bool model_apic_base_read(struct model *m, unsigned unused, uint64_t *value)
{
    (void)unused;
    *value = APIC_BASE_RESET | APIC_BASE_EN | (m->cpu ? 0 : APIC_BASE_BSP) | (m->p.apic_x2 ? APIC_BASE_EXTD : 0);
    return true;
}

/* From xAPIC to x2APIC is one write; back is only through the disabled state, which nobody here enters. */
bool model_apic_base_write(struct model *m, unsigned unused, uint64_t value)
{
    uint64_t now;
    model_apic_base_read(m, unused, &now);
    bool to_x2 = value == (now | APIC_BASE_EXTD) && m->p.apic_x2_available;
    if (value != now && !to_x2)
        return false;
    m->p.apic_x2 |= to_x2;
    return true;
}

static uint32_t logical_destination(uint32_t id)
{
    return (id >> 4) << 16 | 1u << (id & 15);
}

bool model_x2apic_read(struct model *m, unsigned index, uint64_t *value)
{
    uint32_t offset = index << 4;
    const struct register_rule *rule = rule_of(offset);
    bool command = offset == OFFSET_ICR;
    if (!m->p.apic_x2 || !m->host.apic_read || (!command && (!rule || !(rule->may & READ))))
        return false;
    if (offset == OFFSET_ID)
        *value = page_read(m, OFFSET_ID) >> 24;
    else if (offset == 0x0d0)
        *value = logical_destination(page_read(m, OFFSET_ID) >> 24);
    else if (command)
        *value = (uint64_t)(page_read(m, OFFSET_ICR_HIGH) >> 24) << 32 | page_read(m, OFFSET_ICR);
    else
        *value = page_read(m, offset);
    return true;
}

/* Software disable sets every mask bit, and no write clears one until the APIC is enabled again. */
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
    page_write(m, OFFSET_ICR_HIGH, (uint32_t)(value >> 32) << 24);
    page_write(m, OFFSET_ICR, (uint32_t)value);
    return true;
}

bool model_x2apic_write(struct model *m, unsigned index, uint64_t value)
{
    uint32_t offset = index << 4;
    const struct register_rule *rule = rule_of(offset);
    if (!m->p.apic_x2 || !m->host.apic_write)
        return false;
    if (offset == OFFSET_ICR)
        return write_command(m, value);
    if (!rule || !(rule->may & WRITE) || (rule->may & ZERO_ONLY && value) || (value & ~(uint64_t)rule->bits && value))
        return false;
    write_rule(m, rule, offset, (uint32_t)value);
    return true;
}

/* LVTPC in xAPIC mode: reserved bits are not kept, delivery status is not written, and disabled means masked. */
void model_apic_written(struct model *m)
{
    const struct register_rule *rule = rule_of(OFFSET_LVTPC);
    uint32_t stored = page_read(m, OFFSET_LVTPC);
    uint32_t kept = stored & rule->bits & ~(uint32_t)LVT_STATUS;
    if (!(page_read(m, OFFSET_SVR) & SPURIOUS_ENABLE))
        kept |= LVT_MASKED;
    if (kept != stored)
        page_write(m, OFFSET_LVTPC, kept);
}
