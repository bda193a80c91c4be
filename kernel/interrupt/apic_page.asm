; SPDX-License-Identifier: BSD-2-Clause
; The accesses to the local APIC's page, each one instruction, which the reference PMU may take the place of.

%include "boot/site.inc"

bits 64
section .text
global apic_page_load, apic_page_store

; u32 apic_page_load(const volatile u32 *where)
apic_page_load:
    PAGE_SITE mov eax, [rdi]
    ret

; void apic_page_store(volatile u32 *where, u32 value)
apic_page_store:
    PAGE_SITE mov [rdi], esi
    ret

section .note.GNU-stack noalloc noexec nowrite progbits
