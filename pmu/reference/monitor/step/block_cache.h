/*
 * The translated blocks (interpreter/block.h) that a CPU keeps, by a hash of their addresses, and the links between
 * them.
 *
 * Text of this image stays as it is, so that links between its blocks last. Other code may change: its bytes are
 * compared each time that a block is entered from here, and what links lead to before each run. Meanwhile nothing of
 * it changes by what its blocks store: each store asks for its page (block_view.h), and none is told one from which
 * code is executed. What stores there is stepped, and ends the run. By another linear address, or from another CPU,
 * code may be changed under it: SDM 3A, "Handling Self- and Cross-Modifying Code", wants a serializing instruction
 * then, and each of those ends a run, too.
 */
#pragma once

#include "kernel/interrupt/frame.h"
#include "pmu/reference/monitor/interpreter/block.h"
#include "pmu/reference/monitor/state.h"

#define BLOCKS 1024
#define LINKS 128
#define SITES 256
#define CODE_PAGES 512      /* places for them, by number */
#define CODE_PAGES_MOST 256 /* of which so many are filled */

/* A block that was met; translated once it has been met often enough. */
enum { BLOCK_INSIDE, BLOCK_INSIDE_USER, BLOCK_CHANGING, BLOCK_CHANGING_USER, BLOCK_VIEWED, BLOCK_VIEWED_32 };
struct translated {
    u64 top; /* 0: none was */
    u8 kind;
    u8 missed; /* times that another one was met in its place */
    u8 faults;
    u32 met;
    u32 gone_through;   /* when it was executed last, in goes */
    struct block block; /* count 0: not translated */
};

/* A CPU's. */
struct blocks {
    struct translated each[BLOCKS];
    struct block_state state;
    u8 *code; /* of each, and the stub; read-only */
    struct block_target targets[BLOCK_TARGETS];
    u64 *links[LINKS]; /* those to code that may change */
    u32 link_count;
    enum whose linked_for;
    u16 *notes;                              /* BLOCK_NOTES of them */
    u16 hits[2 * BLOCKS], ways[BLOCK_NOTES]; /* of a tally */
    u32 goes;                                /* times that blocks were entered */
    u32 goes_before;                         /* the last run */
    struct block_site *sites[SITES];         /* those that know a page, of this view */
    u32 site_count;
    u64 code_pages[CODE_PAGES]; /* from which code that may change is executed: numbers, counted from 1 */
    u32 code_page_count;
    u64 view; /* 0 inside the guest */
};

struct vcpu;

bool block_cache_init(struct vcpu *v); /* false: no memory */
/* The block that begins at f->rip, if it can be executed here and now. Each call is a time that it was met. */
struct translated *block_cache_find(struct vcpu *v, const struct frame *f);
/* The same without meeting it. NULL: there is no translation yet, or it is of something else. */
struct translated *block_cache_known(struct vcpu *v, const struct frame *f);
u8 *block_cache_code(const struct vcpu *v, const struct translated *t); /* the translation */
bool block_cache_holds(const struct vcpu *v, u64 rip);                  /* is this within a translation? */
/*
 * Before blocks are executed. Of links to code that may change, those stay that lead to what was executed the last time
 * and can be here and now; those in this image mean nothing to who came in its place.
 */
void block_cache_begin(struct vcpu *v, const struct frame *f);
/* The block at f->rip, linked to the one that was executed last and led there. */
struct translated *block_cache_follow(struct vcpu *v, const struct frame *f);
/* Those that know a page no longer do. */
void block_cache_forget_sites(struct vcpu *v);
/* Nothing that was found out of another view holds in this one. */
void block_cache_view(struct vcpu *v);
/* Is code executed from the page at that address, which is the monitor's for it? */
bool block_cache_has_code(const struct vcpu *v, u64 where);
/* It has faulted. What faults each time is stepped for a while. */
void block_cache_fault(struct vcpu *v, struct translated *t);
