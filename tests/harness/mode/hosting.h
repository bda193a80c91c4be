/* Option `host`: another kernel on the reference PMU, in place of the tests. */
#pragma once

#include "harness/mode/runs.h"

/* Does not return if the kernel could be started; else one line, why not. */
const char *hosting_start(const struct runs *runs);
