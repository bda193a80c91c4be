/* SPDX-License-Identifier: BSD-2-Clause */
/* The stepping decoder against encodings written down from the manual's opcode map. */
#include "reference/step/interpreter/interpret.h"
#include "tests/host/case.h"

#define BYTES(...) {__VA_ARGS__}, sizeof((const u8[]){__VA_ARGS__})

static const struct row {
    const char *text;
    u8 bytes[16];
    unsigned count;
    enum instruction_kind kind;
    unsigned length;
} rows[] = {
    {"nop", BYTES(0x90), KIND_PLAIN, 0},
    {"pause", BYTES(0xf3, 0x90), KIND_PAUSE, 2},
    {"xbegin", BYTES(0xc7, 0xf8, 0x10, 0, 0, 0), KIND_XBEGIN, 6},
    {"xabort", BYTES(0xc6, 0xf8, 0x5a), KIND_XABORT, 3},
    {"mov byte [rax], 5ah", BYTES(0xc6, 0x00, 0x5a), KIND_PLAIN, 0},
    {"xchg r8, rax with a repeat prefix", BYTES(0xf3, 0x41, 0x90), KIND_PLAIN, 0},
    {"jz short", BYTES(0x74, 0x05), KIND_BRANCH, 2},
    {"jz near", BYTES(0x0f, 0x84, 0, 1, 0, 0), KIND_BRANCH, 6},
    {"loop", BYTES(0xe2, 0xfe), KIND_BRANCH, 2},
    {"jmp short", BYTES(0xeb, 0x01), KIND_BRANCH, 0},
    {"call near", BYTES(0xe8, 0, 0, 0, 0), KIND_BRANCH, 0},
    {"call rax", BYTES(0xff, 0xd0), KIND_BRANCH, 0},
    {"jmp r9", BYTES(0x41, 0xff, 0xe1), KIND_BRANCH, 0},
    {"push rax through group 5", BYTES(0xff, 0xf0), KIND_PLAIN, 0},
    {"jmp far through memory", BYTES(0x48, 0xff, 0x28), KIND_FAR_BRANCH, 0},
    {"ret", BYTES(0xc3), KIND_BRANCH, 0},
    {"retf", BYTES(0x48, 0xcb), KIND_FAR_BRANCH, 0},
    {"rep movsb", BYTES(0xf3, 0xa4), KIND_REP_STRING, 0},
    {"repne scasq", BYTES(0xf2, 0x48, 0xaf), KIND_REP_STRING, 0},
    {"movsb alone", BYTES(0xa4), KIND_PLAIN, 0},
    {"rep lodsb", BYTES(0xf3, 0xac), KIND_REP_STRING, 0},
    {"test al, imm8 after a repeat prefix", BYTES(0xf3, 0xa8, 0), KIND_PLAIN, 0},
    {"pushfq", BYTES(0x9c), KIND_PUSHF, 1},
    {"pushfw", BYTES(0x66, 0x9c), KIND_PUSHF, 2},
    {"popfq", BYTES(0x9d), KIND_POPF, 1},
    {"fnstenv [rdi]", BYTES(0xd9, 0x37), KIND_X87_POINTERS, 0},
    {"fnsave [r8+8]", BYTES(0x41, 0xdd, 0x70, 0x08), KIND_X87_POINTERS, 0},
    {"fptan, which has no operand", BYTES(0xd9, 0xf2), KIND_PLAIN, 0},
    {"fldcw [rdi]", BYTES(0xd9, 0x2f), KIND_PLAIN, 0},
    {"rdtsc", BYTES(0x0f, 0x31), KIND_RDTSC, 2},
    {"rdtscp", BYTES(0x0f, 0x01, 0xf9), KIND_RDTSCP, 3},
    {"rdtsc with a prefix", BYTES(0x66, 0x0f, 0x31), KIND_RDTSC, 3},
    {"swapgs", BYTES(0x0f, 0x01, 0xf8), KIND_PLAIN, 0},
    {"iretq", BYTES(0x48, 0xcf), KIND_IRETQ, 2},
    {"iretd", BYTES(0xcf), KIND_IRET, 0},
    {"syscall", BYTES(0x0f, 0x05), KIND_SYSCALL, 2},
    {"sysretq", BYTES(0x48, 0x0f, 0x07), KIND_SYSRETQ, 3},
    {"int 0x80", BYTES(0xcd, 0x80), KIND_INT, 2},
    {"int3", BYTES(0xcc), KIND_INT, 1},
    {"hlt", BYTES(0xf4), KIND_HLT, 1},
    {"cpuid", BYTES(0x0f, 0xa2), KIND_CPUID, 2},
    {"rdmsr", BYTES(0x0f, 0x32), KIND_RDMSR, 2},
    {"wrmsr", BYTES(0x0f, 0x30), KIND_WRMSR, 2},
    {"rdpmc", BYTES(0x0f, 0x33), KIND_RDPMC, 2},
    {"sti", BYTES(0xfb), KIND_SHADOW, 1},
    {"mov ss, eax", BYTES(0x8e, 0xd0), KIND_SHADOW, 2},
    {"mov ss, [rax]", BYTES(0x8e, 0x10), KIND_SHADOW, 2},
    {"mov ss, [rsp + 8]", BYTES(0x8e, 0x54, 0x24, 8), KIND_SHADOW, 4},
    {"mov ss, [rip + disp32]", BYTES(0x8e, 0x15, 0, 0, 0, 0), KIND_SHADOW, 6},
    {"mov ds, eax", BYTES(0x8e, 0xd8), KIND_PLAIN, 0},
    {"lss ecx, [disp32]", BYTES(0x0f, 0xb2, 0x0c, 0x25, 0, 0, 0, 0), KIND_SHADOW, 8},
    {"cut in the middle", BYTES(0x0f), KIND_PLAIN, 0},
};

