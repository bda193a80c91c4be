/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * "Only while": conditions under which alone a deviation shows, a row each. Any deviation that is asked by chance can
 * be given one, in the same way as a place: real defects, too, need a certain state of the PMU besides their cause.
 */
#include "reference/deviations/narrow.h"

static bool running(const struct model *m)
{
    return m->active.count;
}

static bool several(const struct model *m)
{
    return m->active.count > 1;
}

/* Streamlined freezing; the legacy one leaves no state but cleared enables. */
static bool frozen(const struct model *m)
{
    return m->status.bits & STATUS_CTR_FRZ;
}

/* An access by RDMSR or WRMSR goes by the instruction before it. */
static bool at_cpl_3(const struct model *m)
{
    return m->retire.cpl;
}

static bool sampling(const struct model *m)
{
    return m->pebs.sampling;
}

static bool recording(const struct model *m)
{
    return m->active.recording;
}

static bool tracing(const struct model *m)
{
    return m->trace.on;
}

static bool overflowed(const struct model *m)
{
    return m->status.bits & (MASK(31, 0) | MASK(47, 32));
}

static bool pmi_pends(const struct model *m)
{
    return m->pmi.countdown;
}

static const struct {
    const char *name;
    bool (*holds)(const struct model *m);
} rows[] = {
    {"running", running},       /* a counter counts */
    {"several", several},       /* several counters count */
    {"frozen", frozen},         /* CTR_FRZ is set */
    {"cpl3", at_cpl_3},         /* the last instruction was not at CPL 0 */
    {"sampling", sampling},     /* a counter writes PEBS records */
    {"recording", recording},   /* branches are recorded */
    {"tracing", tracing},       /* a processor trace is written */
    {"overflowed", overflowed}, /* an overflow bit is set */
    {"pmi", pmi_pends},         /* a PMI is on its way */
};

const char *deviation_condition(unsigned n)
{
    return n < ARRAY_SIZE(rows) ? rows[n].name : NULL;
}

bool deviation_holds(const struct model *m, struct deviation_place place)
{
    return !place.only || rows[place.only - 1].holds(m);
}
