/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The result code: eight characters that stand for what a log says about a machine, short enough to be read from a
 * photo or typed. It is a hash over those lines of the log that stay the same when the same image finds the same
 * results on the same machine:
 *
 *      # pmucheck, # cpu, # run, # core-type, # outcomes      the whole line
 *      # machine                                              up to " memory-kib=": clocks and SMI counts differ
 *      # result                                               up to " code="
 *
 * Each line counts without its indentation and with one LF at its end; FNV-1a of 64 bits, folded to 40. Pure: image and
 * host program have the same source.
 */
#pragma once

#include "boot/bits.h"

#define RESULT_CODE_SIZE 10 /* "7K3M-9XQA" */

struct result_code {
    u64 hash;
};

void result_code_start(struct result_code *code);
/* Adds a line of the log if it is one of those above; line ends do not matter. "KTAP version 1" restarts the hash. */
void result_code_line(struct result_code *code, const char *line, size_t length);
/* Digits and capitals, without I, L, O and U, which are easily misread. */
const char *result_code_text(const struct result_code *code, char *text);
/* Reads a code that a person typed; accepts lower case, a missing dash, O for 0, I or L for 1. False if it cannot be
 * one. */
bool result_code_parse(const char *typed, char *text);
