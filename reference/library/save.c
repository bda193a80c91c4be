/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Saves an instance's state as bytes, and loads it again. What a reset makes from profile and choices (rules, the
 * profile's copy, callbacks, pointers, what counts now) is made, not saved: a load goes on from a reset instance.
 *
 * The bytes: struct header, the model's fields in the order of FIELDS, and, if the core is shared, the core's state.
 * All numbers are little-endian, as the machines are on which the model runs. No byte is trusted: each field that the
 * model uses as an index or as a bool has its greatest value here, and all are looked at before anything is changed.
 */
#include "reference/library/instance.h"

#define FORMAT 2 /* a change of what is saved has another number */
#define MAGIC "PMUMODEL"

struct header {
    char magic[8];
    uint32_t format, length; /* of all bytes */
    uint32_t crc;            /* CRC-32 of all bytes behind this field */
    uint32_t cpu, cpus, tsc_khz, microcode, shared;
    char profile[32];
};

#define EVERY 0xff /* any byte may be there */
#define FIELDS(FIELD)                     \
    FIELD(controls.evtsel, EVERY)         \
    FIELD(controls.stored, EVERY)         \
    FIELD(counters.pmc, EVERY)            \
    FIELD(counters.fixed, EVERY)          \
    FIELD(status.bits, EVERY)             \
    FIELD(machine.smi_count, EVERY)       \
    FIELD(machine.mperf_offset, EVERY)    \
    FIELD(machine.aperf_offset, EVERY)    \
    FIELD(machine.asleep, EVERY)          \
    FIELD(machine.slept_at, EVERY)        \
    FIELD(machine.tsx_force_abort, EVERY) \
    FIELD(alias.cfg_b, EVERY)             \
    FIELD(alias.cfg_c, EVERY)             \
    FIELD(lbr.from, EVERY)                \
    FIELD(lbr.to, EVERY)                  \
    FIELD(lbr.info, EVERY)                \
    FIELD(lbr.ctl, EVERY)                 \
    FIELD(lbr.since, EVERY)               \
    FIELD(lbr.tos, LBR_MAX - 1)           \
    FIELD(lbr.depth, LBR_MAX)             \
    FIELD(lbr.logged, 3)                  \
    FIELD(lbr.open, 1)                    \
    FIELD(lbr.was_off, 1)                 \
    FIELD(sharing.own.netburst, EVERY)    \
    FIELD(sharing.own.cccr, EVERY)        \
    FIELD(sharing.own.escr, EVERY)        \
    FIELD(sharing.own.stored, EVERY)      \
    FIELD(sharing.own.changes, EVERY)     \
    FIELD(sharing.own.running, EVERY)     \
    FIELD(sharing.own.asked, EVERY)       \
    FIELD(sharing.own.counting, EVERY)    \
    FIELD(sharing.own.handed, EVERY)      \
    FIELD(sharing.own.filter, EVERY)      \
    FIELD(sharing.own.microcode, EVERY)   \
    FIELD(sharing.seen, EVERY)            \
    FIELD(retire.started, EVERY)          \
    FIELD(retire.uncounted, EVERY)        \
    FIELD(retire.cpl, 3)                  \
    FIELD(events.retired, EVERY)          \
    FIELD(events.rare_since, EVERY)       \
    FIELD(events.rare, EVERY)             \
    FIELD(events.branches, EVERY)         \
    FIELD(events.cycles, EVERY)           \
    FIELD(events.was_true, 1)             \
    FIELD(events.ref_part, EVERY)         \
    FIELD(events.crystal_part, EVERY)     \
    FIELD(events.step_part, EVERY)        \
    FIELD(events.throttle_part, EVERY)    \
    FIELD(events.halted_at, EVERY)        \
    FIELD(predictor.place, 3)             \
    FIELD(predictor.wrong, EVERY)         \
    FIELD(predictor.calls, EVERY)         \
    FIELD(predictor.jumps, EVERY)         \
    FIELD(predictor.returns, EVERY)       \
    FIELD(predictor.rings, 3)             \
    FIELD(topdown.metric, EVERY)          \
    FIELD(topdown.held_up, EVERY)         \
    FIELD(memory.loads, EVERY)            \
    FIELD(memory.stores, EVERY)           \
    FIELD(pmi.countdown, EVERY)           \
    FIELD(pmi.raised, EVERY)              \
    FIELD(pmi.cause, RETIRED_XBEGIN)      \
    FIELD(pmi.cause_cpl, 3)               \
    FIELD(lapic.mode, EVERY)              \
    FIELD(lapic.cmci, EVERY)              \
    FIELD(trace.value, EVERY)             \
    FIELD(trace.entry, EVERY)             \
    FIELD(trace.on, 1)                    \
    FIELD(trace.turned_on, 1)             \
    FIELD(trace.begins, 1)                \
    FIELD(trace.open, 1)                  \
    FIELD(trace.target_due, 1)            \
    FIELD(transaction.open, 1)            \
    FIELD(transaction.began, EVERY)       \
    FIELD(pebs.sampling, EVERY)           \
    FIELD(pebs.armed, EVERY)              \
    FIELD(pebs.occurred, EVERY)           \
    FIELD(pebs.wait, EVERY)               \
    FIELD(pebs.arms, EVERY)               \
    FIELD(pebs.area, EVERY)               \
    FIELD(pebs.groups, EVERY)             \
    FIELD(pebs.waiting, 1)                \
    FIELD(pebs.captured, 1)               \
    FIELD(pebs.due, EVERY)                \
    FIELD(pebs.residual, EVERY)           \
    FIELD(pebs.before, EVERY)             \
    FIELD(pebs.records, EVERY)

