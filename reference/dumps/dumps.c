/* SPDX-License-Identifier: BSD-2-Clause */
#include "reference/dumps/dumps.h"

const struct profile *dump_like(const struct dumped_cpu *cpu)
{
    return model_profile(dumped_cores[cpu->first_core].like);
}

static bool make(struct profile *p, const struct dumped_core *core)
{
    const struct profile *like = model_profile(core->like);
    for (unsigned n = core->kind; like && n; n--)
        like = like->second;
    if (!like)
        return false;
    *p = *like;
    p->second = NULL;
    return packed_take(p, &dumped_words[core->first_word], core->words, dumped_texts, dumped_texts_size);
}

const struct profile *dump_profile(const struct dumped_cpu *cpu, struct profile room[DUMPED_CORES_MOST])
{
    for (unsigned n = 0; n < cpu->cores; n++) {
        if (n == DUMPED_CORES_MOST || !make(&room[n], &dumped_cores[cpu->first_core + n]))
            return NULL;
        if (n)
            room[n - 1].second = &room[n];
    }
    return room;
}
