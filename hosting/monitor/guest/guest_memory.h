/* SPDX-License-Identifier: BSD-2-Clause */
/* The guest's memory by linear addresses, and accesses by the monitor that may fault. */
#pragma once

#include "hosting/monitor/vcpu.h"
#include "reference/step/access.h"

/* False if part of the range is not mapped. */
bool guest_read(struct vcpu *v, void *to, u64 linear, u64 count);
bool guest_write(struct vcpu *v, u64 linear, const void *from, u64 count);
/*
 * Begins a new view. While the guest is viewed, guest_load(), guest_store() and guest_view_fetch() see its memory from
 * outside, with the rights of v->vmcb->cpl; the page tables are assumed not to change meanwhile.
 */
void guest_view(struct vcpu *v);
u64 guest_view_number(const struct vcpu *v); /* number of the current view */
/* The 16 bytes of an instruction through the view; false if they are not all readable, or must not be executed. */
bool guest_view_fetch(struct vcpu *v, u64 to[2], u64 rip);
/*
 * Are the `count` bytes at `rip`, code that may be or could be executed, the same as `bytes`? At most a page. If `rip`
 * is no longer mapped, CR2 has changed.
 */
bool guest_code_is(struct vcpu *v, u64 rip, const void *bytes, u64 count);
/* Is all of [base, end) mapped at its own address, for the supervisor to read, write and execute? */
bool guest_identity(const struct vcpu *v, u64 base, u64 end);
