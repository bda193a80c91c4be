/* Deviations that are other data, in this file: what CPUID leaf 23H says. */
#include "pmu/reference/model/model_state.h"

enum { EAX, EBX };
enum { SUBLEAVES = 0, COUNTERS = 1, RELOAD = 2, EVENTS = 3, SAMPLING = 5 };

/* A sub-leaf's registers; one that the profile has not is added, all zeros. NULL: no room, or no leaf 23H. */
static uint32_t *subleaf(struct profile *p, uint32_t number)
{
    for (unsigned i = 0; i < LEAVES_MAX; i++) {
        struct profile_leaf *row = &p->leaves[i];
        if (!row->leaf && p->leaf7_1_eax && p->max_leaf >= 0x23)
            *row = (struct profile_leaf){.leaf = 0x23, .subleaf = number};
        if (!row->leaf || (row->leaf == 0x23 && row->subleaf == number))
            return row->leaf ? row->value : NULL;
    }
    return NULL;
}

/* A mask of a sub-leaf that names a counter which sub-leaf 1 does not. */
static void name_absent(struct profile *p, uint32_t number)
{
    uint32_t *valid = subleaf(p, SUBLEAVES), *have = subleaf(p, COUNTERS), *mask = subleaf(p, number);
    if (!valid || !have || !mask)
        return;
    valid[EAX] |= (uint32_t)BIT(number);
    mask[EAX] |= have[EAX] + 1;
    mask[EBX] |= (uint32_t)BIT(FIXED_MAX);
}

static void hide(struct profile *p, uint32_t number, unsigned reg, uint32_t bits)
{
    uint32_t *value = subleaf(p, number);
    if (value)
        value[reg] &= ~bits;
}

void model_deviate_leaf_23(struct model *m)
{
    switch (m->deviation) {
    case DEV_LEAF_23_EMPTY:
        hide(&m->p, SUBLEAVES, EAX, (uint32_t)BIT(COUNTERS));
        break;
    case DEV_LEAF_23_GP_MISSING:
        hide(&m->p, COUNTERS, EAX, (uint32_t)BIT(0));
        break;
    case DEV_LEAF_23_FIXED_MISSING:
        hide(&m->p, COUNTERS, EBX, (uint32_t)BIT(2));
        break;
    case DEV_LEAF_23_EVENT_MISSING:
        hide(&m->p, EVENTS, EAX, (uint32_t)BIT(5));
        break;
    case DEV_LEAF_23_RELOAD_ABSENT:
        name_absent(&m->p, RELOAD);
        break;
    case DEV_LEAF_23_SAMPLING_ABSENT:
        name_absent(&m->p, SAMPLING);
        break;
    }
}
