/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a counter that has sampled alone on hardware must have left: whole records, one after the other from the base up
 * to the index, not more than overflows and not far fewer; each of an instruction of the scene, with the registers that
 * no operation changes; nothing behind them; and the bit of STATUS only if the index has reached the threshold. When
 * each record came is not asked. SDM 3B, "Processor Event Based Sampling (PEBS)", "Architectural PEBS".
 */
#include "kernel/text/text.h"
#include "pmu/area/ds.h"
#include "reference/lockstep/player.h"

#define LATE_MOST 1024 /* events from an overflow until its record, at most: the longest skid known is a tenth */

static void differs(struct player *p, u32 offset, u64 want, u64 got)
{
    player_differs(p, DIFFERENCE_RECORD, want, got);
    p->difference->number = 0;
    p->difference->step = offset;
}

/* ---- Where the records are. */

struct records {
    const u8 *first; /* as the CPU has left them */
    u32 offset;      /* of the first, in the area */
    u64 bytes, seen; /* of all; and when the index was read before STATUS */
};

static bool is_architectural(const struct run_sampling *scene)
{
    return scene->format == PEBS_FORMAT_ARCHITECTURAL;
}

static struct records records_of(const struct player *p)
{
    bool architectural = is_architectural(&p->run->sampling);
    u32 offset = architectural ? 0 : LOCKSTEP_BUFFER;
    u64 base = p->o->places.records + offset, index;
    memcpy(&index, p->run->area + 8 * DS_PEBS_INDEX, sizeof(index));
    return (struct records){.first = p->run->area + offset,
                            .offset = offset,
                            .bytes = architectural ? apebs_written(p->noted[2]) : index - base,
                            .seen = architectural ? apebs_written(p->noted[0]) : p->noted[0] - base};
}

/* Is the rest of the area, except the index in the management area, as it was before? */
static bool keeps_rest(struct player *p, const struct records *records)
{
    const u8 *expected = p->o->memory, *found = p->run->area;
    u64 end = records->offset + records->bytes;
    for (u32 offset = 0; offset < LOCKSTEP_AREA; offset += sizeof(u64)) {
        u64 want, got;
        bool index = records->offset && offset == 8 * DS_PEBS_INDEX;
        if (index || (offset >= records->offset && offset < end))
            continue;
        memcpy(&want, expected + offset, sizeof(want));
        memcpy(&got, found + offset, sizeof(got));
        if (want == got || is_architectural(&p->run->sampling))
            continue;
        differs(p, offset, want, got);
        return false;
    }
    return true;
}

/* ---- One record. */

/* From the code of one operation to its end. */
static bool in_code(u64 ip, unsigned op, u8 cpl)
{
    const struct code_row *first = player_rows_of(op, cpl), *last = first;
    while (last->kind != KIND_GO && last->kind != KIND_TO_USER && last->kind != KIND_FROM_USER)
        last++;
    return ip - first->at <= last->at - first->at;
}

/* A model that plays hardware does not know each word, either. While the counter was on, or later if it was stopped
 * while a record was to come. */
static bool in_scene(u64 ip)
{
    static const struct {
        u8 op, cpl;
    } ops[] = {{OP_WRMSR, 0},   {OP_LOOP, 0},      {OP_SETTLE, 0},     {OP_LOOP, 3},
               {OP_TO_USER, 0}, {OP_FROM_USER, 3}, {OP_ENTRY_BACK, 0}, {OP_ENTRY_BACK, 3}};
    for_each_row (ops, row)
        if (in_code(ip, row->op, row->cpl))
            return true;
    return player_is_unknown(ip);
}

static bool keeps_registers(const struct player *p, const struct pebs_record *record)
{
    const struct run_sampling *scene = &p->run->sampling;
    u64 step = (record->reg[PEBS_RSI] - (u64)p->run->body) / sizeof(struct lockstep_step), room = (u64)p->run->memory;
    return record->reg[PEBS_RBP] == WALK_RBP && record->reg[PEBS_R8] == WALK_RBP + 1 &&
           record->reg[PEBS_R9] == WALK_RBP + 2 && record->reg[PEBS_R10] == WALK_RBP + 3 &&
           record->reg[PEBS_RBX] == room && record->reg[PEBS_R14] == room && record->reg[PEBS_RSP] &&
           (player_is_unknown(record->reg[PEBS_RSI]) || (step >= scene->starts && step <= scene->reads));
}

