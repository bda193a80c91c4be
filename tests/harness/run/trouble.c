/* SPDX-License-Identifier: BSD-2-Clause */
/* What ended a guarded call, in words. */
#include "harness/run/worker.h"
#include "kernel/core/image.h"
#include "kernel/firmware/pci.h"
#include "kernel/text/text.h"
#include "pmu/gate/write.h"
#include "pmu/state/handoff.h"
#include "pmu/state/register.h"

#define HLT 0xf4
#define TWO_BYTES 0x0f
/* The reference PMU may replace the first byte of an instruction that it answers by one of these. */
#define INT3 0xcc
#define INT_N 0xcd

static bool replaced(u8 first)
{
    return first == INT3 || first == INT_N;
}

/* An access that hangs leaves RIP at its instruction. */
static const char *access_at(u64 rip)
{
    static const struct {
        u8 opcode;
        const char *name;
    } accesses[] = {{0x30, "WRMSR"}, {0x32, "RDMSR"}, {0x33, "RDPMC"}};
    const u8 *code = (const u8 *)rip;
    for_each_row (accesses, row)
        if ((code[0] == TWO_BYTES || replaced(code[0])) && code[1] == row->opcode)
            return row->name;
    return NULL;
}

/* Was it in HLT, behind which RIP is while the CPU sleeps? */
static bool slept_at(u64 rip)
{
    u64 offset;
    const u8 *code = (const u8 *)rip - 1;
    return symbol_name(rip - 1, &offset) && (*code == HLT || *code == INT3);
}

static void add(char *text, const char *before, const char *word)
{
    size_t length = strlen(text);
    format_text(text + length, TROUBLE_TEXT - length, "%s%s", before, word);
}

static void add_place(const struct pmu_caps *caps, const struct guard_result *guard, char *text)
{
    u64 offset = 0;
    const char *function = symbol_name(guard->rip, &offset);
    char place[48], name[REGISTER_NAME_SIZE];
    const char *access = function && guard->timeout ? access_at(guard->rip) : NULL;
    if (access) {
        add(text, " in ", access);
        add(text, " of ", register_name(caps, guard->msr, name));
        return;
    }
    format_text(place, sizeof(place), "%s+0x%lx", function ? function : "?", function ? offset : guard->rip);
    add(text, " in ", place);
}

/* The two functions whose failed write ends in UD2: pmu/gate/write.h, kernel/register/msr.h. */
static bool writes(const char *function)
{
    return function && (!strcmp(function, "wrmsr") || !strcmp(function, "system_wrmsr"));
}

/* Did one of them fail? */
static bool write_failed(const struct pmu_caps *caps, const struct guard_result *guard, char *text)
{
    u64 offset = 0;
    const char *function = symbol_name(guard->rip, &offset);
    char name[REGISTER_NAME_SIZE], fault[FAULT_TEXT_SIZE];
    u32 msr = (u32)guard->frame.rcx;
    fault_t why = (fault_t)guard->frame.rax;
    if (guard->storm || guard->timeout || !writes(function))
        return false;
    register_name(caps, msr, name);
    if (why == FAULT_REFUSED)
        format_text(text, TROUBLE_TEXT, "the write gate refused wrmsr %s: %s", name, (const char *)guard->frame.rsi);
    else
        format_text(text, TROUBLE_TEXT, "unexpected %s at wrmsr %s", fault_text(why, fault), name);
    return true;
}

/* RDMSR and the UD2 after a WRMSR that faulted both leave the register's number in ECX. */
bool trouble_denied(const struct guard_result *guard, u32 *msr, fault_t *fault)
{
    u64 offset = 0;
    const char *function = guard->storm || guard->timeout ? NULL : symbol_name(guard->rip, &offset);
    bool write = writes(function), read = function && !strcmp(function, "rdmsr");
    *msr = (u32)guard->frame.rcx;
    *fault = write ? (fault_t)guard->frame.rax : guard->fault;
    return (write || read) && *fault != FAULT_REFUSED;
}

const char *trouble_text(const struct pmu_caps *caps, const struct guard_result *guard, char *text)
{
    char fault[FAULT_TEXT_SIZE], source[INTERRUPT_SOURCE_TEXT];
    u8 vector = (u8)guard->frame.vector;
    if (write_failed(caps, guard, text))
        return text;
    if (guard->storm)
        format_text(text, TROUBLE_TEXT, "interrupt storm on vector 0x%x (%s)", vector,
                    interrupt_source_text(vector, source));
    else if (guard->timeout)
        format_text(text, TROUBLE_TEXT, "%s",
                    slept_at(guard->rip) ? "slept in HLT, and no interrupt came," : "took too long");
    else
        format_text(text, TROUBLE_TEXT, "unexpected %s", fault_text(guard->fault, fault));
    if (!guard->storm)
        add_place(caps, guard, text);
    return text;
}
