/* The self-proof: the counted snippets, on an interrupt table whose handlers have known lengths. */
#include "kernel/format.h"
#include "kernel/instructions.h"
#include "kernel/interrupt.h"
#include "kernel/string.h"
#include "pmu/reference/monitor/vcpu.h"

#define VECTOR_PROVE 0x82

struct snippet {
    const char *name;
    u64 (*run)(void);
    u64 want;
};
struct gate {
    u64 low, high;
};
struct __attribute__((packed)) table_pointer {
    u16 limit;
    u64 base;
};

extern const struct snippet snippets[];
extern const u8 prove_iret[], prove_undefined[], prove_page_fault[];

static void set_handler(struct gate *gate, const u8 *handler)
{
    u64 entry = (u64)handler;
    gate->low = (gate->low & MASK(47, 16) & ~MASK(34, 32)) | FIELD(15, 0, entry) | FIELD(63, 48, entry >> 16);
    gate->high = entry >> 32;
}

static unsigned run_all(char *text)
{
    unsigned wrong = 0;
    for (const struct snippet *s = snippets; s->name; s++) {
        u64 got = s->run();
        if (got != s->want && !wrong++)
            format_text(text, MONITOR_TEXT, "%s retired %lu instructions, not %lu", s->name, got, s->want);
    }
    return wrong;
}

unsigned monitor_prove(char *text)
{
    struct gate idt[256] __attribute__((aligned(16)));
    struct table_pointer kernel, own = {sizeof(idt) - 1, (u64)idt};
    u64 flags = interrupts_off();
    __asm__ volatile("sidt %0" : "=m"(kernel));
    memcpy(idt, (const void *)kernel.base, sizeof(idt));
    set_handler(&idt[3], prove_iret);
    set_handler(&idt[6], prove_undefined);
    set_handler(&idt[14], prove_page_fault);
    set_handler(&idt[VECTOR_PROVE], prove_iret);
    __asm__ volatile("lidt %0" : : "m"(own));
    unsigned wrong = run_all(text);
    __asm__ volatile("lidt %0" : : "m"(kernel));
    interrupts_restore(flags);
    return wrong;
}
