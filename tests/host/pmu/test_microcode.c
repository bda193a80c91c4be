/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of microcode: the update chosen for a CPU, and each way in which a file can be wrong. */
#include "pmu/cpu/microcode.h"
#include "tests/host/case.h"
#include "tests/host/pmu/microcode_file.h"

#include <stdlib.h>
#include <string.h>

static const struct microcode_cpu skylake = {.signature = 0x506e3, .platform = 1, .revision = 0xf0};
static struct microcode_update update;
static char text[MICROCODE_TEXT];

/* In memory of its exact size, so that the sanitiser sees every read beyond the end. */
static const char *choose(const u8 *file, size_t size, const struct microcode_cpu *cpu)
{
    u8 *copy = malloc(size);
    memcpy(copy, file, size);
    update = (struct microcode_update){0};
    const char *why = microcode_choose(copy, size, cpu, &update, text);
    if (!why)
        assert_int_equal((const u8 *)update.data - copy,
                         ((const u8 *)update.data - copy) / UPDATE_BYTES * UPDATE_BYTES + 48);
    free(copy);
    return why;
}

static const char *choose_one(struct made_update made, const struct microcode_cpu *cpu)
{
    u8 file[UPDATE_BYTES];
    made_update(file, &made);
    return choose(file, sizeof(file), cpu);
}

static void assert_says(const char *why, const char *what)
{
    if (!why || !strstr(why, what))
        fail_msg("\"%s\" does not say \"%s\"", why ? why : "(nothing)", what);
}

CASE(one)
{
    struct made_update made = {.signature = 0x506e3, .platforms = 0x36, .revision = 0xf4};
    assert_null(choose_one(made, &skylake));
    assert_int_equal(update.revision, 0xf4);
    assert_int_equal(update.date, 0x06182026);
    made.old = true;
    assert_null(choose_one(made, &skylake));
    made.least = 0xf0;
    assert_null(choose_one(made, &skylake));
}

CASE(not_for_this_cpu)
{
    struct made_update made = {.signature = 0x506e3, .platforms = 0x35, .revision = 0xf4};
    assert_says(choose_one(made, &skylake), "none of 1 updates is for signature 000506e3 on platform 1");
    made.platforms = 0xff;
    made.signature = 0x506e8;
    assert_says(choose_one(made, &skylake), "updates is for signature");
    assert_says(choose((const u8 *)"", 0, &skylake), "none of 0 updates");
}

CASE(not_newer)
{
    struct made_update made = {.signature = 0x506e3, .platforms = 2, .revision = 0xf0};
    assert_says(choose_one(made, &skylake), "revision 000000f0 is not newer than the CPU's revision 000000f0");
    made.revision = 0xe0;
    assert_says(choose_one(made, &skylake), "revision 000000e0 is not newer");
}

CASE(not_so_late)
{
    struct made_update made = {.signature = 0x506e3, .platforms = 2, .revision = 0xf4, .least = 0xf1};
    struct made_update broadwell = {.signature = 0x406f1, .platforms = 0xef, .revision = 0xb000040};
    struct microcode_cpu cpu = {.signature = 0x406f1, .revision = 0xb000020};
    assert_says(choose_one(made, &skylake), "only from 000000f1 on; the CPU has 000000f0");
    assert_says(choose_one(broadwell, &cpu), "may hang");
    cpu.revision = 0xb000021;
    assert_null(choose_one(broadwell, &cpu));
}

/* The newest of several matching updates is chosen; a table names further CPUs. */
CASE(several)
{
    static const struct made_update made[] = {
        {.signature = 0x906ea, .platforms = 2, .revision = 0xff},
        {.signature = 0x506e3, .platforms = 2, .revision = 0xf4},
        {.signature = 0x406e3, .platforms = 1, .revision = 0xf6, .further_signature = 0x506e3, .further_platforms = 2},
        {.signature = 0x406e3, .platforms = 1, .revision = 0xf8, .further_signature = 0x506e3, .further_platforms = 4},
        {.signature = 0x506e3, .platforms = 2, .revision = 0xf2},
    };
    u8 file[ARRAY_SIZE(made) * UPDATE_BYTES];
    for (unsigned i = 0; i < ARRAY_SIZE(made); i++)
        made_update(file + i * UPDATE_BYTES, &made[i]);
    assert_null(choose(file, sizeof(file), &skylake));
    assert_int_equal(update.revision, 0xf6);
    file[4 * UPDATE_BYTES + 100] ^= 1;
    assert_says(choose(file, sizeof(file), &skylake), "damaged: update 5, at byte 8192: its checksum is wrong");
    assert_null(choose(file, 4 * UPDATE_BYTES, &skylake));
    assert_says(choose(file, 4 * UPDATE_BYTES - 4, &skylake), "damaged: update 4, at byte 6144: it is cut off");
    assert_says(choose(file, UPDATE_BYTES + 47, &skylake), "damaged: update 2, at byte 2048: the rest of the file");
}

/* One field of a good file is changed, and the sum corrected. */
static const struct {
    u32 at, value;
    const char *says;
} wrong[] = {
    {0, 2, "loader revision is not 1"},
    {20, 0, "loader revision is not 1"},
    {28, UPDATE_DATA + 1, "its sizes are impossible"},
    {28, UPDATE_BYTES, "its sizes are impossible"},
    {28, 0xfffffff0, "its sizes are impossible"},
    {28, UPDATE_DATA + 24, "its table of further CPUs does not fit"},
    {28, UPDATE_DATA + 4, "its table of further CPUs"},
    {32, UPDATE_BYTES + 4, "its sizes are impossible"},
    {32, 0, "its sizes are impossible"},
    {32, 2 * UPDATE_BYTES, "it is cut off"},
    {32, 0xfffffc00, "it is cut off"},
    {48 + UPDATE_DATA, 2, "its table of further CPUs does not fit"},
    {48 + UPDATE_DATA, ~0u, "its table of further CPUs does not fit"},
    {48 + UPDATE_DATA + 8, 1, "the checksum of its table of further CPUs is wrong"},
};

CASE(each_field)
{
    struct made_update made = {
        .signature = 0x506e3, .platforms = 2, .revision = 0xf4, .further_signature = 0x406e3, .further_platforms = 1};
    for_each_row (wrong, row) {
        u8 file[UPDATE_BYTES];
        made_update(file, &made);
        made_put(file, row->at, row->value);
        made_put(file, 16, bytes_get32(file + 16) - made_sum(file, UPDATE_BYTES));
        assert_says(choose(file, sizeof(file), &skylake), row->says);
    }
}

/* Both sums of a table are right, but an entry's is wrong. */
CASE(entry)
{
    struct made_update made = {
        .signature = 0x506e3, .platforms = 2, .revision = 0xf4, .further_signature = 0x406e3, .further_platforms = 1};
    u8 file[UPDATE_BYTES], *table = file + 48 + UPDATE_DATA;
    made_update(file, &made);
    made_put(table, 20, 0x406e4);
    made_put(table, 4, bytes_get32(table + 4) - 1);
    assert_says(choose(file, sizeof(file), &skylake), "the checksum of a further CPU in its table is wrong");
}

int main(void)
{
    return run_cases();
}
