/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The data types of an instruction, by which NetBurst's execution tagging distinguishes uops: single or double
 * precision, packed or scalar, integers in MMX or XMM registers, x87. Pure. 64-bit code only; moves and conversions
 * have none here.
 */
#pragma once

#include "boot/bits.h"
#include "reference/model/model.h"

/* Decodes from `bytes`, of which `count` are readable: enum execution. */
u8 execution_decode(const u8 *bytes, unsigned count);