struct field {
    uint16_t offset, bytes;
    uint8_t most;  /* the greatest value of an element, or EVERY */
    uint8_t width; /* bytes of an element; only of fields that have a greatest value */
};

/* Fields with a greatest value are bytes, bools, or this enum. */
#define ROW(member, greatest)                                            \
    {.offset = offsetof(struct model, member),                           \
     .bytes = sizeof(((struct model *)0)->member),                       \
     .most = (greatest),                                                 \
     .width = _Generic(&((struct model *)0)->member, enum retired_kind * \
                       : sizeof(enum retired_kind), default : 1)},
static const struct field fields[] = {FIELDS(ROW)};

#define PLUS(member, greatest) +sizeof(((struct model *)0)->member)
enum { FIELD_BYTES = 0 FIELDS(PLUS) };
_Static_assert(FIELD_BYTES == 4583 && sizeof(struct header) == 72 && sizeof(struct model_core) == 1072,
               "what is saved has changed: raise FORMAT");

static const struct model_core *shared_core(const struct model *m)
{
    return m->sharing.pair == &m->sharing.own ? NULL : m->sharing.pair;
}

/* Four bits at a time. */
static uint32_t crc32_of(const uint8_t *bytes, size_t count)
{
    static const uint32_t of[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
        0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };
    uint32_t crc = ~0u;
    while (count--) {
        crc ^= *bytes++;
        crc = crc >> 4 ^ of[crc & 15];
        crc = crc >> 4 ^ of[crc & 15];
    }
    return ~crc;
}

/* Of all bytes, as they stand there. */
static uint32_t checksum(const void *bytes, size_t length)
{
    size_t first = offsetof(struct header, crc) + sizeof(uint32_t);
    return crc32_of((const uint8_t *)bytes + first, length - first);
}

/* The header that this instance's bytes have, but for the checksum. */
static struct header header_of(const struct model *m)
{
    bool shared = shared_core(m);
    struct header header = {
        .magic = MAGIC,
        .format = FORMAT,
        .length = sizeof(header) + FIELD_BYTES + (shared ? sizeof(struct model_core) : 0),
        .cpu = m->cpu,
        .cpus = m->cpus,
        .tsc_khz = m->tsc_khz,
        .microcode = m->made.microcode,
        .shared = shared,
    };
    for (size_t i = 0; i < sizeof(header.profile) - 1 && m->made.kind->name[i]; i++)
        header.profile[i] = m->made.kind->name[i];
    return header;
}

enum pmumodel_error pmumodel_save(const struct pmumodel *pmu, void *to, size_t room, size_t *size)
{
    const struct model *m = &pmu->model;
    struct header header = header_of(m);
    uint8_t *at = (uint8_t *)to + sizeof(header);
    *size = header.length;
    if (pmu->deviates)
        return PMUMODEL_DEVIATES;
    if (room < header.length)
        return PMUMODEL_NO_ROOM;
    for_each_row (fields, field) {
        __builtin_memcpy(at, (const uint8_t *)m + field->offset, field->bytes);
        at += field->bytes;
    }
    if (header.shared)
        __builtin_memcpy(at, shared_core(m), sizeof(struct model_core));
    __builtin_memcpy(to, &header, sizeof(header));
    header.crc = checksum(to, header.length);
    __builtin_memcpy(to, &header, sizeof(header));
    return PMUMODEL_OK;
}

