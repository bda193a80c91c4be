/* SPDX-License-Identifier: BSD-2-Clause */
/* For when the run cannot go on: logs what happened and where, ends the log with a verdict, and stops. */
#include "kernel/core/image.h"
#include "kernel/firmware/power.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/log/log.h"
#include "kernel/register/cpuid.h"
#include "kernel/register/instructions.h"
#include "kernel/text/text.h"

#define EXIT_ERROR 0x13
#define REASON_SIZE 200

static _Noreturn void end_with_error(const char *reason)
{
    log_finding("%s", reason);
    log_abandon(reason);
    power_end(EXIT_ERROR);
}

/* A fault while one is being reported: leaves out what faulted, first the dump, then the log, finally power_end(). */
static void fault_again(unsigned faults)
{
    static const char reason[] = "a fault while another one was being reported";
    if (faults == 2) {
        log_line("# error %s", reason);
        end_with_error(reason);
    }
    log_silence();
    if (faults == 3)
        power_end(EXIT_ERROR);
    power_halt();
}

static struct guard_result result_of(const struct frame *frame)
{
    struct guard_result result = {.fault = FAULT(frame->vector, frame->error),
                                  .cpu = cpu_index(),
                                  .rip = frame->rip,
                                  .address = read_cr2(),
                                  .frame = *frame};
    guard_copy_stack(frame->rsp, result.stack, ARRAY_SIZE(result.stack));
    return result;
}

/* Stops this CPU. The boot CPU notices that it does not answer, and logs it with the reason. */
static _Noreturn void die(const struct frame *frame)
{
    struct cpu_state *self = cpu_state();
    if (self && !self->died) {
        self->result = result_of(frame);
        __atomic_store_n(&self->died, true, __ATOMIC_RELEASE);
    }
    power_halt();
}

void fatal_fault(const struct frame *frame)
{
    static unsigned faults;
    if (cpu_index())
        die(frame);
    if (++faults == 1 && guard_log_busy()) /* a dump inside a dump is unreadable */
        faults = 2;
    if (faults > 1)
        fault_again(faults);
    struct guard_result result = result_of(frame);
    guard_log(&result);
    char reason[REASON_SIZE], text[FAULT_TEXT_SIZE];
    u64 offset = 0;
    const char *name = symbol_name(frame->rip, &offset);
    format_text(reason, sizeof(reason), "an unexpected %s at %s+0x%lx, outside any test: please report this log",
                fault_text(result.fault, text), name ? name : "none", name ? offset : frame->rip);
    end_with_error(reason);
}

void fatal(const char *format, ...)
{
    char reason[REASON_SIZE];
    va_list args;
    va_start(args, format);
    format_args(reason, sizeof(reason), format, args);
    va_end(args);
    log_line("# error %s", reason);
    end_with_error(reason);
}
