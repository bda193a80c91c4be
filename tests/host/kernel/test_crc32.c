/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/text/text.h"
#include "tests/host/case.h"

#include <stdlib.h>
#include <zlib.h>

CASE(is_zlibs)
{
    u8 data[300];
    u32 crc = 0;
    uLong want = crc32(0, NULL, 0);
    srand(1);
    for (size_t length = 0; length < sizeof(data); length++) {
        for (size_t i = 0; i < length; i++)
            data[i] = (u8)rand();
        assert_int_equal(crc32_update(0, data, length), crc32(0, data, (uInt)length));
        crc = crc32_update(crc, data, length); /* in pieces */
        want = crc32(want, data, (uInt)length);
        assert_int_equal(crc, want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_zlibs),
    };
    return cmocka_run_group_tests_name("crc32", tests, NULL, NULL);
}
