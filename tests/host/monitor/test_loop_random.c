/* links: pmu/reference/monitor/interpreter/operation.c pmu/reference/monitor/interpreter/arithmetic.c
 * pmu/reference/monitor/interpreter/copy.c pmu/reference/monitor/interpreter/copy.asm
 * pmu/reference/monitor/interpreter/interpret.c pmu/reference/monitor/interpreter/loop.c
 * pmu/reference/monitor/interpreter/loop.asm pmu/reference/model/ pmu/reference/deviations/ */
/*
 * Loops executed from their translation against the same instructions interpreted one by one: random bodies, starts and
 * numbers of turns. Registers, flags, memory, counts and the instruction that comes next must be alike, wherever the
 * loop was left: after its turns, through one of its branches, or at an access that faults.
 */
#include "tests/host/monitor/loop_rig.h"

#define ROUNDS 10000
#define INSTRUCTIONS_MOST 3000

static bool legacy; /* 32-bit code */
static u8 area_given[AREA];
static unsigned translated, whole, left, faulted;

/* ---- Random states and loops. */

static void draw_state(struct frame *f)
{
    memset(f, 0, sizeof(*f));
    for (unsigned i = 0; i < 16; i++)
        *frame_register(f, i) = draw() % 4   ? (u64)area + 64 + draw() % (AREA - 128)
                                : draw() % 3 ? draw() % 200
                                             : draw();
    for (unsigned i = 0; i < 16 && legacy; i++)
        *frame_register(f, i) = i < 8 ? (u32)*frame_register(f, i) : 0;
    f->rflags = (draw() & STATUS_FLAGS) | 2;
    f->rip = (u64)base + GUEST_AT;
}

/* Opcodes that are straight, most of them in several forms. */
static const u8 opcodes[][2] = {
    {0x41},       {0x4d},       {0x01},       {0x03},       {0x09},       {0x11},       {0x13},       {0x19},
    {0x21},       {0x29},       {0x2b},       {0x31},       {0x33},       {0x39},       {0x3b},       {0x50},
    {0x55},       {0x58},       {0x5b},       {0x63},       {0x69},       {0x6a},       {0x6b},       {0x80},
    {0x81},       {0x83},       {0x84},       {0x85},       {0x88},       {0x89},       {0x8a},       {0x8b},
    {0x8d},       {0x90},       {0x98},       {0x99},       {0xa8},       {0xb0},       {0xb9},       {0xc1},
    {0xc7},       {0xd1},       {0xd3},       {0xf6},       {0xf7},       {0xfe},       {0xff},       {0x0f, 0x1f},
    {0x0f, 0x44}, {0x0f, 0x4d}, {0x0f, 0x92}, {0x0f, 0x95}, {0x0f, 0xaf}, {0x0f, 0xb6}, {0x0f, 0xbe}, {0x0f, 0xba},
    {0x0f, 0xae},
};

static unsigned draw_bytes(u8 bytes[16])
{
    static const u8 rex[] = {0, 0x48, 0x49, 0x4c, 0x4d, 0x41};
    const u8 *opcode = opcodes[draw() % ARRAY_SIZE(opcodes)];
    unsigned n = 0;
    if (draw() % 8 == 0)
        bytes[n++] = 0x66;
    if (!legacy && draw() % 3)
        bytes[n++] = rex[draw() % ARRAY_SIZE(rex)];
    bytes[n++] = opcode[0];
    if (opcode[0] == 0x0f)
        bytes[n++] = opcode[1];
    for (unsigned i = n; i < 16; i++)
        bytes[i] = (u8)draw();
    if (draw() % (legacy ? 8 : 2))
        bytes[n] |= 0xc0; /* registers */
    else if (draw() % 2)
        bytes[n] = (u8)((bytes[n] & 0x3f) | 0x40); /* memory, with a short displacement */
    else if (draw() % 2)
        bytes[n] = (u8)((bytes[n] & 0x38) | 5); /* relative to RIP */
    return n + 1;
}

static struct operation take_apart(const u8 *bytes)
{
    return (legacy ? operation_decode_legacy : operation_decode)(bytes, 16);
}

static bool straight(const struct operation *o)
{
    return o->code && (o->code < OP_JUMP || o->code == OP_FENCE);
}

/* A displacement relative to RIP that leads into the area, from an instruction at `rip`. */
static void aim(u8 *bytes, const struct operation *o, unsigned displacement_at, u64 rip)
{
    if (o->base != REGISTER_RIP || (o->to != OPERAND_MEMORY && o->from != OPERAND_MEMORY))
        return;
    s32 displacement = (s32)((u64)area + draw() % (AREA - 8) - rip - o->length);
    memcpy(bytes + displacement_at, &displacement, 4);
}

static u8 *put_operation(u8 *at, const u8 *bytes)
{
    body[count] = take_apart(bytes);
    memcpy(at, bytes, body[count].length);
    return at + body[count++].length;
}

