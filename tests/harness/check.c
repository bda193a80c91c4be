/* SPDX-License-Identifier: BSD-2-Clause */
/* A test's checks and register accesses: they put their outcomes into this CPU's results. */
#include "harness/core/results.h"
#include "harness/protocol.h"
#include "harness/test.h"
#include "harness/whole.h"
#include "kernel/text/text.h"
#include "pmu/gate/gate.h"
#include "pmu/gate/write.h"
#include "pmu/state/handoff.h"
#include "pmu/state/register.h"

/* Returns to the caller of the test, within the same guarded call. */
static _Noreturn void leave(struct test *t)
{
    if (t->results->open)
        results_close(t->results, false);
    __builtin_longjmp(t->results->leave, 1);
}

static _Noreturn void leave_with(struct test *t, enum outcome outcome, enum reason code, const char *reason,
                                 va_list args)
{
    char text[REASON_SIZE];
    format_args(text, sizeof(text), reason, args);
    results_raise(t->results, outcome, code, text);
    leave(t);
}

void skip(struct test *t, const char *reason, ...)
{
    va_list args;
    va_start(args, reason);
    leave_with(t, OUTCOME_SKIP, REASON_NONE, reason, args);
}

void skip_for(struct test *t, enum reason code, const char *reason, ...)
{
    va_list args;
    va_start(args, reason);
    leave_with(t, OUTCOME_SKIP, code, reason, args);
}

void error(struct test *t, const char *reason, ...)
{
    va_list args;
    va_start(args, reason);
    leave_with(t, OUTCOME_ERROR, REASON_NONE, reason, args);
}

void error_for(struct test *t, enum reason code, const char *reason, ...)
{
    va_list args;
    va_start(args, reason);
    leave_with(t, OUTCOME_ERROR, code, reason, args);
}

void skip_refused(struct test *t)
{
    skip(t, "the write gate does not let this be tried on this CPU: %s", gate_refusal().rule);
}

struct test *about(struct test *t, u64 aspects)
{
    t->results->about = aspects;
    return t;
}

void may_overflow_at_stop(struct test *t, struct counter counter)
{
    t->results->beside_stop |= BIT(counter.bit);
}

/* The aspects of two registers whose bits imply them. */
static u64 register_aspect(const struct check *check)
{
    if (check->kind != CHECK_EQUAL)
        return 0;
    return check->msr == MSR_PERF_GLOBAL_STATUS  ? ASPECT_STATUS_BIT
           : check->msr == MSR_PERF_GLOBAL_INUSE ? ASPECT_IN_USE
                                                 : 0;
}

/*
 * All GP counters and fixed counter 1 are on together: too many events if a host holds one of the counters that could
 * count them. Only a guest has such a host.
 */
static u64 beside_all(const struct test *t)
{
    u64 all = caps_gp_bits(t->caps) | (caps_counter_bits(t->caps) & STATUS_FIXED(FIXED_CORE_CYCLES));
    return t->caps->hypervisor && (t->results->started & all) == all ? ASPECT_ALL_AT_ONCE : 0;
}

static bool record(struct test *t, const struct check *check, bool held)
{
    struct check whole = *check;
    whole.aspects = results_about(t->results, check->aspects ? check->aspects : register_aspect(check)) | beside_all(t);
    cell_note(t, &whole);
    results_check(t->results, &whole, held);
    return held;
}

bool check_equal(struct test *t, const char *label, u64 got, u64 want, u32 msr)
{
    return record(
        t, &(struct check){.label = label, .msr = msr, .bit = NO_BIT, .kind = CHECK_EQUAL, .got = got, .want = want},
        got == want);
}

bool check_count(struct test *t, const char *label, u64 got, u64 want, u32 msr)
{
    struct check check = {.label = label, .msr = msr, .bit = NO_BIT, .kind = CHECK_EQUAL, .got = got, .want = want};
    check.aspects = ASPECT_INSTRUCTIONS;
    check.difference = true;
    return record(t, &check, got == want);
}

/*
 * What the bits of a register that a check does not ask about must show now: they are compared with it under its label.
 * Nothing for a register of which that is not known.
 */
