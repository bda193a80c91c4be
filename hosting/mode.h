/* SPDX-License-Identifier: BSD-2-Clause */
/* Option `host`: runs another kernel on the reference PMU instead of the tests. */
#pragma once

#include "reference/mode/runs.h"

/* Does not return if the kernel started; otherwise returns one line that says why not. */
const char *hosting_start(const struct runs *runs);
