; SPDX-License-Identifier: BSD-2-Clause
; Code that is counted: instructions of user programs other than integer arithmetic, each counted by the assembler where
; it is written, instructions that fault, and loops for speed. Called by mixed.c.

bits 64
default rel
section .text

; struct mixed_state, mixed.c
REGISTERS   equ 0                       ; RAX, RBX, RCX, RDX, RSI, R8, R9, R10, R11, R12 to R15
RFLAGS      equ 104
VECTORS     equ 128                     ; the area for FXSAVE
MEMORY      equ 128 + 512
STATUS_FLAGS equ 0x8d5

%macro LOAD_STATE 0
    push rbx
    push rbp
    push r12
    push r13
    push r14
    push r15
    mov rbp, rdi
    fxrstor64 [rbp + VECTORS]
    mov rax, [rbp]
    mov rbx, [rbp + 8]
    mov rcx, [rbp + 16]
    mov rdx, [rbp + 24]
    mov rsi, [rbp + 32]
%assign n 8
%rep 8
    mov r %+ n, [rbp + 40 + (n - 8) * 8]
    %assign n n + 1
%endrep
    lea rdi, [rbp + MEMORY + 128]
    push qword [rbp + RFLAGS]
    popfq
%endmacro

; PUSHFQ, POP, AND, and the next `after` instructions are counted as well.
%macro SAVE_STATE 0
    pushfq
    pop qword [rbp + RFLAGS]
    and qword [rbp + RFLAGS], STATUS_FLAGS
    mov [rbp], rax
    mov [rbp + 8], rbx
    mov [rbp + 16], rcx
    mov [rbp + 24], rdx
    mov [rbp + 32], rsi
%assign n 8
%rep 8
    mov [rbp + 40 + (n - 8) * 8], r %+ n
    %assign n n + 1
%endrep
    fxsave64 [rbp + VECTORS]
    pop r15
    pop r14
    pop r13
    pop r12
    pop rbp
    pop rbx
    ret
%endmacro
AROUND  equ 6 + 2 + 5 + 8 + 3 + 3 + 5 + 8 + 1 + 6 + 1

%assign counted 0
%macro i 1+
    %1
    %assign counted counted + 1
%endmacro

; void x87_pointers(void *environment, const void *operand): FNSTENV's 28 bytes, FNSAVE's 108 behind 32, FNSTENV's
; behind 160 after an instruction without an operand. FIP is x87_first, x87_first and x87_second.
global x87_pointers, x87_first, x87_second
x87_pointers:
    fninit
    fld1
x87_first:
    fadd dword [rsi]
    fnstcw [rdi + 28]                   ; a control instruction, which leaves the pointers alone
    fnstenv [rdi]
    fnsave [rdi + 32]
    fld dword [rsi]
x87_second:
    fsin
    fnstenv [rdi + 160]
    fninit
    ret

; void mixed_all(struct mixed_state *)
global mixed_all, mixed_count
mixed_all:
    LOAD_STATE
    i movups xmm0, [rdi]
    i movaps xmm1, [rdi + 16]
    i addps xmm0, xmm1
    i mulpd xmm2, [rdi + 32]
    i sqrtss xmm3, [rdi + 4]
    i divsd xmm4, xmm1
    i cvtsi2sd xmm5, r9
    i cvtsi2ss xmm6, dword [rdi + 8]
    i cvttsd2si r10, xmm5
    i cvtsd2si rax, [rdi + 64]
    i ucomisd xmm0, xmm1
    i setp bl
    i comiss xmm2, [rdi + 12]
    i adc rcx, 3
    i movd xmm7, edx
    i movq xmm8, r11
    i movq r12, xmm0
    i movd [rdi + 100], xmm3
    i pshufd xmm9, xmm8, 0x1b
    i pxor xmm10, xmm9
    i paddq xmm10, [rdi]
    i pcmpeqb xmm11, xmm10
    i pmovmskb r13d, xmm11
    i movmskpd r14d, xmm4
    i pinsrw xmm12, r8d, 5
    i pextrw esi, xmm12, 3
    i movntdq [rdi + 48], xmm10
    i movntps [rdi + 16], xmm0
    i movnti [rdi + 80], r15
    i movhps [rdi + 88], xmm2
    i movlpd xmm13, [rdi + 40]
    i unpcklps xmm13, xmm2
    i shufpd xmm13, xmm14, 1
    i cvtdq2ps xmm15, xmm10
    i cvttps2dq xmm14, xmm15
    i pshufb xmm9, [rdi]
    i ptest xmm9, xmm10
    i setz al
    i pinsrq xmm11, [rdi + 24], 1
    i pextrd [rdi + 104], xmm11, 2
    i roundsd xmm4, xmm5, 1
    i pcmpistri xmm9, xmm10, 0x0c
    i movdqu xmm1, [rdi + rcx * 0 + 3]
    i stmxcsr [rdi + 108]
    i ldmxcsr [rdi + 108]
    i prefetchnta [rdi]
    i fild dword [rdi]
    i fld qword [rdi + 40]
    i fld st1
    i fadd st0, st1
    i fmul dword [rdi + 8]
    i fxch st2
    i fucomip st0, st1
    i setb bh
    i fstp tword [rdi - 32]
    i fld1
    i fpatan
    i fisttp qword [rdi - 16]
    i fnstcw [rdi - 48]
    i fldcw [rdi - 48]
    i fnstsw ax
    i fnstsw [rdi - 46]
    i fnclex
    i fninit
    i movq mm0, [rdi]
    i paddb mm0, mm1
    i movq [rdi - 56], mm0
    i pmovmskb r8d, mm0
    i emms
    i bsf r9, r10
    i bsr r10d, [rdi + 4]
    i popcnt r11, r12
    i tzcnt edx, ebx
    i bts r12, 17
    i btr qword [rdi - 64], 5
    i shld r13, r12, 7
    i shrd [rdi - 72], r14, cl
    i lock xadd [rdi - 80], r14
    i lock cmpxchg [rdi - 88], r15
    i lock add dword [rdi - 84], ebx
    i xchg r15, [rdi - 96]
    i xchg rax, r9
    i bswap r9
    i movbe r15, [rdi]
    i crc32 eax, byte [rdi]
    i xor edx, edx
    i or ecx, 7
    i div rcx
    i mov ecx, 9
    i cqo
    i idiv qword [rdi + 112]
    i stc
    i cmc
    i lahf
    i sahf
    i fs mov r8, [rdi]
    i gs add r8, [rdi + 8]
    i mov r9, rdi
    i lea rsi, [rdi + 8]
    i mov ecx, 17
    i rep movsb
    i mov ecx, 3
    i rep stosq
    i lodsd
    i movsq
    i xor ecx, ecx
    i rep stosb
    i sub rsi, rdi
    i mov rdi, r9
    i xor r9d, r9d
    SAVE_STATE

