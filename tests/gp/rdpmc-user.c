/*
 * RDPMC at CPL 3 is a general-protection fault while CR4.PCE is 0, as it is here: an operating system decides which
 * programs may see the counters, because counts leak what other programs do.
 */
#include "harness/provoke.h"

static void not_allowed(struct test *t)
{
    for_each_counter (t, c)
        check_fault(t, "allowed", rdpmc_user(c->rdpmc), FAULT_GP, c->msr);
}

TEST("gp.rdpmc-user", .title = "RDPMC at CPL 3 faults while CR4.PCE is 0",
     .spec = "SDM 2B, RDPMC-Read Performance-Monitoring Counters", .needs = NEEDS_VERSION(1), .scope = EACH_CPU,
     .run = not_allowed);
