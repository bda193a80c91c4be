/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The DS area of PEBS, in the 64-bit layout of all CPUs with DTES64: the management fields with the bounds and the
 * reset values. SDM 3B, "DS Save Area".
 */
#include "reference/model/model_state.h"

#define MANAGEMENT 0x20 /* PEBS buffer base, index, absolute maximum, interrupt threshold */
#define INDEX 0x28
#define RESET_GP(n) (0x40 + 8 * (n))
#define RESET_FIXED(i) (0x80 + 8 * (i))
#define RESET_FIXED_LATER(i) (0x140 + 8 * (i)) /* since format 5, which has room for 32 GP counters */

static unsigned format(const struct model *m)
{
    return FIELD_GET(m->p.perf_capabilities, 11, 8);
}

static bool read_words(struct model *m, uint64_t address, uint64_t *to, uint32_t count)
{
    return m->host.memory_read(m->host.context, address, to, 8 * count);
}

/* Each counter has a reset value of its own; on NetBurst there is one for the thread's counter. */
uint64_t good_pebs_reset_slot(struct model *m, unsigned bit)
{
    if (m->p.netburst_count)
        return RESET_GP(0);
    return bit < 32 ? RESET_GP(bit) : format(m) < 5 ? RESET_FIXED(bit - 32) : RESET_FIXED_LATER(bit - 32);
}

bool model_pebs_reset_value(struct model *m, uint64_t area, unsigned bit, uint64_t *value)
{
    uint64_t offset = rule(m, pebs_reset_slot)(m, bit);
    return area && read_words(m, area + offset, value, 1);
}

/* The management fields are read again for each record. */
bool good_pebs_buffer(struct model *m, uint64_t area, struct pebs_buffer *buffer)
{
    uint64_t words[4];
    if (!area || !read_words(m, area + MANAGEMENT, words, 4))
        return false;
    *buffer = (struct pebs_buffer){words[0], words[1], words[2], words[3]};
    return true;
}

/*
 * A record fits if the index is between base and absolute maximum; at the maximum itself only on CPUs that report
 * skipped records. A record whose end wraps around does not fit either.
 */
bool good_pebs_fits(struct model *m, const struct pebs_buffer *buffer, uint32_t size)
{
    uint64_t end = buffer->index + size;
    if (buffer->index < buffer->base || end < buffer->index)
        return false;
    return m->p.pebs_tells_skips ? buffer->index <= buffer->maximum : buffer->index < buffer->maximum;
}

/* A record advances the index by its size. */
uint32_t good_pebs_advance(struct model *m, uint32_t size)
{
    (void)m;
    return size;
}

enum pebs_stored model_pebs_store(struct model *m, const struct pebs_sample *sample)
{
    struct pebs_buffer buffer;
    if (!rule(m, pebs_buffer)(m, sample->area, &buffer))
        return PEBS_NOWHERE;
    uint32_t size = model_pebs_build(m, sample);
    if (!rule(m, pebs_fits)(m, &buffer, size))
        return PEBS_SKIPPED;
    m->pebs.records++;
    if (!m->host.memory_write(m->host.context, buffer.index, m->pebs.record, size))
        return PEBS_NOWHERE;
    buffer.index += rule(m, pebs_advance)(m, size);
    m->host.memory_write(m->host.context, sample->area + INDEX, &buffer.index, sizeof(buffer.index));
    return buffer.index >= buffer.threshold ? PEBS_AT_THRESHOLD : PEBS_STORED;
}
