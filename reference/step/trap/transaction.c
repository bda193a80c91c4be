/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * XBEGIN and XABORT. A transaction that the model lets go on is stepped like other code; what ends it is XABORT, any
 * event, or any instruction that is emulated: then the program's registers are those of XBEGIN again.
 */
#include "reference/step/access.h"
#include "reference/step/trap/stepped.h"

/* EAX after an abort. SDM 1, "RTM Abort Status Definition". */
#define ABORT_EXPLICIT BIT(0)
#define ABORT_ARGUMENT(value) ((u64)(value) << 24)

/* The frame's vector and error are those of the event that is being handled, and stay. */
static void go_back(struct stepped *s, struct frame *f, u64 status)
{
    u64 vector = f->vector, error = f->error;
    *f = s->transaction.fallback;
    f->vector = vector;
    f->error = error;
    f->rax = status;
    s->transaction.open = false;
}

bool transaction_begin(struct stepped *s, struct frame *f, const struct instruction *i)
{
    s32 distance;
    if (!guest_copy(&distance, (const void *)(f->rip + i->length - sizeof(distance)), sizeof(distance)))
        return false;
    f->rip += i->length;
    s->transaction.fallback = *f;
    s->transaction.fallback.rip += (u64)(s64)distance;
    s->transaction.open = model_transaction_begins(s->model);
    if (!s->transaction.open)
        go_back(s, f, 0);
    return true;
}

static void abort_with(struct stepped *s, struct frame *f, u64 status)
{
    go_back(s, f, status);
    model_transaction_aborts(s->model);
}

void transaction_abort(struct stepped *s, struct frame *f, const struct instruction *i)
{
    if (s->transaction.open)
        abort_with(s, f, ABORT_EXPLICIT | ABORT_ARGUMENT(i->vector));
    else
        f->rip += i->length;
}

bool transaction_broken(struct stepped *s, struct frame *f)
{
    bool open = s->transaction.open;
    if (open)
        abort_with(s, f, 0);
    return open;
}
