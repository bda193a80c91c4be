/*
 * The result code: eight characters that stand for what a log says about a machine, short enough to be read from a
 * photo or typed. It is a hash over those lines of the log that are the same each time the same image finds the same on
 * the same machine:
 *
 *      # pmucheck, # cpu, # run, # core-type, # outcomes      the whole line
 *      # machine                                              up to " memory-kib=": clocks and SMI counts differ
 *      # result                                               up to " code="
 *
 * Each without its indentation, followed by one LF; FNV-1a of 64 bits, folded to 40. Pure: image and host program have
 * the same source.
 */
#pragma once

#include "boot/bits.h"

#define RESULT_CODE_SIZE 10 /* "7K3M-9XQA" */

struct result_code {
    u64 hash;
};

void result_code_start(struct result_code *code);
/* Adds a line of the log, if it is one of those; line ends do not matter. Begins anew with "KTAP version 1". */
void result_code_line(struct result_code *code, const char *line, size_t length);
/* Digits and capitals, without I, L, O and U, which are taken for others. */
const char *result_code_text(const struct result_code *code, char *text);
/* Reads what a person typed: lower case, without the dash, O for 0, I or L for 1. False if it can be no result code. */
bool result_code_parse(const char *typed, char *text);
