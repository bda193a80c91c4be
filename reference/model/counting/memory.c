/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Memory operands: loads and stores as the host reports them, at most one each per instruction. The latency of a load
 * and its data source are a pattern of its address: no cache is modelled. Of the loads and stores that NetBurst
 * replays, each 4th load misses the first level, each 16th the second, and each 8th load and 8th store the TLB.
 */
#include "reference/model/model_state.h"

#define LATENCY_LEAST 4
#define LATENCY_SPREAD 96
#define LATENCY_L2 12 /* and higher addresses */
#define LATENCY_LLC 40
#define SOURCE_L1 1
#define SOURCE_L2 2
#define SOURCE_LLC 4 /* encodings of the data source: hits */

uint32_t model_load_latency(uint64_t address)
{
    uint32_t mixed = (uint32_t)(address >> 3) * 2654435761u >> 16;
    return LATENCY_LEAST + mixed % LATENCY_SPREAD;
}

uint64_t model_data_source(uint64_t address)
{
    uint32_t latency = model_load_latency(address);
    return latency < LATENCY_L2 ? SOURCE_L1 : latency < LATENCY_LLC ? SOURCE_L2 : SOURCE_LLC;
}

static void replayed(struct model *m, bool load, bool store, uint32_t happened[])
{
    m->memory.loads += load;
    m->memory.stores += store;
    happened[EVENT_L1_MISS] = load && m->memory.loads % 4 == 0;
    happened[EVENT_L2_MISS] = load && m->memory.loads % 16 == 0;
    happened[EVENT_TLB_LOAD_MISS] = load && m->memory.loads % 8 == 0;
    happened[EVENT_TLB_STORE_MISS] = store && m->memory.stores % 8 == 0;
    happened[EVENT_TLB_MISS] = happened[EVENT_TLB_LOAD_MISS] + happened[EVENT_TLB_STORE_MISS];
}

/* Loads by latency take at least MSR_PEBS_LD_LAT. SDM 3B, "Load Latency Performance Monitoring Facility". */
uint64_t good_latency_threshold(struct model *m)
{
    return m->controls.stored[STORED_PEBS_LD_LAT] & PEBS_LD_LAT_THRESHOLD;
}

void model_memory_of(struct model *m, const struct retired *instruction, uint32_t happened[])
{
    bool load = instruction->access & ACCESS_LOAD, store = instruction->access & ACCESS_STORE;
    uint64_t least = rule(m, latency_threshold)(m);
    happened[EVENT_LOADS] = load;
    happened[EVENT_STORES] = store;
    happened[EVENT_PRECISE_STORE] = store;
    happened[EVENT_LOADS_AND_STORES] = load + store;
    happened[EVENT_UOPS] = 1 + store;
    happened[EVENT_LOAD_LATENCY] = load && model_load_latency(instruction->address) >= least;
    if (!m->p.netburst_count)
        return;
    replayed(m, load, store, happened);
    happened[EVENT_TAGGED_0] = model_netburst_executes(m, 0, instruction);
    happened[EVENT_TAGGED_1] = model_netburst_executes(m, 1, instruction);
    happened[EVENT_TAGGED_ANY] = happened[EVENT_TAGGED_0] || happened[EVENT_TAGGED_1];
}

bool model_wants_memory(const struct model *m)
{
    return m->active.memory;
}
