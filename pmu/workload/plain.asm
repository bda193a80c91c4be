; Register arithmetic in instructions of distinct lengths.

%include "pmu/workload/counted.inc"

%macro work 0
    xor edi, edx
    add eax, 1
    lea rdx, [rax + 2*rax]
    add eax, 0x12345
    imul edx, edx, 0x1234567
    lea r10, [r10 + 0x1234]
    rol rdi, 7
    not edx
%endmacro

COUNTED plain, instructions = 12*k + 6, branches = 2*k + 2