/* Does it leave flags behind that the manual leaves open? Two forms of one instruction may then differ. */
static bool leaves_flags_open(const struct operation *o)
{
    bool calculates = o->code == OP_ARITHMETIC || o->code == OP_COMPARE;
    bool shifts = o->function >= DO_ROL && o->function <= DO_SAR;
    return o->code == OP_MULTIPLY || o->code == OP_SCALE ||
           (calculates && (shifts || o->function == DO_IMUL || o->function == DO_BT));
}

static u8 *draw_straight(u8 *at)
{
    static const u8 compare_eax[16] = {0x39, 0xc0};
    u8 bytes[16];
    struct operation o;
    unsigned displacement_at;
    do {
        displacement_at = draw_bytes(bytes);
        o = take_apart(bytes);
    } while (!straight(&o) || (draw() % 4 && (o.code == OP_PUSH || o.code == OP_POP)));
    aim(bytes, &o, displacement_at, (u64)at);
    at = put_operation(at, bytes);
    return leaves_flags_open(&o) ? put_operation(at, compare_eax) : at;
}

/* Some branches out of it, and one back. */
static void draw_loop(u8 *guest)
{
    u8 *at = guest, bytes[16] = {0};
    unsigned length = draw() % 9; /* 0: a branch to itself */
    count = 0;
    memset(guest, 0xcc, 512);
    while (count < length) {
        at = draw_straight(at);
        if (draw() % 6 == 0) {
            bytes[0] = 0x0f;
            bytes[1] = (u8)(0x80 | draw() % 16);
            bytes[2] = (u8)(100 + draw() % 100);
            at = put_operation(at, bytes);
        }
    }
    if (draw() % 2) {
        static const u8 counted[][16] = {{0xff, 0xc9}, {0x49, 0xff, 0xcf}, {0x48, 0x83, 0xe9, 0x03}};
        at = put_operation(at, counted[draw() % ARRAY_SIZE(counted)]);
    }
    bool near = draw() % 2;
    static const u8 closing[] = {0xe2, 0xe3, 0xeb, 0x75, 0x75, 0x75, 0x72, 0x7f};
    bytes[0] = near ? 0x0f : closing[draw() % ARRAY_SIZE(closing)];
    bytes[1] = near ? (u8)(0x80 | draw() % 16) : (u8)(guest - at - 2);
    s32 back = (s32)(guest - at - 6);
    memcpy(bytes + 2, &back, 4);
    put_operation(at, bytes);
}

/* ---- The comparison. */

static void fail_with(const char *what)
{
    char text[3 * LOOP_BYTES + 1] = "";
    for (unsigned i = 0; i < loop.behind - loop.top; i++)
        snprintf(text + 3 * i, 4, "%02x ", loop.bytes[i]);
    fail_msg("%s differs after the loop %s", what, text);
}

/* A slice of the loop by both; false: it is over, or what comes next would touch memory that is not ours. */
static bool compare_slice(struct frame *f, u32 turns)
{
    struct frame stepped = *f, before = *f;
    memcpy(area_given, area, AREA);
    struct outcome o = step(&stepped, turns * count);
    if (o.faulted && !near_miss) {
        turns = o.instructions / count; /* none of them touches anything else */
        stepped = before;
        memcpy(area, area_given, AREA);
        o = step(&stepped, turns * count);
    }
    if (!turns)
        return false;
    memcpy(area_stepped, area, AREA);
    memcpy(area, area_given, AREA);
    unsigned faults_before = faults;
    struct loop_result r = execute(f, turns);
    const char *what = difference(f, &r, &stepped, &o);
    if (what)
        fail_with(what);
    if (o.faulted != (faults != faults_before))
        fail_with("the fault");
    whole += r.instructions == turns * count;
    left += r.instructions < turns * count && !o.faulted;
    faulted += o.faulted;
    return f->rip == loop.top && r.instructions == turns * count;
}

static void compare_loops(unsigned rounds)
{
    catch_faults();
    translated = whole = left = faulted = 0;
    for (unsigned n = 0; n < rounds; n++) {
        struct frame f;
        draw_loop(base + GUEST_AT);
        if (!translate() || (legacy && loop.touches_memory))
            continue;
        translated++;
        draw_state(&f);
        for (unsigned i = 0; i < AREA; i += 8)
            memcpy(area + i, (u64[]){draw() % 3 ? draw() % 100 : draw()}, 8);
        for (u32 done = 0; done < 3; done++)
            if (!compare_slice(&f, 1 + (u32)(draw() % (INSTRUCTIONS_MOST / count / 3))))
                break;
    }
}

static void test_random_loops(void **unused)
{
    (void)unused;
    compare_loops(ROUNDS);
    assert_true(translated > ROUNDS / 2);
    assert_true(whole > ROUNDS / 20);
    assert_true(left > ROUNDS / 20);
    assert_true(faulted > ROUNDS / 200);
}

static void test_random_loops_of_32_bit_code(void **unused)
{
    (void)unused;
    legacy = true;
    compare_loops(ROUNDS);
    legacy = false;
    assert_true(translated > ROUNDS / 5);
    assert_true(whole > ROUNDS / 50);
    assert_true(left > ROUNDS / 50);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_loops),
                                              cmocka_unit_test(test_random_loops_of_32_bit_code)};
    return cmocka_run_group_tests(tests, prepare, NULL);
}
