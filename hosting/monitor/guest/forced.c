/* SPDX-License-Identifier: BSD-2-Clause */
#include "hosting/monitor/guest/forced.h"
#include "hosting/monitor/guest/guest.h"
#include "hosting/monitor/guest/guest_memory.h"
#include "hosting/monitor/guest/retire.h"
#include "kernel/text/text.h"

static enum forced offered;

void forced_offer(enum forced forced)
{
    offered = forced;
}

bool forced_offered(void)
{
    return offered != FORCED_NOT;
}

bool forced_prefix(struct vcpu *v, struct frame *f)
{
    static const u8 prefix[] = {0x0f, 0x0b, 'k', 'v', 'm'};
    u8 bytes[sizeof(prefix)];
    u64 rip = f->rip;
    if (!forced_offered() || !runs_code64(v) || !guest_read(v, bytes, rip, sizeof(bytes)) ||
        memcmp(bytes, prefix, sizeof(bytes)))
        return false;
    f->rip += sizeof(prefix);
    if (offered == FORCED_TWICE && is_stepped(v))
        retire(v, f, RETIRED_BRANCH, rip, f->cs & 3, true);
    return true;
}
