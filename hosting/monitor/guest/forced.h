/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The prefix by which a guest of KVM asks for the next instruction to be carried out in its place: UD2 and the letters
 * "kvm" (KVM's parameter force_emulation_prefix). Here the guest's CPU executes it, and it is counted once.
 */
#pragma once

#include "hosting/monitor/vcpu.h"

enum forced { FORCED_NOT, FORCED_ONCE, FORCED_TWICE }; /* not offered; counted once; a defect: the prefix counts, too */
/* Before the guest starts. */
void forced_offer(enum forced forced);
bool forced_offered(void);
/* At the guest's #UD: was that the prefix? Then the guest continues behind it. */
bool forced_prefix(struct vcpu *v, struct frame *f);
