/* SPDX-License-Identifier: BSD-2-Clause */
/* The self-proof: the counted snippets, on an interrupt table whose handlers have known lengths. */
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/instructions.h"
#include "kernel/register/msr.h"
#include "kernel/text/text.h"
#include "reference/step/stepper.h"
#include "reference/step/tables.h"

#define VECTOR_PROVE 0x82
#define VECTOR_BACK 0x85

struct snippet {
    const char *name;
    u64 (*run)(void);
    u64 want;
};

extern const struct snippet snippets[];
extern const u8 prove_iret[], prove_undefined[], prove_page_fault[], prove_general[], prove_back[];

static unsigned run_all(bool counter, char *text)
{
    unsigned wrong = 0;
    for (const struct snippet *s = snippets; s->name; s++) {
        if (!counter && !strcmp(s->name, "rdpmc"))
            continue;
        u64 got = s->run();
        if (got != s->want && !wrong++)
            format_text(text, STEPPER_TEXT, "%s retired %lu instructions, not %lu", s->name, got, s->want);
    }
    return wrong;
}

unsigned stepper_prove(char *text)
{
    struct gate idt[256] __attribute__((aligned(16)));
    u64 flags = interrupts_off(), value;
    bool counter = rdpmc_try(0, &value) == NO_FAULT; /* a guest without a PMU has none */
    u64 kernel = stepper_call(CALL_IDT, (u64)idt);
    memcpy(idt, (const void *)kernel, sizeof(idt));
    idt_set_handler(&idt[3], prove_iret);
    idt_set_handler(&idt[6], prove_undefined);
    idt_set_handler(&idt[14], prove_page_fault);
    idt_set_handler(&idt[13], prove_general);
    idt_set_handler(&idt[VECTOR_PROVE], prove_iret);
    idt_set_handler(&idt[VECTOR_BACK], prove_back);
    u64 priority = read_cr8();
    write_cr8(15); /* some snippets set IF: no interrupt may add its handler's instructions */
    unsigned wrong = run_all(counter, text);
    write_cr8(priority);
    stepper_call(CALL_IDT, kernel);
    interrupts_restore(flags);
    return wrong;
}