section .rodata
mixed_count: dd counted + AROUND
section .text

; Instructions that fault, each in a function of its own: uint64_t fault_N(struct mixed_state *), with RDI at its memory
; and RSI at a page that is not mapped. The interrupt handler continues behind the instruction, at fault_next.
global fault_next
%macro FAULT 2+
global fault_%1
fault_%1:
    lea rax, [.next]
    mov [fault_next], rax
    %2
.next:
    ret
%endmacro
FAULT load, movups xmm0, [rsi]
FAULT store, movups [rsi], xmm0
FAULT across, movups xmm0, [rsi - 8]
FAULT alignment, movaps xmm0, [rdi + 4]
FAULT sse, addps xmm0, xmm0
FAULT x87, fld1
FAULT mmx, movq mm0, [rdi]
FAULT divide, divps xmm0, xmm1
FAULT wait, fwait
FAULT integer_divide, div qword [rdi + 120]
FAULT atomic, lock add qword [rsi], 1

; uint32_t call_changing(uint32_t turns, uint32_t changes): what the code at changing_code makes of 0, called this many
; times before each change of its operand.
global call_changing, changing_code
call_changing:
    xor eax, eax
.change:
    mov ecx, edi
    jmp .turn                           ; this caller is met before the code that has changed
.turn:
    call changing_code
    dec ecx
    jnz .turn
    inc byte [changing_code + 2]
    dec esi
    jnz .change
    ret

; Loops for speed: void speed_N(unsigned long turns, void *memory). They are too long to be translated whole.
%macro SPEED 3+
global speed_%1
speed_%1:
    sub rsp, 8
.turn:
%rep %2
    %3
%endrep
    dec rdi
    jnz .turn
    add rsp, 8
    ret
%endmacro
%macro INTEGER 0
    add rax, rcx
    lea rdx, [rax + rcx * 4 + 3]
    xor ecx, edx
    shr rcx, 3
    cmp rcx, rax
    cmovb rax, rdx
    imul rcx, rdx, 5
    movzx edx, cl
%endmacro
%macro MEMORY_ACCESS 0
    mov rax, [rsi]
    add [rsi + 8], rax
    mov [rsi + 16], rcx
    movzx ecx, byte [rsi + 3]
    push rax
    pop rdx
    cmp rdx, [rsi + 8]
    mov [rsi + 24], edx
%endmacro
%macro CALLS 0
    call function
    test eax, eax
    js %%never
    mov ecx, eax
%%never:
%endmacro
%macro SSE 0
    movups xmm0, [rsi]
    addpd xmm1, xmm0
    mulsd xmm1, xmm0
    movaps [rsi + 16], xmm1
    cvttsd2si eax, xmm1
    pxor xmm2, xmm0
    ucomisd xmm1, xmm0
    movd [rsi + 40], xmm2
%endmacro
%macro X87 0
    fld qword [rsi]
    fadd qword [rsi]
    fmul st0
    fxch st0
    fabs
    fcomi st0
    fstp qword [rsi + 48]
    fwait
%endmacro
; A bit in memory, by its number in a register: it lies outside the operand.
%macro BITS_FAR 0
    mov ecx, 75
    bt [rsi], rcx
    bts [rsi], rcx
    btr [rsi], rcx
    btc [rsi], ecx
    lock bts [rsi], rcx
    lock btr [rsi], rcx
    lock btc [rsi], ecx
%endmacro
%macro STRINGS 0
    lea rdi, [rsi + 32]
    mov ecx, 29
    rep stosb
%endmacro
SPEED integer, 8, INTEGER
SPEED memory, 8, MEMORY_ACCESS
SPEED sse, 8, SSE
SPEED x87, 8, X87
SPEED bits, 8, BITS_FAR
SPEED calls, 10, CALLS
function:
    lea eax, [rcx + 1]
    and eax, 0xff
    ret
global speed_strings
speed_strings:
    mov rdx, rdi
.turn:
%rep 2
    STRINGS
%endrep
    dec rdx
    jnz .turn
    ret
global speed_self
speed_self:
    mov rcx, rdi
    loop $
    ret

section .bss
fault_next: resq 1
changing_code: resb 16

section .note.GNU-stack noalloc noexec nowrite progbits