CASE(kinds_of_branches)
{
    static const struct {
        u8 bytes[8];
        enum branch_type type;
    } branches[] = {
        {{0x74, 0x05}, BRANCH_CONDITIONAL},
        {{0x0f, 0x84, 0, 1, 0, 0}, BRANCH_CONDITIONAL},
        {{0xe2, 0xfe}, BRANCH_CONDITIONAL},
        {{0xeb, 0x01}, BRANCH_JUMP},
        {{0xe9, 0, 1, 0, 0}, BRANCH_JUMP},
        {{0xe8, 0, 1, 0, 0}, BRANCH_CALL},
        {{0xff, 0xd0}, BRANCH_CALL_INDIRECT},
        {{0x41, 0xff, 0xe1}, BRANCH_JUMP_INDIRECT},
        {{0xc3}, BRANCH_RETURN},
        {{0xc2, 8, 0}, BRANCH_RETURN},
        {{0x48, 0xcb}, BRANCH_OTHER},
        {{0x90}, BRANCH_OTHER},
    };
    for_each_row (branches, row)
        assert_int_equal(decode(row->bytes, sizeof(row->bytes)).branch, row->type);
}

CASE(kinds_and_lengths)
{
    for (const struct row *row = rows; row < rows + sizeof(rows) / sizeof(rows[0]); row++) {
        struct instruction i = decode(row->bytes, row->count);
        if (i.kind != row->kind || i.length != row->length)
            fail_msg("%s: kind %d length %u", row->text, (int)i.kind, i.length);
    }
}

/* Encodings that differ in 32-bit code. */
CASE(legacy_code)
{
    static const struct row legacy[] = {
        {"inc eax, which is no prefix", BYTES(0x40, 0xf4), KIND_PLAIN, 0},
        {"dec ecx before hlt", BYTES(0x49, 0xcf), KIND_PLAIN, 0},
        {"iretd", BYTES(0xcf), KIND_IRET, 0},
        {"pop ss", BYTES(0x17), KIND_SHADOW, 1},
        {"mov ss, [ebp+8]", BYTES(0x8e, 0x55, 0x08), KIND_SHADOW, 3},
        {"call far", BYTES(0x9a, 0, 0, 0, 0, 8, 0), KIND_FAR_BRANCH, 0},
        {"jmp far", BYTES(0xea, 0, 0, 0, 0, 8, 0), KIND_FAR_BRANCH, 0},
        {"sysenter", BYTES(0x0f, 0x34), KIND_FAR_BRANCH, 0},
        {"syscall", BYTES(0x0f, 0x05), KIND_FAR_BRANCH, 0},
        {"jz near", BYTES(0x0f, 0x84, 0, 1, 0, 0), KIND_BRANCH, 6},
        {"jz near with 16-bit operand", BYTES(0x66, 0x0f, 0x84, 0, 1), KIND_BRANCH, 5},
        {"loop", BYTES(0xe2, 0xfe), KIND_BRANCH, 2},
        {"rdmsr", BYTES(0x0f, 0x32), KIND_RDMSR, 2},
        {"int 80h", BYTES(0xcd, 0x80), KIND_INT, 2},
        {"rep movsd", BYTES(0xf3, 0xa5), KIND_REP_STRING, 0},
    };
    for (unsigned n = 0; n < sizeof(legacy) / sizeof(legacy[0]); n++) {
        struct instruction i = decode_legacy(legacy[n].bytes, legacy[n].count, CODE_32);
        if (i.kind != legacy[n].kind || i.length != legacy[n].length)
            fail_msg("%s: kind %d, length %u", legacy[n].text, (int)i.kind, i.length);
    }
}

