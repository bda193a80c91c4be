/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A profile in packed form: only those 64-bit words in which it differs from another profile, or from an empty one. So
 * a hundred dumped CPUs take little room, and a profile can be passed in from outside. Pure.
 *
 * A word that points to text is 1 plus the text's offset among the texts that belong to the words, or 0 for NULL.
 */
#pragma once

#include "reference/model/profile.h"
#include <stddef.h>

struct __attribute__((packed)) packed_word {
    uint16_t at; /* index among the profile's words */
    uint64_t value;
};

#define PACKED_WORDS (sizeof(struct profile) / sizeof(uint64_t))
_Static_assert(sizeof(struct profile) % sizeof(uint64_t) == 0, "a profile is words and nothing else");

/* Does this word of a profile point to text? Or to another profile? */
bool packed_is_text(unsigned at);
bool packed_is_second(unsigned at);
/*
 * Stores the words in the profile, with pointers into the `size` bytes of texts. False: a word is outside of the
 * profile, or a text outside of the texts.
 */
bool packed_take(struct profile *profile, const struct packed_word *words, unsigned count, const char *texts,
                 uint32_t size);

/*
 * A profile that is passed to the image from outside, so that a CPU becomes a reference PMU without a build: `pmucheck
 * run --reference=FILE` reads its text as the build does, and passes to the image what the build would have compiled.
 * Pure.
 *
 * The bytes are a struct handed, the words of each kind of core, then texts, each ended by a zero.
 * Structures have the compiler's layout, so only an image and a program of the same build understand each other;
 * `layout` identifies the build.
 */

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
