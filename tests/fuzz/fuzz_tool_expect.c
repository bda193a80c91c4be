/* SPDX-License-Identifier: BSD-2-Clause */
/* Any bytes as a list of known differences, applied to a log: the list may excuse failures, but never an error. */
#include "host/tools/log_maker.h"
#include "tools/pmucheck/report/expect.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void make_log(struct log_file *file)
{
    made_log("verdict=fail pass=0 fail=1 known=0 review=0 skip=0 error=1", "# run pmu=hardware", "1..2",
             "# fail a.b label=c cpus=0 got=1 want=0", "not ok 1 a.b", "not ok 2 a.e # ERROR #GP");
    log_read(file, "made.log", made.text, strlen(made.text));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct log_file file = {0};
    struct expect expect = {0};
    make_log(&file);
    expect_read(&expect, (const char *)data, size);
    expect_apply(&expect, &file, NULL);
    enum log_status status = expect_status(&file);
    if (status != STATUS_FAIL && status != STATUS_ERROR)
        abort();
    expect_free(&expect);
    log_free(&file);
    return 0;
}