/* And 16-bit code: a prefix selects the other size of operands and addresses. */
CASE(code_of_16_bits)
{
    static const struct row narrow[] = {
        {"mov ss, ax", BYTES(0x8e, 0xd0), KIND_SHADOW, 2},
        {"mov ss, [bx+si]", BYTES(0x8e, 0x10), KIND_SHADOW, 2},
        {"mov ss, [1234h]", BYTES(0x8e, 0x16, 0x34, 0x12), KIND_SHADOW, 4},
        {"mov ss, [bp+8]", BYTES(0x8e, 0x56, 0x08), KIND_SHADOW, 3},
        {"mov ss, [si+1234h]", BYTES(0x8e, 0x94, 0x34, 0x12), KIND_SHADOW, 4},
        {"mov ss, [esp+8]", BYTES(0x67, 0x8e, 0x54, 0x24, 0x08), KIND_SHADOW, 5},
        {"lss sp, [1234h]", BYTES(0x0f, 0xb2, 0x26, 0x34, 0x12), KIND_SHADOW, 5},
        {"jz near", BYTES(0x0f, 0x84, 0, 1), KIND_BRANCH, 4},
        {"jz near with 32-bit operand", BYTES(0x66, 0x0f, 0x84, 0, 1, 0, 0), KIND_BRANCH, 7},
        {"loop with ecx", BYTES(0x67, 0xe2, 0xfe), KIND_BRANCH, 3},
        {"jmp far", BYTES(0xea, 0, 0, 0, 8), KIND_FAR_BRANCH, 0},
        {"int 10h", BYTES(0xcd, 0x10), KIND_INT, 2},
        {"pushf", BYTES(0x9c), KIND_PUSHF, 1},
        {"sti", BYTES(0xfb), KIND_SHADOW, 1},
        {"inc ax, which is no prefix", BYTES(0x40, 0xf4), KIND_PLAIN, 0},
        {"wrmsr", BYTES(0x0f, 0x30), KIND_WRMSR, 2},
    };
    for_each_row (narrow, row) {
        struct instruction i = decode_legacy(row->bytes, row->count, CODE_16);
        if (i.kind != row->kind || i.length != row->length)
            fail_msg("%s: kind %d, length %u", row->text, (int)i.kind, i.length);
    }
    static const u8 by_16_bits[] = {0x67, 0x8e, 0x16, 0x34, 0x12}; /* mov ss, [1234h] in 32-bit code */
    assert_int_equal(decode_legacy(by_16_bits, sizeof(by_16_bits), CODE_32).length, 5);
}

CASE(vectors_and_operand_size)
{
    assert_int_equal(decode((const u8[]){0xcd, 0x82}, 2).vector, 0x82);
    assert_int_equal(decode((const u8[]){0xcc}, 1).vector, 3);
    assert_true(decode((const u8[]){0x66, 0x9c}, 2).word);
    assert_false(decode((const u8[]){0x9c}, 1).word);
}

CASE(nothing_readable)
{
    assert_int_equal(decode(NULL, 0).kind, KIND_PLAIN);
    static const u8 prefixes[INSTRUCTION_MAX] = {[0 ... INSTRUCTION_MAX - 1] = 0x66};
    assert_int_equal(decode(prefixes, sizeof(prefixes)).kind, KIND_PLAIN);
}

int main(void)
{
    return run_cases();
}
