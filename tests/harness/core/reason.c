/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/reason.h"

#define REASON(id, name, what) [REASON_##id] = {name, what},
const struct reason_row reasons[REASONS] = {
    [REASON_NONE] = {"", ""},
#include "harness/core/reason.def"
};
#undef REASON
