/*
 * Each instruction that retires is counted once, and IRET is one. A block at CPL 3 holds an IRET to its own next
 * instruction. On some CPUs its count is too high (BV52).
 */
#include "harness/chapter/probing.h"

static bool iret(struct test *t)
{
    static const struct probe probe = {.label = "iret",
                                       .aspect = ASPECT_IRET,
                                       .work = iret_work,
                                       .event = ARCH_EVENT_INSTRUCTIONS,
                                       .each = PROBE_LOOP + 8};
    return probe_work(t, &probe);
}

static void need_sheet(struct test *t)
{
    need_told(t, FACT_IRET);
}

TEST("errata.iret", .title = "An IRET is counted as one retired instruction",
     .spec = "SDM 3B, Pre-defined Architectural Performance Events", .covers = "A-028",
     .needs = {.version = 2, .event = 2, .probe = true}, .scope = EACH_CPU, .prepare = need_sheet, .repeat = iret);
