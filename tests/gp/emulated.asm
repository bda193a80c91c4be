; SPDX-License-Identifier: BSD-2-Clause
; Work at CPL 3 that a hypervisor carries out, for probe_work(): with each iteration's instructions and branches.

%include "harness/settled_work.inc"

; 2 instructions, none of them a branch.
%macro work 0
    mov eax, 0
    cpuid
%endmacro
SETTLED emulated_cpuid

; 2 instructions, 1 of them a branch, which KVM with force_emulation_prefix carries out; elsewhere #UD.
%macro work 0
    ud2
    db "kvm"
    clflush [rsp]
    ud2
    db "kvm"
    jmp %%on
    int3
%%on:
%endmacro
SETTLED emulated_forced
