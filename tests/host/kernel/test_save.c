/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory in which results may be kept, and the format in which Linux finds them. */
#include "kernel/firmware/save.h"
#include "kernel/log/kept.h"
#include "tests/host/case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CASE(what_the_option_says)
{
    static const char *const wrong[] = {"",
                                        "EFI",
                                        "efi2",
                                        "efi+",
                                        "efi,",
                                        "ramoops",
                                        "ramoops:",
                                        "ramoops:0x100000",
                                        "ramoops:0x100000,",
                                        "ramoops:0x100000,0",
                                        "ramoops:0x100800,4096",
                                        "ramoops:0x100000,4097",
                                        "ramoops:0x100000,0x401000",
                                        "ramoops:0x100000,4096,1",
                                        "ramoops:99999999999999999999,4096"};
    struct save_plan plan;
    char error[SAVE_ERROR_SIZE] = "";
    assert_true(save_parse("efi", &plan, error));
    assert_true(plan.efi && !plan.size);
    assert_true(save_parse("ramoops:0x4000000,0x100000", &plan, error));
    assert_true(!plan.efi && plan.address == 0x4000000 && plan.size == 0x100000);
    assert_true(save_parse("ramoops:4294967296,4096+efi", &plan, error));
    assert_true(plan.efi && plan.address == 0x100000000 && plan.size == 4096);
    assert_string_equal(error, "");
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        assert_false(save_parse(wrong[i], &plan, error));
        assert_non_null(strstr(error, "ramoops:ADDRESS,SIZE"));
    }
}

/* 127 MiB of memory, a piece of them reserved; information at 64 MiB, a module at 65. */
CASE(areas)
{
    static const struct {
        u64 address, size;
        const char *says; /* NULL: it may be written */
    } rows[] = {
        {0x2000000, 0x100000, NULL},
        {0x100000, 0x100000, "the image itself"},
        {0x1ff000, 0x1000, "the image itself"},
        {0x300000, 0x1000, NULL},
        {0x1000, 0x1000, "first MiB"},
        {0xff000, 0x2000, "first MiB"},
        {~0xfffull, 0x2000, "first MiB"},
        {0x7fff000, 0x2000, "does not say that it is free"},
        {0x10000000, 0x1000, "does not say that it is free"},
        {0x3000000, 0x1000, "reserved"},
        {0x2fff000, 0x2000, "reserved"},
        {0x3001000, 0x1000, NULL},
        {0x3fff000, 0x2000, "information"},
        {0x4100000, 0x1000, "module"},
        {0x40ff000, 0x1000, NULL},
    };
    static struct boot_info boot = {.information = 0x4000000,
                                    .information_size = 0x800,
                                    .modules = 1,
                                    .module[0] = {.start = 0x4100010, .end = 0x4100020},
                                    .regions = 2,
                                    .region[0] = {0x100000, 0x7f00000, BOOT_REGION_AVAILABLE},
                                    .region[1] = {0x3000000, 0x1000, 2}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const char *refusal = save_area_refusal(&boot, rows[i].address, rows[i].size, 0x100000, 0x300000);
        if (rows[i].says) {
            assert_non_null(refusal);
            assert_non_null(strstr(refusal, rows[i].says));
        } else {
            assert_null(refusal);
        }
    }
}

#define SIZE 4096u
#define ROOM (SIZE - 12)

/* As Linux reads it: three words, and a text that begins at `start`. */
CASE(a_zone)
{
    struct ramoops *zone = malloc(SIZE);
    u32 words[3];
    memset(zone, 0xa5, SIZE);
    ramoops_begin(zone);
    assert_int_equal(ramoops_add(zone, SIZE, "KTAP version 1\r\n", 16), 0);
    assert_int_equal(ramoops_add(zone, SIZE, "1..1\r\n", 6), 16);
    memcpy(words, zone, sizeof(words));
    assert_memory_equal(zone, "DBGC", 4);
    assert_int_equal(words[1], 0);
    assert_int_equal(words[2], 22);
    assert_memory_equal((char *)zone + 12, "KTAP version 1\r\n1..1\r\n", 22);
    free(zone);
}

/* The first and the last lines are kept whole, whatever was in between. */
CASE(a_full_zone)
{
    struct ramoops *zone = malloc(SIZE);
    char line[64], long_line[ROOM / 4 + 2];
    ramoops_begin(zone);
    for (unsigned i = 0; i < 5000; i++) {
        int length = snprintf(line, sizeof(line), "line %u of many%.*s\r\n", i, (int)(i % 13), "............");
        u32 before = zone->size, changed = ramoops_add(zone, SIZE, line, (size_t)length);
        assert_true(zone->size <= ROOM && changed <= before);
        assert_memory_equal(zone->text + zone->size - (u32)length, line, (size_t)length);
        assert_memory_equal(zone->text, "line 0 of many\r\n", 16);
    }
    assert_in_range(zone->size, ROOM / 2, ROOM);
    for (char *at = zone->text; at < zone->text + zone->size; at = (char *)memchr(at, '\n', SIZE) + 1)
        assert_memory_equal(at, "line ", 5);
    memset(long_line, 'x', sizeof(long_line));
    u32 before = zone->size;
    ramoops_add(zone, SIZE, long_line, sizeof(long_line)); /* longer than any line of ours: left out */
    assert_int_equal(zone->size, before);
    free(zone);
}

int main(void)
{
    return run_cases();
}
