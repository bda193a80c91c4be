#include "harness/budget.h"

static const struct budget quick_budget = {.us = 20000, .repeats = 20, .stretch = 1, .timeout_ms = 10000};
static const struct budget normal_budget = {.us = 100000, .repeats = 100, .stretch = 1, .timeout_ms = 20000};

/* A proof shows each defect in every repeat; a hundred runs of all tests are to be done in minutes. */
static const struct budget proof_budget = {.us = 2000, .repeats = 5, .stretch = 1, .timeout_ms = 3000};

static struct budget soak_budget = {.repeats = 20, .stretch = 1};
static bool quick_set, proof_set, soak_set;

struct budget budget(void)
{
    if (soak_set)
        return soak_budget;
    return proof_set ? proof_budget : quick_set ? quick_budget : normal_budget;
}

void budget_set_proof(bool proof)
{
    proof_set = proof;
}

void budget_set_quick(bool quick)
{
    quick_set = quick;
}

#define CALLS_MOST 8 /* of repeat_clean() in a test, each of which may take all of the time */
#define SOAK_TIMEOUT_MS 20000

void budget_set_soak(u32 us, u32 stretch)
{
    soak_set = true;
    soak_budget.us = us;
    soak_budget.repeats = us < normal_budget.us ? quick_budget.repeats : normal_budget.repeats;
    soak_budget.stretch = stretch;
    soak_budget.timeout_ms = SOAK_TIMEOUT_MS + us / 1000 * CALLS_MOST;
}
