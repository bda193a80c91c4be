/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A profile that is passed to the image from outside, so that a CPU becomes a reference PMU without a build: `pmucheck
 * run --reference=FILE` reads its text as the build does, and passes to the image what the build would have compiled.
 * Pure.
 *
 * The bytes are a struct handed, the words of each kind of core (packed.h), then texts, each ended by a zero.
 * Structures have the compiler's layout, so only an image and a program of the same build understand each other;
 * `layout` identifies the build.
 */
#pragma once

#include "reference/handed/packed.h"

#define HANDED_CORES 3 /* kinds of core in a CPU, at most */
#define HANDED_TEXTS 8192
#define HANDED_BYTES (sizeof(struct handed) + HANDED_CORES * PACKED_WORDS * sizeof(struct packed_word) + HANDED_TEXTS)
#define HANDED_MAGIC 0x464f52505f554d50u /* "PMU_PROF" */

struct handed {
    uint64_t magic;
    uint32_t layout;              /* build_layout of the program that wrote it */
    uint32_t words[HANDED_CORES]; /* number of words of each kind of core; the first 0 ends the list */
    uint32_t texts;               /* their size in bytes, at most HANDED_TEXTS */
    uint32_t crc;                 /* CRC-32 of everything that follows */
};

/*
 * Unpacks `size` bytes into `room`, HANDED_CORES profiles; the kinds of core are linked as in a hybrid's profile. Their
 * texts are copied to `texts`, HANDED_TEXTS bytes. Returns NULL, or why it cannot.
 */
const char *handed_take(const void *bytes, size_t size, uint32_t layout, struct profile *room, char *texts);
