/* SPDX-License-Identifier: BSD-2-Clause */
/* What a stepper keeps of an instruction, so that it is decoded once. */
#pragma once

#include "reference/step/interpreter/decode.h"
#include "reference/step/interpreter/execution.h"
#include "reference/step/interpreter/operand.h"
#include "reference/step/interpreter/operation.h"

#define DECODED 4096 /* of them, by a hash of their addresses */
struct decoded {
    u64 rip; /* 0: none */
    u64 bytes[2];
    struct instruction instruction;
    struct operand operand;
    struct operation operation;
    u8 execution;
};
