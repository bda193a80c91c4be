/* SPDX-License-Identifier: BSD-2-Clause */
/* Names that CPUID of the calling CPU gives. */
#include "harness/report/report.h"
#include "kernel/register/cpuid.h"
#include "kernel/text/text.h"

/* Copies words as CPUID spells text, printable characters only, without blanks at both ends. */
static void spell(char *text, const u32 *words, unsigned count)
{
    unsigned length = 0;
    for (unsigned i = 0; i < 4 * count; i++) {
        char c = (char)(words[i / 4] >> i % 4 * 8);
        if (c > ' ' ? c <= '~' : c == ' ' && length)
            text[length++] = c;
    }
    while (length && text[length - 1] == ' ')
        length--;
    text[length] = 0;
}

void identity_vendor(char text[VENDOR_SIZE])
{
    struct cpuid_regs r = cpuid(0, 0);
    spell(text, (const u32[]){r.ebx, r.edx, r.ecx}, 3);
}

void identity_brand(char text[BRAND_SIZE])
{
    u32 words[12] = {0};
    for (u32 i = 0; i < 3 && cpuid_has_leaf(0x80000004u); i++) {
        struct cpuid_regs r = cpuid(0x80000002u + i, 0);
        memcpy(&words[4 * i], (const u32[]){r.eax, r.ebx, r.ecx, r.edx}, 16);
    }
    spell(text, words, 12);
}

void identity_hypervisor(char text[VENDOR_SIZE])
{
    if (!cpuid_has(CPUID_HYPERVISOR)) {
        format_text(text, VENDOR_SIZE, "none");
        return;
    }
    struct cpuid_regs r = cpuid(0x40000000u, 0);
    spell(text, (const u32[]){r.ebx, r.ecx, r.edx}, 3);
    if (!text[0])
        format_text(text, VENDOR_SIZE, "unnamed");
}