static struct whole others(const struct test *t, u32 msr, u64 asked)
{
    struct whole whole;
    struct status_causes causes = {0};
    if (msr == MSR_PERF_GLOBAL_STATUS)
        causes = (struct status_causes){.caused = caused_bits(), .kept = caused_kept()};
    if (!whole_register(t->caps, msr, &causes, rdmsr_try, &whole))
        return (struct whole){0};
    return (struct whole){whole.mask & ~asked, whole.want & ~asked};
}

bool check_bit(struct test *t, const char *label, u32 msr, u64 bit, bool want)
{
    if (!bit || bit & (bit - 1))
        error(t, "%s: 0x%lx is not one bit", label, bit);
    u64 value = read_msr(t, msr), got = (value & bit) != 0;
    struct whole rest = others(t, msr, bit);
    struct check check = {
        .label = label, .msr = msr, .bit = (u8)__builtin_ctzll(bit), .kind = CHECK_EQUAL, .got = got, .want = want};
    bool held = record(t, &check, got == want); /* first: about() is for this one */
    if (rest.mask)
        check_equal(t, label, value & rest.mask, rest.want, msr);
    return held;
}

bool check_bits(struct test *t, const char *label, u32 msr, u64 mask, u64 want)
{
    u64 value = read_msr(t, msr);
    struct whole rest = others(t, msr, mask);
    return check_equal(t, label, value & (mask | rest.mask), want | rest.want, msr);
}

bool check_true(struct test *t, const char *label, bool held, u64 got, const char *want, u32 msr)
{
    struct check check = {.label = label, .msr = msr, .bit = NO_BIT, .kind = CHECK_TRUE, .got = got, .words = want};
    return record(t, &check, held);
}

bool check_range(struct test *t, const char *label, u64 got, u64 low, u64 high, u32 msr)
{
    struct check check = {
        .label = label, .msr = msr, .bit = NO_BIT, .kind = CHECK_RANGE, .got = got, .want = low, .high = high};
    return record(t, &check, got >= low && got <= high);
}

bool check_fault(struct test *t, const char *label, fault_t got, fault_t want, u32 msr)
{
    if (got == FAULT_REFUSED)
        skip_refused(t);
    return record(
        t, &(struct check){.label = label, .msr = msr, .bit = NO_BIT, .kind = CHECK_FAULT, .got = got, .want = want},
        got == want);
}

static _Noreturn void access_failed(struct test *t, const char *what, u32 msr, fault_t fault)
{
    char name[REGISTER_NAME_SIZE], text[FAULT_TEXT_SIZE], reason[REASON_SIZE];
    if (fault == FAULT_REFUSED)
        error(t, "the write gate refused %s %s: %s", what, register_name(t->caps, msr, name), gate_refusal().rule);
    format_text(reason, sizeof(reason), "unexpected %s at %s %s", fault_text(fault, text), what,
                register_name(t->caps, msr, name));
    results_deny(t->results, msr, fault, reason);
    leave(t);
}

u64 read_msr(struct test *t, u32 msr)
{
    u64 value = 0;
    fault_t fault = rdmsr_try(msr, &value);
    if (fault)
        access_failed(t, "rdmsr", msr, fault);
    return value;
}

void write_msr(struct test *t, u32 msr, u64 value)
{
    value = around_written(t, msr, value);
    fault_t fault = wrmsr_try(msr, value);
    if (fault)
        access_failed(t, "wrmsr", msr, fault);
    if (msr == MSR_PERF_GLOBAL_CTRL && value)
        t->results->started = value;
}

void measure(struct test *t, const char *name, const char *unit, u64 sample)
{
    results_measure(t->results, name, unit, sample);
}

static void keep_note(struct test *t, struct note *n, const char *subject, const char *format, va_list args)
{
    format_text(n->subject, sizeof(n->subject), "%s", subject);
    format_args(n->text, sizeof(n->text), format, args);
    results_note(t->results, n);
}

void note(struct test *t, const char *kind, const char *subject, const char *rest, const char *format, ...)
{
    struct note n = {.kind = kind, .rest = rest};
    va_list args;
    va_start(args, format);
    keep_note(t, &n, subject, format, args);
    va_end(args);
}

void note_machine(struct test *t, const char *kind, const char *subject, const char *rest, const char *format, ...)
{
    struct note n = {.kind = kind, .rest = rest, .machine = true};
    va_list args;
    va_start(args, format);
    keep_note(t, &n, subject, format, args);
    va_end(args);
}
