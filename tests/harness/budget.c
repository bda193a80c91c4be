#include "harness/budget.h"

static const struct budget quick_budget = {.us = 20000, .repeats = 20};
static const struct budget normal_budget = {.us = 100000, .repeats = 100};

static bool quick_set;

struct budget budget(void)
{
    return quick_set ? quick_budget : normal_budget;
}

void budget_set_quick(bool quick)
{
    quick_set = quick;
}
