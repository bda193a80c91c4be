/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The monitor's own memory: reserved in every memory map that a foreign guest is given, and no access of the guest's
 * may reach it. This is the list of its pieces, for code that acts in the guest's place; nested.c unmaps them for the
 * guest itself.
 */
#pragma once

#include "hosting/monitor/vcpu.h"

/* Adds [base, end), whole pages, before a foreign guest runs. False: too many pieces. */
bool hidden_add(u64 base, u64 end);
/* Is that physical address the monitor's? */
bool hidden_has(u64 physical);
/* Records in v->stray that the guest is about to access it; the code that resumes the guest logs it. */
void hidden_note(struct vcpu *v, u64 physical, bool store);
