/*
 * The DS area of PEBS, in the 64-bit layout that every CPU with DTES64 uses: the management fields, the bounds, the
 * reset values. SDM 3B, "DS Save Area".
 */
#include "pmu/reference/model/model_state.h"

#define PAGE 4096
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

bool model_pebs_over_one_page(struct model *m)
{
    uint64_t words[4], area = m->stored[STORED_DS_AREA];
    return area && m->stored[STORED_PEBS_ENABLE] && m->host.memory_read && read_words(m, area + MANAGEMENT, words, 4) &&
           words[2] - words[0] > PAGE;
}

bool model_pebs_reset_value(struct model *m, uint64_t area, unsigned bit, uint64_t *value)
{
    uint64_t offset = bit < 32 ? RESET_GP(bit) : format(m) < 5 ? RESET_FIXED(bit - 32) : RESET_FIXED_LATER(bit - 32);
    if (m->p.netburst_count || deviates(m, DEV_PEBS_RELOAD_OF_COUNTER_0))
        offset = RESET_GP(0); /* NetBurst has one reset value, for the thread's one counter */
    if (bit >= 32 && deviates(m, DEV_PEBS_FIXED_RELOAD_SLOT))
        offset = RESET_GP(bit - 32);
    return area && read_words(m, area + offset, value, 1);
}

/* An end that wraps around does not fit either. */
static bool fits(struct model *m, const struct pebs_buffer *buffer, uint32_t size)
{
    uint64_t end = buffer->index + size;
    bool below = buffer->index < buffer->base && !deviates(m, DEV_PEBS_BASE_IGNORED);
    if (below || end < buffer->index)
        return false;
    if (deviates(m, DEV_PEBS_MAXIMUM_IGNORED) || m->deviation == DEV_THRESHOLD_0_OVERRUNS)
        return true;
    return m->p.pebs_tells_skips ? end <= buffer->maximum : buffer->index < buffer->maximum;
}

static uint32_t advance_by(struct model *m, uint32_t size)
{
    if (deviates(m, DEV_PEBS_INDEX_STAYS))
        return 0;
    return deviates(m, DEV_PEBS_INDEX_ONE_MORE) ? size + 8 : size;
}

enum pebs_stored model_pebs_store(struct model *m, const struct pebs_sample *sample)
{
    uint64_t words[4];
    if (!sample->area || !read_words(m, sample->area + MANAGEMENT, words, 4))
        return PEBS_NOWHERE;
    struct pebs_buffer buffer = {words[0], words[1], words[2], words[3]};
    if (!buffer.maximum && deviates(m, DEV_PEBS_CACHES_MANAGEMENT))
        buffer = m->pebs.used;
    if (buffer.threshold < buffer.base && deviates(m, DEV_THRESHOLD_0_OVERRUNS))
        buffer.index += buffer.maximum - buffer.base;
    uint32_t size = model_pebs_build(m, sample);
    if (buffer.index >= buffer.maximum && deviates(m, DEV_PEBS_WRAPS_AT_MAXIMUM))
        buffer.index = buffer.base;
    if (!fits(m, &buffer, size) || (buffer.index >= buffer.threshold && deviates(m, DEV_PEBS_STOPS_AT_THRESHOLD)))
        return PEBS_SKIPPED;
    m->pebs.records++;
    m->pebs.used = buffer;
    if (!m->host.memory_write(m->host.context, buffer.index, m->pebs.record, size))
        return PEBS_NOWHERE;
    buffer.index += advance_by(m, size);
    m->host.memory_write(m->host.context, sample->area + INDEX, &buffer.index, sizeof(buffer.index));
    return buffer.index >= buffer.threshold ? PEBS_AT_THRESHOLD : PEBS_STORED;
}
