/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory operands: how an instruction accesses them, and their addresses. */
#include "reference/step/interpreter/interpret.h"
#include "tests/host/case.h"

#define BOTH (ACCESS_LOAD | ACCESS_STORE)

static const struct frame frame = {
    .rax = 0x1000,
    .rcx = 0x2000,
    .rdx = 0x3000,
    .rbx = 0x4000,
    .rsp = 0x5000,
    .rbp = 0x6000,
    .rsi = 0x7000,
    .rdi = 0x8000,
    .r8 = 0x9000,
    .r12 = 0xc000,
    .r13 = 0xd000,
    .rip = 0x100000,
};

CASE(operands)
{
    static const struct {
        u8 length, bytes[12], access;
        u64 address;
    } rows[] = {
        {3, {0x48, 0x8b, 0x00}, ACCESS_LOAD, 0x1000},                                        /* mov rax, [rax] */
        {2, {0x89, 0x0b}, ACCESS_STORE, 0x4000},                                             /* mov [rbx], ecx */
        {2, {0x89, 0xcb}, ACCESS_NONE, 0},                                                   /* mov ebx, ecx */
        {4, {0x48, 0x89, 0x04, 0x24}, ACCESS_STORE, 0x5000},                                 /* mov [rsp], rax */
        {5, {0x48, 0x8b, 0x54, 0x24, 0x08}, ACCESS_LOAD, 0x5008},                            /* mov rdx, [rsp + 8] */
        {4, {0x41, 0x8b, 0x45, 0xf8}, ACCESS_LOAD, 0xcff8},                                  /* mov eax, [r13 - 8] */
        {4, {0x43, 0x8b, 0x04, 0xc4}, ACCESS_LOAD, 0x54000},                                 /* mov eax, [r12 + 8*r8] */
        {7, {0x48, 0x8b, 0x05, 0x10, 0, 0, 0}, ACCESS_LOAD, 0x100017},                       /* mov rax, [rip + 16] */
        {11, {0x48, 0xc7, 0x05, 0xf0, 0xff, 0xff, 0xff, 1, 0, 0, 0}, ACCESS_STORE, 0xffffb}, /* mov qword [rip-16], 1 */
        {8, {0x8b, 0x04, 0x25, 0x78, 0x56, 0x34, 0x12}, ACCESS_LOAD, 0x12345678},            /* mov eax, [12345678H] */
        {3, {0x0f, 0xb6, 0x3e}, ACCESS_LOAD, 0x7000},                                        /* movzx edi, byte [rsi] */
        {2, {0x01, 0x38}, BOTH, 0x1000},                                                     /* add [rax], edi */
        {2, {0x03, 0x38}, ACCESS_LOAD, 0x1000},                                              /* add edi, [rax] */
        {2, {0x39, 0x38}, ACCESS_LOAD, 0x1000},                                              /* cmp [rax], edi */
        {3, {0x83, 0x38, 0x01}, ACCESS_LOAD, 0x1000},                                        /* cmp dword [rax], 1 */
        {3, {0x83, 0x00, 0x01}, BOTH, 0x1000},                                               /* add dword [rax], 1 */
        {2, {0xff, 0x00}, BOTH, 0x1000},                                                     /* inc dword [rax] */
        {2, {0xff, 0x10}, BOTH, 0x1000},                                                     /* call [rax] */
        {2, {0xff, 0xd0}, ACCESS_STORE, 0x4ff8},                                             /* call rax */
        {2, {0xff, 0x20}, ACCESS_LOAD, 0x1000},                                              /* jmp [rax] */
        {2, {0xff, 0xe0}, ACCESS_NONE, 0},                                                   /* jmp rax */
        {2, {0xff, 0x30}, BOTH, 0x1000},                                                     /* push qword [rax] */
        {2, {0xff, 0x18}, ACCESS_NONE, 0},                                                   /* call far [rax] */
        {2, {0x8f, 0x00}, BOTH, 0x1000},                                                     /* pop qword [rax] */
        {5, {0xf3, 0x0f, 0x6f, 0x42, 0x10}, ACCESS_LOAD, 0x3010}, /* movdqu xmm0, [rdx + 16] */
        {3, {0x0f, 0x11, 0x01}, ACCESS_STORE, 0x2000},            /* movups [rcx], xmm0 */
        {4, {0x64, 0x48, 0x8b, 0x00}, ACCESS_NONE, 0},            /* mov rax, fs:[rax] */
        {3, {0x67, 0x8b, 0x00}, ACCESS_NONE, 0},                  /* mov eax, [eax] */
        {1, {0x50}, ACCESS_STORE, 0x4ff8},                        /* push rax */
        {2, {0x41, 0x50}, ACCESS_STORE, 0x4ff8},                  /* push r8 */
        {1, {0x58}, ACCESS_LOAD, 0x5000},                         /* pop rax */
        {2, {0x6a, 0x01}, ACCESS_STORE, 0x4ff8},                  /* push 1 */
        {5, {0x68, 1, 0, 0, 0}, ACCESS_STORE, 0x4ff8},            /* push 1 */
        {1, {0x9c}, ACCESS_STORE, 0x4ff8},                        /* pushf */
        {1, {0x9d}, ACCESS_LOAD, 0x5000},                         /* popf */
        {5, {0xe8, 0, 0, 0, 0}, ACCESS_STORE, 0x4ff8},            /* call */
        {5, {0xe9, 0, 0, 0, 0}, ACCESS_NONE, 0},                  /* jmp */
        {1, {0xc3}, ACCESS_LOAD, 0x5000},                         /* ret */
        {3, {0xc2, 8, 0}, ACCESS_LOAD, 0x5000},                   /* ret 8 */
        {1, {0xc9}, ACCESS_LOAD, 0x6000},                         /* leave */
        {3, {0xf3, 0x48, 0xa5}, BOTH, 0x7000},                    /* rep movsq */
        {2, {0xf3, 0xaa}, ACCESS_STORE, 0x8000},                  /* rep stosb */
        {1, {0xac}, ACCESS_LOAD, 0x7000},                         /* lodsb */
        {1, {0xa6}, ACCESS_LOAD, 0x7000},                         /* cmpsb */
        {1, {0xae}, ACCESS_LOAD, 0x8000},                         /* scasb */
        {1, {0x90}, ACCESS_NONE, 0},                              /* nop */
        {4, {0x48, 0x8b, 0x44, 0x24}, ACCESS_NONE, 0},            /* cut */
    };
    for_each_row (rows, row) {
        struct operand operand = operand_decode(row->bytes, row->length);
        assert_int_equal(operand.access, row->access);
        if (row->access)
            assert_int_equal(operand_address(&operand, &frame), row->address);
    }
}

int main(void)
{
    return run_cases();
}
