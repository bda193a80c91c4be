/* SPDX-License-Identifier: BSD-2-Clause */
/* The data types of instructions. */
#include "reference/step/interpreter/interpret.h"
#include "tests/host/case.h"

CASE(kinds)
{
    static const struct {
        u8 length, bytes[8], execution;
    } rows[] = {
        {3, {0x0f, 0x58, 0xc1}, EXECUTION_PACKED_SP},             /* addps xmm0, xmm1 */
        {4, {0x66, 0x0f, 0x58, 0xc1}, EXECUTION_PACKED_DP},       /* addpd */
        {4, {0xf3, 0x0f, 0x58, 0xc1}, EXECUTION_SCALAR_SP},       /* addss */
        {4, {0xf2, 0x0f, 0x58, 0xc1}, EXECUTION_SCALAR_DP},       /* addsd */
        {5, {0xf2, 0x44, 0x0f, 0x58, 0xc1}, EXECUTION_SCALAR_DP}, /* addsd xmm8, xmm1 */
        {3, {0x0f, 0x54, 0xc1}, EXECUTION_PACKED_SP},             /* andps */
        {4, {0x0f, 0xc2, 0xc1, 0x00}, EXECUTION_PACKED_SP},       /* cmpps */
        {3, {0x0f, 0xfe, 0xc1}, EXECUTION_MMX_64},                /* paddd mm0, mm1 */
        {4, {0x66, 0x0f, 0xfe, 0xc1}, EXECUTION_MMX_128},         /* paddd xmm0, xmm1 */
        {2, {0xd8, 0xc1}, EXECUTION_X87},                         /* fadd st0, st1 */
        {3, {0x0f, 0x28, 0xc1}, EXECUTION_OTHER},                 /* movaps */
        {4, {0x66, 0x0f, 0x6f, 0xc1}, EXECUTION_OTHER},           /* movdqa */
        {3, {0x0f, 0x5a, 0xc1}, EXECUTION_OTHER},                 /* cvtps2pd */
        {3, {0x0f, 0xaf, 0xc1}, EXECUTION_OTHER},                 /* imul */
        {2, {0x0f, 0xff}, EXECUTION_OTHER},                       /* ud0 */
        {2, {0x01, 0xc8}, EXECUTION_OTHER},                       /* add eax, ecx */
        {1, {0x0f, 0x58}, EXECUTION_OTHER},                       /* cut */
        {1, {0x66, 0x0f}, EXECUTION_OTHER},
        {0, {0xd8}, EXECUTION_OTHER},
    };
    for_each_row (rows, row)
        assert_int_equal(execution_decode(row->bytes, row->length), row->execution);
}

int main(void)
{
    return run_cases();
}
