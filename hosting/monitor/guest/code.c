/* SPDX-License-Identifier: BSD-2-Clause */
#include "hosting/monitor/guest/code.h"
#include "kernel/register/instructions.h"
#include "kernel/text/text.h"

/* The code is read-only to the monitor; a foreign guest's page tables, while they are loaded, let it be written. */
void code_store(const struct vcpu *v, u8 *to, const u8 *from, unsigned count)
{
    bool own = !is_foreign(v) || !v->in_stub;
    u64 cr0 = own ? read_cr0() : 0;
    if (own)
        write_cr0(cr0 & ~CR0_WP);
    memcpy(to, from, count);
    if (own)
        write_cr0(cr0);
}
