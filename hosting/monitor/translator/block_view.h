/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Blocks of a guest whose memory is seen from outside: each access has a `site`, which knows the page of its last
 * access, and where that page is for the monitor. An access to another page leaves the block to have its site updated.
 * Status flags are preserved.
 */
#pragma once

#include "hosting/monitor/translator/block.h"

struct writer;

/* Does it access memory? */
bool block_view_accesses(const struct operation *o);
/* Can it be part of such a block? */
bool block_view_takes(const struct operation *o, const u8 *bytes);
/* Writes an instruction that accesses memory, or what such a branch does apart from changing RIP. `o` and `bytes` are
 * the instruction, which stands at `rip`. */
void block_view_put(struct writer *w, struct block *b, const struct operation *o, const u8 *bytes, u64 rip);
/* Writes the code for accesses that miss their site's page. `number` is the block's. */
void block_view_put_misses(struct writer *w, struct block *b, unsigned number);
#define BLOCK_VIEW_SIZE 200 /* bytes that both write for one instruction, at most */
