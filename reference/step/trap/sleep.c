/* SPDX-License-Identifier: BSD-2-Clause */
/* The program's HLT and MWAIT: the CPU sleeps here in its place. */
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/register/instructions.h"
#include "reference/step/trap/stepped.h"

#define CODE_HLT 0xf4u
#define CODE_MWAIT 0xc9010fu
#define HLT_LENGTH 1
#define MWAIT_LENGTH 3
#define STUCK_SECONDS 2 /* an interrupt or NMI that is on its way has come by then */

void sleep_event(struct frame *f); /* called by the gates of a CPU that sleeps */
void sleep_let_in(void);
void sleep_halt(bool interrupts, const volatile bool *came);
extern const u8 sleep_awake[];

unsigned sleep_length(const struct stepped *s)
{
    u64 code = s->at->bytes[0];
    if ((u8)code == CODE_HLT)
        return HLT_LENGTH;
    return (code & MASK(23, 0)) == CODE_MWAIT ? MWAIT_LENGTH : 0;
}

void sleep_event(struct frame *f)
{
    struct stepped *s = stepped_here();
    if (f->vector == VECTOR_NMI || f->vector == VECTOR_MC) {
        s->nmi |= f->vector == VECTOR_NMI;
        s->pending.machine_check |= f->vector == VECTOR_MC;
        s->came = true;
        if (f->rip >= (u64)sleep_halt && f->rip < (u64)sleep_awake)
            f->rip = (u64)sleep_awake; /* it came just before HLT, which would then go to sleep */
    } else if (f->vector < EXCEPTIONS) {
        machine_fatal(s, f);
    } else {
        s->vector = (u8)f->vector;
        s->interrupt = true;
        f->rflags &= ~RFLAGS_IF; /* one at a time: a second one would be acknowledged and forgotten */
    }
}

static bool woken(const struct stepped *s)
{
    return s->interrupt || s->nmi || s->pending.any;
}

/* ---- A CPU that nothing will wake: the code that it runs is given up, as if it had taken too long. */

static bool timer_runs(const struct stepped *s)
{
    return apic_there(s) && apic_load(s, APIC_TIMER_CURRENT) && !(apic_load(s, APIC_LVT_TIMER) & LVT_MASKED);
}

static bool all_asleep(void)
{
    for (u32 cpu = 0; cpu < cpu_count(); cpu++) {
        const struct stepped *s = stepped_of(cpu);
        if (s && s->active && !__atomic_load_n(&s->asleep, __ATOMIC_SEQ_CST))
            return false;
    }
    return true;
}

/* Waits with whatever may wake the CPU let in. */
static bool nothing_comes(struct stepped *s, const struct frame *f)
{
    u64 begun = rdtsc(), most = STUCK_SECONDS * time_tsc_khz() * 1000;
    while (!woken(s) && all_asleep() && rdtsc() - begun < most) {
        if (f->rflags & RFLAGS_IF)
            sleep_let_in();
    }
    return !woken(s) && all_asleep();
}

static void look_whether_stuck(struct stepped *s, const struct frame *f)
{
    if (s->looked || !s->asleep || !all_asleep() || !nothing_comes(s, f))
        return;
    s->looked = true;
    if (cpus_give_up(s->cpu))
        s->pending.nmi = true;
}

/* ---- Sleeping. */

static void sleep(struct stepped *s, const struct frame *f)
{
    shadow_sleeps(s, true);
    s->looked = s->came = false;
    __atomic_store_n(&s->asleep, !timer_runs(s), __ATOMIC_SEQ_CST);
    while (!woken(s)) {
        look_whether_stuck(s, f);
        if (!woken(s))
            sleep_halt(f->rflags & RFLAGS_IF, &s->came);
    }
    __atomic_store_n(&s->asleep, false, __ATOMIC_SEQ_CST);
    shadow_sleeps(s, false);
}

/* What woke it is delivered by hand. */
static void wake(struct stepped *s, struct frame *f)
{
    s->pending.nmi |= s->nmi;
    s->nmi = false;
    if (!s->interrupt)
        return;
    s->interrupt = false;
    model_interrupted(s->model, f->cs & 3);
    deliver(s, f, s->vector, 0);
}

/*
 * It retires, then the CPU sleeps until something comes: with interrupts off only an NMI. Pending events, such as a PMI
 * that its own retirement has raised, end the sleep at once. SDM 2A, "HLT": so does a debug exception.
 */
void sleep_begin(struct stepped *s, struct frame *f, unsigned length)
{
    if (length == MWAIT_LENGTH)
        model_slept(s->model);
    retire(s, f, RETIRED_HLT, f->rip, f->cs & 3, false);
    f->rip += length;
    if (s->program_tf) {
        deliver_single_step(s, f);
        return;
    }
    model_halted(s->model, true);
    sleep(s, f);
    model_halted(s->model, false);
    wake(s, f);
}
