/* SPDX-License-Identifier: BSD-2-Clause */
/* Option list: the tests that are selected, and what the backend has, instead of running anything. */
#include "harness/mode/modes.h"
#include "harness/report/report.h"
#include "kernel/core/option.h"
#include "kernel/log/log.h"

OPTION(list, .kind = OPTION_FLAG,
       .help = "list the tests and the reference PMU's profiles, defects and variations, and stop");

static bool requested(void)
{
    return option_list.given;
}

static void list(struct session *session, struct totals *totals)
{
    static char line[REPORT_LINE];
    (void)totals;
    for (unsigned i = 0; i < session->selection.count; i++)
        log_line("%s", report_test(line, session->selection.test[i]));
    backend()->list();
    log_line("1..0 # SKIP only listed");
}

MODE(list, .name = "list", .asked = requested, .idle = true, .run = list);
