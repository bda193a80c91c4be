/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Integer arithmetic with its flags, by the CPU's own instructions, so that results and flags are what they would have
 * been.
 */
#include "reference/step/interpreter/interpret.h"

/* Status flags as LAHF and SETO leave them: in AH and AL of EAX. SAHF and an addition that overflows restore them. */
#define FLAGS_IN "addb $127, %%al\n\tsahf\n\t"
#define FLAGS_OUT "\n\tlahf\n\tseto %%al"

typedef u64 (*binary)(u64 a, u64 b, u32 *flags);

#define BINARY(name, instruction, bytes, modifier)                                                                    \
    static inline u64 name##bytes(u64 a, u64 b, u32 *flags)                                                           \
    {                                                                                                                 \
        u32 x = *flags;                                                                                               \
        __asm__(FLAGS_IN instruction " %" modifier "2, %" modifier "0" FLAGS_OUT : "+r"(a), "+a"(x) : "r"(b) : "cc"); \
        *flags = x;                                                                                                   \
        return a;                                                                                                     \
    }                                                                                                                 \
    PLAIN(name, bytes)
#define SHIFT(name, instruction, bytes, modifier)                                                           \
    static inline u64 name##bytes(u64 a, u64 b, u32 *flags)                                                 \
    {                                                                                                       \
        u32 x = *flags;                                                                                     \
        __asm__(FLAGS_IN instruction " %%cl, %" modifier "0" FLAGS_OUT : "+r"(a), "+a"(x) : "c"(b) : "cc"); \
        *flags = x;                                                                                         \
        return a;                                                                                           \
    }                                                                                                       \
    PLAIN(name, bytes)
#define UNARY(name, instruction, bytes, modifier)                                              \
    static inline u64 name##bytes(u64 a, u64 b, u32 *flags)                                    \
    {                                                                                          \
        u32 x = *flags;                                                                        \
        (void)b;                                                                               \
        __asm__(FLAGS_IN instruction " %" modifier "0" FLAGS_OUT : "+r"(a), "+a"(x) : : "cc"); \
        *flags = x;                                                                            \
        return a;                                                                              \
    }                                                                                          \
    PLAIN(name, bytes)
