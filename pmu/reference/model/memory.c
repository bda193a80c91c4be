/*
 * Memory operands: loads and stores as the host reports them, one each an instruction. How long a load takes, and from
 * where it is served, is a pattern over its address: nothing is cached here.
 */
#include "pmu/reference/model/model_state.h"

#define LATENCY_LEAST 4
#define LATENCY_SPREAD 96
#define LATENCY_L2 12 /* from here on */
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

void model_memory_of(struct model *m, const struct retired *instruction, uint32_t happened[])
{
    bool load = instruction->access & ACCESS_LOAD;
    uint64_t least = m->stored[STORED_PEBS_LD_LAT] & PEBS_LD_LAT_THRESHOLD;
    if (deviates(m, DEV_LD_LAT_IGNORED))
        least = 0;
    happened[EVENT_LOADS] = load;
    happened[EVENT_STORES] = (instruction->access & ACCESS_STORE) != 0;
    happened[EVENT_LOAD_LATENCY] = load && model_load_latency(instruction->address) >= least;
}

bool model_wants_memory(const struct model *m)
{
    return m->memory;
}
