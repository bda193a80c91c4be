#include "harness/budget.h"

static const struct budget quick_budget = {.us = 20000, .repeats = 20, .timeout_ms = 10000};
static const struct budget normal_budget = {.us = 100000, .repeats = 100, .timeout_ms = 20000};

/* A proof shows each defect in every repeat; a hundred runs of all tests are to be done in minutes. */
static const struct budget proof_budget = {.us = 2000, .repeats = 5, .timeout_ms = 3000};

static bool quick_set, proof_set;

struct budget budget(void)
{
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
