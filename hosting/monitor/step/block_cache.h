/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The translated blocks (translator/block.h) that a CPU keeps, by a hash of their addresses, and the links between
 * them.
 *
 * Text of this image stays as it is, so that links between its blocks last. Other code may change: its bytes are
 * compared each time that a block is entered from here, and what links lead to before each run. While blocks run, their
 * stores cannot change it: each store's site has to learn its page (block_view.h), and pages from which code is
 * executed are refused. A store to such a page is stepped, and ends the run. Stores by another linear address, or from
 * another CPU, may still change the code: SDM 3A, "Handling Self- and Cross-Modifying Code", then requires a
 * serializing instruction, and each of those ends a run, too.
 */
#pragma once

#include "hosting/monitor/state.h"
#include "hosting/monitor/translator/block.h"
#include "kernel/interrupt/frame.h"

#define BLOCKS 1024
#define LINKS 128
#define SITES 256
#define CODE_PAGES 512      /* slots, hashed by page number */
#define CODE_PAGES_MOST 256 /* slots that are filled at most */

/* A block that was met; translated once it has been met often enough. */
enum { BLOCK_INSIDE, BLOCK_INSIDE_USER, BLOCK_CHANGING, BLOCK_CHANGING_USER, BLOCK_VIEWED, BLOCK_VIEWED_32 };
struct translated {
    u64 top; /* 0: the slot is empty */
    u8 kind;
    u8 missed; /* times that another block was met in its place */
    u8 faults;
    u32 met;
    u32 gone_through;   /* value of `goes` when it was executed last */
    struct block block; /* count 0: not translated */
};

/* A CPU's blocks. */
struct blocks {
    struct translated each[BLOCKS];
    struct block_state state;
    u8 *code; /* the blocks' translations and the stub; read-only */
    struct block_target targets[BLOCK_TARGETS];
    u64 *links[LINKS]; /* links to code that may change */
    u32 link_count;
    enum whose linked_for;
    u16 *notes;                              /* BLOCK_NOTES of them */
    u16 hits[2 * BLOCKS], ways[BLOCK_NOTES]; /* used while notes are tallied */
    u32 goes;                                /* number of entries into blocks so far */
    u32 goes_before;                         /* `goes` at the last block_cache_begin() */
    struct block_site *sites[SITES];         /* sites that know a page, in this view */
    u32 site_count;
    u64 code_pages[CODE_PAGES]; /* pages with executed code that may change: page number + 1 */
    u32 code_page_count;
    u64 view; /* number of the view; 0 inside the guest */
};

struct vcpu;

bool block_cache_init(struct vcpu *v); /* false: no memory */
/* The block that begins at f->rip, if it can be executed here and now. Each call counts as meeting it. */
struct translated *block_cache_find(struct vcpu *v, const struct frame *f);
/* The same without counting. NULL: there is no translation yet, or only one of something else. */
struct translated *block_cache_known(struct vcpu *v, const struct frame *f);
u8 *block_cache_code(const struct vcpu *v, const struct translated *t); /* its translation */
bool block_cache_holds(const struct vcpu *v, u64 rip);                  /* is this within a translation? */
/* The instruction that is translated at the address of which 32 bits are known; 0: it is in no translation. */
u64 block_cache_original(const struct vcpu *v, u32 rip);
/*
 * Before blocks are executed. Of the links to code that may change, keeps those whose target was executed in the last
 * run and can be executed now. Drops all links when a foreign guest takes this image's place.
 */
void block_cache_begin(struct vcpu *v, const struct frame *f);
/* Finds the block at f->rip and links the last executed block to it. */
struct translated *block_cache_follow(struct vcpu *v, const struct frame *f);
/* Has all sites forget their pages. */
void block_cache_forget_sites(struct vcpu *v);
/* Drops what was found out in another view than the current one. */
void block_cache_view(struct vcpu *v);
/* Is code executed from the page at `where`, an address of the monitor's? */
bool block_cache_has_code(const struct vcpu *v, u64 where);
/* The block has faulted. One that faults each time is dropped for a while and stepped. */
void block_cache_fault(struct vcpu *v, struct translated *t);
