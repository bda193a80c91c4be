/* SPDX-License-Identifier: BSD-2-Clause */
/* A log made line by line and read; short names for the reader's results. */
#pragma once

#include "host/tools/log_maker.h"
#include "tests/host/case.h"
#include "tools/pmucheck/log/log.h"
#include <stdio.h>
#include <string.h>

static struct log_file file;

static inline enum log_status status(void)
{
    made_read(&file, "made.log");
    return log_status(&file);
}

static inline const struct log_boot *boot(unsigned index)
{
    assert_in_range(index, 0, file.boots.count - 1);
    return &file.boots.item[index];
}

static inline const char *problem(unsigned index)
{
    assert_in_range(index, 0, boot(0)->problems.count - 1);
    return boot(0)->problems.item[index].text;
}

static inline void a_good_log(void)
{
    made_begin();
    made_lines("# pmucheck version=0.2.0+38.g1a2b3c4 commit=1a2b3c4 log=1", "1..4", "ok 1 enum.leaf");
    made_sync();
    made_lines("ok 2 gp.exact # XFAIL SKL91", "ok 3 pebs.formats # SKIP no PEBS", "ok 4 gp.other");
    made_sync();
}