/* The same as an instruction whose operands are in registers, or immediate. */
#define PLAIN(name, bytes)                                                                   \
    static bool name##bytes##_plain(const struct operation *o, struct frame *f, u64 watched) \
    {                                                                                        \
        (void)watched;                                                                       \
        return plainly(o, f, name##bytes, bytes);                                            \
    }

u32 flags_pack(u64 rflags)
{
    return (u32)((rflags & 0xd5) << 8 | (rflags >> 11 & 1));
}

void flags_unpack(u32 flags, u64 *rflags)
{
    *rflags = (*rflags & ~RFLAGS_STATUS) | (flags >> 8 & 0xd5) | (u64)(flags & 1) << 11;
}

/* Compiled for each function: it calls none. */
static inline __attribute__((always_inline)) bool plainly(const struct operation *o, struct frame *f, binary function,
                                                          unsigned size)
{
    u64 a = *frame_register(f, o->to_register);
    u64 b = o->from == OPERAND_REGISTER ? *frame_register(f, o->from_register) : (u64)o->immediate;
    u32 flags = flags_pack(f->rflags);
    a = function(a, b, &flags);
    if (o->code == OP_ARITHMETIC)
        frame_set(f, o->to_register, a, size);
    flags_unpack(flags, &f->rflags);
    return operation_done(o, f);
}

#define SIZES(shape, name, instruction)                                                                \
    shape(name, instruction, 1, "b") shape(name, instruction, 2, "w") shape(name, instruction, 4, "k") \
        shape(name, instruction, 8, "q")

SIZES(BINARY, do_add, "add")
SIZES(BINARY, do_or, "or")
SIZES(BINARY, do_adc, "adc")
SIZES(BINARY, do_sbb, "sbb")
SIZES(BINARY, do_and, "and")
SIZES(BINARY, do_sub, "sub")
SIZES(BINARY, do_xor, "xor")
SIZES(BINARY, do_cmp, "cmp")
SIZES(BINARY, do_test, "test")
SIZES(SHIFT, do_rol, "rol")
SIZES(SHIFT, do_ror, "ror")
SIZES(SHIFT, do_rcl, "rcl")
SIZES(SHIFT, do_rcr, "rcr")
SIZES(SHIFT, do_shl, "shl")
SIZES(SHIFT, do_shr, "shr")
SIZES(SHIFT, do_sar, "sar")
SIZES(UNARY, do_inc, "inc")
SIZES(UNARY, do_dec, "dec")
SIZES(UNARY, do_not, "not")
SIZES(UNARY, do_neg, "neg")
BINARY(do_imul, "imul", 2, "w")
BINARY(do_imul, "imul", 4, "k")
BINARY(do_imul, "imul", 8, "q")
BINARY(do_bt, "bt", 2, "w")
BINARY(do_bt, "bt", 4, "k")
BINARY(do_bt, "bt", 8, "q")

#define ROW(name, as)                                      \
    {                                                      \
        name##1##as, name##2##as, name##4##as, name##8##as \
    }
#define WORDS(name, as)                             \
    {                                               \
        NULL, name##2##as, name##4##as, name##8##as \
    }
#define ROWS(as)                                                                                                    \
    [DO_ADD] = ROW(do_add, as), [DO_OR] = ROW(do_or, as), [DO_ADC] = ROW(do_adc, as), [DO_SBB] = ROW(do_sbb, as),   \
    [DO_AND] = ROW(do_and, as), [DO_SUB] = ROW(do_sub, as), [DO_XOR] = ROW(do_xor, as), [DO_CMP] = ROW(do_cmp, as), \
    [DO_ROL] = ROW(do_rol, as), [DO_ROR] = ROW(do_ror, as), [DO_RCL] = ROW(do_rcl, as), [DO_RCR] = ROW(do_rcr, as), \
    [DO_SHL] = ROW(do_shl, as), [DO_SHR] = ROW(do_shr, as), [DO_SAL] = ROW(do_shl, as), [DO_SAR] = ROW(do_sar, as), \
    [DO_INC] = ROW(do_inc, as), [DO_DEC] = ROW(do_dec, as), [DO_NOT] = ROW(do_not, as), [DO_NEG] = ROW(do_neg, as), \
    [DO_TEST] = ROW(do_test, as), [DO_IMUL] = WORDS(do_imul, as), [DO_BT] = WORDS(do_bt, as),

static const binary functions[FUNCTIONS][4] = {ROWS()};
static const execution plain[FUNCTIONS][4] = {ROWS(_plain)};

static unsigned row_of(unsigned size)
{
    return size == 8 ? 3 : size >> 1;
}

u64 arithmetic(enum function function, unsigned size, u64 a, u64 b, u64 *rflags)
{
    u32 flags = flags_pack(*rflags);
    a = functions[function][row_of(size)](a, b, &flags);
    flags_unpack(flags, rflags);
    return a;
}

execution arithmetic_of(const struct operation *o)
{
    return plain[o->function][row_of(o->size)];
}

/* CF and OF tell whether the upper half is significant; the other status flags are undefined and stay. */
void arithmetic_wide(enum function function, unsigned size, u64 *low, u64 *high, u64 b, u64 *rflags)
{
    unsigned __int128 product;
    bool is_signed = function == DO_IMUL_WIDE;
    if (is_signed)
        product = (unsigned __int128)((__int128)sign_extended(*low, size) * sign_extended(b, size));
    else
        product = (unsigned __int128)(*low & size_mask(size)) * (b & size_mask(size));
    *low = (u64)product & size_mask(size);
    *high = (u64)(product >> 8 * size) & size_mask(size);
    u64 empty = is_signed && sign_extended(*low, size) < 0 ? size_mask(size) : 0;
    *rflags &= ~(BIT(0) | BIT(11));
    if (*high != empty)
        *rflags |= BIT(0) | BIT(11);
}