/* NULL, or the word that is wrong. */
static const u64 *wrong_in(const struct player *p, const struct pebs_record *record)
{
    const struct run_sampling *scene = &p->run->sampling;
    if (!in_scene(record->ip))
        return &record->ip;
    if (record->has & PEBS_HAS_EVENTING && !in_scene(record->eventing_ip))
        return &record->eventing_ip;
    if (record->has & PEBS_HAS_COUNTERS && !(record->applicable >> scene->bit & 1))
        return &record->applicable;
    if (record->has & PEBS_HAS_REGISTERS && !keeps_registers(p, record))
        return &record->reg[PEBS_RSI];
    if (record->has & PEBS_HAS_REGISTERS && !record->flags)
        return &record->flags;
    return record->has & PEBS_HAS_TSC && !record->tsc ? &record->tsc : NULL;
}

/* Takes the record at *at. False: it is the end, or there is none, which differs. */
static bool take_record(struct player *p, const struct records *records, u64 *at)
{
    const struct run_sampling *scene = &p->run->sampling;
    struct pebs_record record;
    bool whole = pebs_decode(scene->format, records->first + *at, records->bytes - *at, &record);
    u32 offset = records->offset + (u32)*at;
    *at += whole ? record.size : record.padding;
    if (!whole && record.padding && *at == records->bytes)
        return false;
    if (!whole || (scene->size && record.size != scene->size) || record.walked > record.size ||
        (is_architectural(scene) ? (record.head & scene->groups) != scene->groups
                                 : scene->format >= PEBS_FORMAT_ADAPTIVE && record.groups != scene->groups)) {
        differs(p, offset, scene->size, record.size);
        return false;
    }
    const u64 *wrong = wrong_in(p, &record);
    if (wrong)
        differs(p, offset, 0, *wrong);
    return !wrong;
}

/* ---- All together. */

/* The least and the most number of records. */
static u64 least(const struct run_sampling *scene)
{
    if (scene->strange)
        return 0;
    u64 needed = scene->before + LATE_MOST;
    u64 count = scene->events < needed ? 0 : 1 + (scene->events - needed) / (scene->period + LATE_MOST);
    return scene->whole && scene->whole < count ? scene->whole : count;
}

static u64 most(const struct run_sampling *scene)
{
    if (scene->strange)
        return ~0ull;
    u64 events = scene->events + scene->around, room = scene->whole + scene->one_more;
    u64 count = events < scene->before ? 0 : 1 + (events - scene->before) / scene->period;
    return scene->whole && room < count ? room : count;
}

/* After a record the counter goes on from its reset value. Without any it has not been reloaded. */
static bool value_fits(struct player *p, u64 count)
{
    const struct run_sampling *scene = &p->run->sampling;
    u64 from = count ? scene->reset : scene->start, mask = scene->reset | (scene->period - 1), value = p->noted[3];
    if (scene->whole || scene->strange ||
        ((value - from) & mask) <= (count ? scene->period + LATE_MOST : scene->events + scene->around))
        return true;
    player_differs(p, DIFFERENCE_VALUE, from, value);
    p->difference->op = OP_RDMSR;
    p->difference->number = scene->bit < 32 ? MSR_PMC(scene->bit) : MSR_FIXED_CTR(scene->bit - 32);
    return false;
}

static bool threshold_fits(struct player *p, const struct records *records)
{
    const struct run_sampling *scene = &p->run->sampling;
    u64 bit = is_architectural(scene) ? STATUS_ARCH_PEBS : STATUS_OVF_BUFFER, status = p->noted[1];
    bool full = scene->whole && records->bytes >= scene->whole * scene->size; /* some CPUs tell that they skip */
    bool may = full || (scene->threshold && records->bytes >= scene->threshold);
    bool must = scene->threshold && records->seen >= scene->threshold && scene->format; /* AG69, AJ69 */
    if (status & bit ? may : !must)
        return true;
    player_differs(p, DIFFERENCE_VALUE, may ? bit : 0, status);
    p->difference->op = OP_RDMSR;
    p->difference->number = MSR_PERF_GLOBAL_STATUS;
    return false;
}

void player_compare_samples(struct player *p)
{
    const struct run_sampling *scene = &p->run->sampling;
    if (!scene->there || !p->run->area || p->noted_count < SAMPLING_READS)
        return;
    struct records records = records_of(p);
    u64 count = 0, at = 0;
    p->o->vague = true;
    if (records.bytes > LOCKSTEP_AREA - LOCKSTEP_BUFFER) {
        differs(p, 8 * DS_PEBS_INDEX, records.offset, records.bytes);
        return;
    }
    if (!keeps_rest(p, &records))
        return;
    while (at < records.bytes && take_record(p, &records, &at))
        count++;
    if (p->difference->kind)
        return;
    if (count < least(scene) || count > most(scene))
        differs(p, 8 * DS_PEBS_INDEX, count < least(scene) ? least(scene) : most(scene), count);
    else if (value_fits(p, count))
        threshold_fits(p, &records);
}
