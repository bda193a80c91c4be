/*
 * Fast-forwarding: where nothing but counts can come of the next instructions, a loop of straight code is executed by
 * the CPU, many turns at a time, from a translation of it (loop.h). The number of turns is bounded by what counters
 * have room for, so that each overflow is met by single steps, and by how long an interrupt may have to wait.
 *
 * An access that faults, or that the monitor has to see, leaves the loop before it happens; it is then stepped.
 */
#include "pmu/reference/monitor/forward.h"
#include "kernel/core/memory.h"
#include "kernel/text/string.h"
#include "pmu/reference/monitor/guest/code.h"
#include "pmu/reference/monitor/guest/guest_memory.h"
#include "pmu/reference/monitor/guest/look.h"
#include "pmu/reference/monitor/guest/patch.h"
#include "pmu/reference/monitor/interpreter/interpret.h"
#include "pmu/reference/monitor/vcpu.h"
#include "pmu/reference/monitor/vmrun.h"

#define HOT 32 /* turns after which a loop is worth a translation */
#define PAGES (LOOPS * LOOP_CODE / PAGE_SIZE)

bool forward_init(struct vcpu *v)
{
    v->loop_code = code_alloc(PAGES);
    v->loop_state.leave = (u64)loop_leave;
    return v->loop_code;
}

bool forward_code(const struct vcpu *v, u64 rip)
{
    return rip - (u64)v->loop_code < LOOPS * LOOP_CODE;
}

static u8 *code_of(const struct vcpu *v, const struct hot_loop *h)
{
    return v->loop_code + LOOP_CODE * (u64)(h - v->loops);
}

/* Takes the instructions from `top` to the branch apart; 0 if some of them are the CPU's. */
static unsigned gather(struct vcpu *v, const struct frame *f, struct hot_loop *h,
                       struct operation body[LOOP_INSTRUCTIONS], u8 bytes[LOOP_BYTES])
{
    struct frame at = *f;
    unsigned count = 0;
    at.rip = h->top;
    while (at.rip <= h->branch && count < LOOP_INSTRUCTIONS) {
        step_look(v, &at);
        const struct operation *o = &v->at->operation;
        if (!o->code || at.rip + o->length - h->top > LOOP_BYTES)
            return 0;
        memcpy(bytes + (at.rip - h->top), v->at->bytes, o->length);
        h->access[count] = v->at->operand.access;
        body[count++] = *o;
        at.rip += o->length;
    }
    return at.rip > h->branch ? count : 0;
}

static bool translate(struct vcpu *v, const struct frame *f, struct hot_loop *h)
{
    struct operation body[LOOP_INSTRUCTIONS];
    u8 bytes[LOOP_BYTES], code[LOOP_CODE];
    unsigned count = gather(v, f, h, body, bytes);
    u8 *to = code_of(v, h);
    unsigned size = loop_translate(&h->loop, body, count, h->top, bytes, code, (u64)to, &v->loop_state);
    if (size)
        code_store(v, to, code, size);
    return size;
}

/* Memory is accessed as supervisor, in the address space that is loaded. */
static bool may_forward(const struct vcpu *v, const struct frame *f, const struct loop *l)
{
    return !l->touches_memory || (v->in_stub && !(f->cs & 3));
}

struct hot_loop *forward_find(struct vcpu *v, const struct frame *f, u64 branch)
{
    u64 top = f->rip;
    struct hot_loop *h = &v->loops[(top ^ top >> 6) % LOOPS];
    if (v->how != STEP_IN_GUEST || branch - top >= LOOP_BYTES)
        return NULL;
    if (h->top != top || h->branch != branch)
        *h = (struct hot_loop){.top = top, .branch = branch};
    if (h->refused || (!h->loop.count && ++h->taken < HOT))
        return NULL;
    if (!h->loop.count)
        h->refused = !translate(v, f, h);
    return !h->refused && may_forward(v, f, &h->loop) ? h : NULL;
}

/* Text of this image stays as it is. */
static bool unchanged(struct vcpu *v, const struct loop *l)
{
    u8 bytes[LOOP_BYTES];
    u64 size = l->behind - l->top;
    if (!is_foreign(v) && image_text(l->top))
        return true;
    return guest_read(v, bytes, l->top, size) && !memcmp(bytes, l->bytes, size);
}

static void execute(struct vcpu *v, struct frame *f, const struct hot_loop *h, u64 turns)
{
    struct loop_state *s = &v->loop_state;
    for (unsigned i = 0; i < 16; i++)
        s->registers[i] = *frame_register(f, i);
    s->rflags = f->rflags;
    s->left = turns;
    s->code = (u64)code_of(v, h) + LOOP_ENTRY;
    loop_run(&h->loop, s);
    for (unsigned i = 0; i < 16; i++)
        *frame_register(f, i) = s->registers[i];
    f->rflags = (f->rflags & ~RFLAGS_STATUS) | (s->rflags & RFLAGS_STATUS);
}

static void report(struct vcpu *v, const struct frame *f, const struct hot_loop *h, const struct loop_result *result)
{
    u32 turns = result->instructions / h->loop.count, rest = result->instructions % h->loop.count;
    struct model_run run = {
        .cpl = f->cs & 3,
        .instructions = result->instructions,
        .branches = result->branches,
        .taken = result->taken,
        .conditional = result->conditional,
    };
    for (u32 i = 0; i < h->loop.count; i++) {
        u32 times = turns + (i < rest);
        run.loads += h->access[i] & ACCESS_LOAD ? times : 0;
        run.stores += h->access[i] & ACCESS_STORE ? times : 0;
    }
    model_retire_run(v->model, &run);
}

u32 forward(struct vcpu *v, struct frame *f, struct hot_loop *h, u32 most)
{
    const struct loop *l = &h->loop;
    u32 turns = most / l->count;
    if (turns < 2)
        return 0;
    if (!unchanged(v, l)) {
        h->top = 0;
        return 0;
    }
    execute(v, f, h, turns);
    struct loop_result result = loop_result(l, &v->loop_state, turns);
    f->rip = result.rip;
    if (l->stores && !unchanged(v, l))
        monitor_call(CALL_OVERWRITTEN, l->top);
    v->statistics.steps += result.instructions;
    v->statistics.retired += result.instructions;
    v->statistics.forwarded += result.instructions;
    if (result.instructions)
        report(v, f, h, &result);
    return result.instructions;
}

bool forward_faulted(struct vcpu *v, struct frame *f)
{
    u64 offset = f->rip - (u64)v->loop_code;
    unsigned instruction;
    if (f->vector < 12 || f->vector > 14 || !forward_code(v, f->rip))
        return false;
    if (!loop_faulted(&v->loops[offset / LOOP_CODE].loop, offset % LOOP_CODE, &instruction))
        return false;
    v->loop_state.stop = instruction;
    f->rip -= offset % LOOP_CODE;
    return true;
}
