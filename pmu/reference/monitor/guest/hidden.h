/*
 * The monitor's own memory: reserved in every map that a foreign guest is given, and none of its accesses may reach it.
 * Here stands which it is, for who accesses in the guest's place; nested.c takes it out of what the CPU translates.
 */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

/* [base, end), of whole pages, before there is a foreign guest. False: too many pieces. */
bool hidden_add(u64 base, u64 end);
/* Is that physical address in it? */
bool hidden_has(u64 physical);
/* Notes in v->stray that the guest is about to access it, for who goes on with the guest to tell. */
void hidden_note(struct vcpu *v, u64 physical, bool store);
