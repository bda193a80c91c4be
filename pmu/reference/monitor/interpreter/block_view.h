/*
 * Blocks of a guest whose memory is seen from outside: each access asks a place of its own, a `site`, where the page
 * that it met last is for the monitor, and leaves the block to have that filled in. Status flags are kept meanwhile.
 */
#pragma once

#include "pmu/reference/monitor/interpreter/block.h"

struct writer;

/* Does it access memory? */
bool block_view_accesses(const struct operation *o);
/* Can it be part of such a block? */
bool block_view_takes(const struct operation *o, const u8 *bytes);
/* Writes the instruction, or what a branch does before it leads anywhere, if it accesses memory. `o` and `bytes` are
 * its own, which stands at `rip`. */
void block_view_put(struct writer *w, struct block *b, const struct operation *o, const u8 *bytes, u64 rip);
/* Writes what becomes of accesses that met another page. `number` is the block's. */
void block_view_put_misses(struct writer *w, struct block *b, unsigned number);
#define BLOCK_VIEW_SIZE 200 /* of what the two write for one instruction, at most */
