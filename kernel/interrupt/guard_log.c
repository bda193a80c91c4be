/* SPDX-License-Identifier: BSD-2-Clause */
/* Logs what is known of aborted code: registers, stack and symbol names. */
#include "kernel/core/image.h"
#include "kernel/core/memory.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/log/log.h"

void guard_copy_stack(u64 rsp, u64 *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        u64 at = (rsp & ~7ul) + 8 * i;
        words[i] = paging_mapped(at) ? *(const u64 *)at : 0;
    }
}

static void log_registers(const struct frame *f)
{
    log_line("# fault rax=%016lx rbx=%016lx rcx=%016lx rdx=%016lx", f->rax, f->rbx, f->rcx, f->rdx);
    log_line("# fault rsi=%016lx rdi=%016lx rbp=%016lx rsp=%016lx", f->rsi, f->rdi, f->rbp, f->rsp);
    log_line("# fault r8=%016lx r9=%016lx r10=%016lx r11=%016lx", f->r8, f->r9, f->r10, f->r11);
    log_line("# fault r12=%016lx r13=%016lx r14=%016lx r15=%016lx", f->r12, f->r13, f->r14, f->r15);
    log_line("# fault cs=%04lx ss=%04lx rflags=%08lx", f->cs, f->ss, f->rflags);
}

/* Words of the stack that lie in the program's text are taken for return addresses. */
static void log_stack(const u64 *words, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        u64 offset;
        const char *name = symbol_name(words[i], &offset);
        if (name)
            log_line("# fault stack[%u]=%016lx symbol=%s+0x%lx", i, words[i], name, offset);
        else
            log_line("# fault stack[%u]=%016lx", i, words[i]);
    }
}

static bool dumping;

bool guard_log_busy(void)
{
    return dumping;
}

void guard_log(const struct guard_result *result)
{
    dumping = true;
    char text[FAULT_TEXT_SIZE];
    u64 offset = 0;
    const char *name = symbol_name(result->rip, &offset);
    log_line("# fault cpu=%u what=%s rip=%016lx symbol=%s+0x%lx cr2=%016lx", result->cpu,
             result->storm     ? "storm"
             : result->timeout ? "timeout"
                               : fault_text(result->fault, text),
             result->rip, name ? name : "none", offset, result->address);
    log_registers(&result->frame);
    log_stack(result->stack, ARRAY_SIZE(result->stack));
    dumping = false;
}