/* ---- Load */

/* Is a field's value one that the model may have? */
static bool fits(const struct field *field, const uint8_t *at)
{
    for (size_t i = 0; i < field->bytes && field->most != EVERY; i += field->width) {
        uint32_t value = 0;
        __builtin_memcpy(&value, at + i, field->width);
        if (value > field->most)
            return false;
    }
    return true;
}

/* The bytes of a field, in what was saved. */
static const uint8_t *saved(const uint8_t *bytes, size_t offset)
{
    for_each_row (fields, field) {
        if (field->offset == offset)
            return bytes;
        bytes += field->bytes;
    }
    return NULL;
}

/* What the model does only with some profiles and callbacks must not be under way without these. */
static bool suits(const struct model *m, const uint8_t *bytes)
{
    uint64_t mode;
    __builtin_memcpy(&mode, saved(bytes, offsetof(struct model, lapic.mode)), sizeof(mode));
    bool x2 = mode == (APIC_BASE_EN | APIC_BASE_EXTD);
    if (mode && mode != APIC_BASE_EN && !(x2 && (m->p.apic_x2 || (m->p.apic_x2_available && m->host.apic_read))))
        return false;
    bool records = m->host.registers &&
                   (model_apebs(m) ? m->host.physical_write != NULL : m->host.memory_read && m->host.memory_write);
    return records || !*saved(bytes, offsetof(struct model, pebs.waiting));
}

static enum pmumodel_error look_at_header(const struct model *m, const struct header *header, size_t size)
{
    struct header own = header_of(m);
    if (size < sizeof(*header) || __builtin_memcmp(header->magic, own.magic, sizeof(own.magic)))
        return PMUMODEL_NOT_SAVED;
    if (header->format != FORMAT)
        return PMUMODEL_OTHER_FORMAT;
    if (header->length != size)
        return PMUMODEL_DAMAGED;
    bool same = header->cpu == own.cpu && header->cpus == own.cpus && header->tsc_khz == own.tsc_khz &&
                header->shared == own.shared && !__builtin_memcmp(header->profile, own.profile, sizeof(own.profile));
    return same ? PMUMODEL_OK : PMUMODEL_OTHER_CPU;
}

static enum pmumodel_error look_at(const struct model *m, const void *from, size_t size, struct header *header)
{
    const uint8_t *at = (const uint8_t *)from + sizeof(*header);
    __builtin_memset(header, 0, sizeof(*header));
    __builtin_memcpy(header, from, size < sizeof(*header) ? size : sizeof(*header));
    enum pmumodel_error error = look_at_header(m, header, size);
    if (error != PMUMODEL_OK && error != PMUMODEL_OTHER_CPU)
        return error;
    size_t length = sizeof(*header) + FIELD_BYTES + (header->shared ? sizeof(struct model_core) : 0);
    if (header->shared > 1 || size != length || checksum(from, size) != header->crc)
        return PMUMODEL_DAMAGED;
    if (error)
        return error;
    const uint8_t *first = at;
    for_each_row (fields, field) {
        if (!fits(field, at))
            return PMUMODEL_DAMAGED;
        at += field->bytes;
    }
    return suits(m, first) ? PMUMODEL_OK : PMUMODEL_OTHER_CPU;
}

enum pmumodel_error pmumodel_load(struct pmumodel *pmu, const void *from, size_t size)
{
    struct model *m = &pmu->model;
    struct header header;
    if (pmu->deviates)
        return PMUMODEL_DEVIATES;
    enum pmumodel_error error = look_at(m, from, size, &header);
    if (error)
        return error;
    if (header.microcode != m->made.microcode)
        m->made.anew(m, header.microcode);
    const uint8_t *at = (const uint8_t *)from + sizeof(header);
    for_each_row (fields, field) {
        __builtin_memcpy((uint8_t *)m + field->offset, at, field->bytes);
        at += field->bytes;
    }
    if (header.shared)
        __builtin_memcpy(m->sharing.pair, at, sizeof(struct model_core));
    model_settle(m);
    return PMUMODEL_OK;
}
