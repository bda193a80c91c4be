/* SPDX-License-Identifier: BSD-2-Clause */
/* The DS management area: offsets are typed here from the manual's figures. */
#include "pmu/area/ds.h"
#include "tests/host/case.h"

#include <string.h>

static const struct {
    enum ds_field field;
    unsigned narrow, wide;
} fields[] = {
    {DS_BTS_BASE, 0x00, 0x00},      {DS_BTS_INDEX, 0x04, 0x08},      {DS_BTS_MAXIMUM, 0x08, 0x10},
    {DS_BTS_THRESHOLD, 0x0c, 0x18}, {DS_PEBS_BASE, 0x10, 0x20},      {DS_PEBS_INDEX, 0x14, 0x28},
    {DS_PEBS_MAXIMUM, 0x18, 0x30},  {DS_PEBS_THRESHOLD, 0x1c, 0x38},
};

CASE(each_field_in_its_place)
{
    struct ds_layout narrow = ds_layout(false, 0), wide = ds_layout(true, 3);
    for_each_row (fields, row) {
        u8 area[DS_AREA_BYTES] = {0}, expected[DS_AREA_BYTES] = {0};
        memcpy(expected + row->narrow, "\x44\x33\x22\x11", 4);
        ds_put(&narrow, area, row->field, 0x5511223344);
        assert_memory_equal(area, expected, sizeof(area));
        assert_int_equal(ds_get(&narrow, area, row->field), 0x11223344);
        memset(area, 0, sizeof(area));
        memset(expected, 0, sizeof(expected));
        memcpy(expected + row->wide, "\x88\x77\x66\x55\x44\x33\x22\x11", 8);
        ds_put(&wide, area, row->field, 0x1122334455667788);
        assert_memory_equal(area, expected, sizeof(area));
        assert_true(ds_get(&wide, area, row->field) == 0x1122334455667788);
    }
}

static const struct {
    bool wide;
    unsigned format;
    bool fixed;
    unsigned index, offset; /* 0: no place */
} resets[] = {
    {false, 0, false, 0, 0x20}, {false, 0, false, 1, 0},   {false, 0, true, 0, 0},      {true, 0, false, 0, 0x40},
    {true, 1, false, 3, 0x58},  {true, 4, false, 7, 0x78}, {true, 4, false, 8, 0},      {true, 4, true, 0, 0x80},
    {true, 4, true, 3, 0x98},   {true, 4, true, 4, 0},     {true, 5, false, 9, 0x88},   {true, 5, true, 0, 0x140},
    {true, 6, true, 15, 0x1b8}, {true, 6, true, 16, 0},    {true, 6, false, 31, 0x138}, {true, 6, false, 32, 0},
};

CASE(each_reset_in_its_place)
{
    for_each_row (resets, row) {
        struct ds_layout layout = ds_layout(row->wide, row->format);
        u8 area[DS_AREA_BYTES] = {0}, expected[DS_AREA_BYTES] = {0};
        bool put = ds_put_reset(&layout, area, row->fixed, row->index, 0xfffffffffc00);
        assert_int_equal(put, row->offset != 0);
        if (row->offset)
            memcpy(expected + row->offset, "\x00\xfc\xff\xff\xff\xff\x00\x00", 8);
        assert_memory_equal(area, expected, sizeof(area));
    }
}

CASE(buffers)
{
    struct ds_layout layout = ds_layout(true, 3);
    u8 area[DS_AREA_BYTES] = {0};
    struct ds_buffer buffer = {.base = 0x10000, .room = 4096, .size = 200, .records = 3, .threshold = 2};
    ds_put_buffer(&layout, area, &buffer);
    assert_int_equal(ds_get(&layout, area, DS_PEBS_BASE), 0x10000);
    assert_int_equal(ds_get(&layout, area, DS_PEBS_INDEX), 0x10000);
    assert_int_equal(ds_get(&layout, area, DS_PEBS_MAXIMUM), 0x10000 + 600);
    assert_int_equal(ds_get(&layout, area, DS_PEBS_THRESHOLD), 0x10000 + 400);
    buffer.records = buffer.threshold = 0;
    ds_put_buffer(&layout, area, &buffer);
    assert_int_equal(ds_get(&layout, area, DS_PEBS_MAXIMUM), 0x10000 + 18 * 200);
    assert_int_equal(ds_get(&layout, area, DS_PEBS_THRESHOLD), 0x10000 + 20 * 200);
    buffer.records = 18;
    assert_true(ds_buffer_fits(&buffer));
    buffer.records = 19;
    assert_false(ds_buffer_fits(&buffer));
    buffer.size = 0;
    assert_false(ds_buffer_fits(&buffer));
}

int main(void)
{
    return run_cases();
}
