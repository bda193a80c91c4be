/* links: kernel/firmware/watchdog_pure.c */
/* Which chipsets are known, and that the timer never takes longer than was asked for. */
#include "kernel/firmware/watchdog_pure.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void chipsets(void **state)
{
    /* LPC bridges: ICH9 as QEMU has it, H55, C226; not the ICH5's, ISA bridges of PIIX3 and of 100 series, nor AMD's.
     */
    static const u32 known[] = {0x29188086, 0x3b068086, 0x8c568086},
                     others[] = {0x24d08086, 0x70008086, 0xa1438086, 0x29181022, 0xffffffff, 0};
    (void)state;
    for_each_row (known, id)
        assert_true(watchdog_knows(*id));
    for_each_row (others, id)
        assert_false(watchdog_knows(*id));
}

static void bounds(void **state)
{
    (void)state;
    assert_int_equal(watchdog_ticks(30), 25);
    assert_int_equal(watchdog_seconds(25), 30);
    for (u32 seconds = 5; seconds < 2000; seconds++) {
        u32 ticks = watchdog_ticks(seconds);
        assert_in_range(ticks, 4, TMR_TICKS);
        assert_true(watchdog_seconds(ticks) <= seconds);
        assert_true(watchdog_seconds(ticks) + 2 >= seconds || ticks == TMR_TICKS);
    }
    assert_int_equal(watchdog_ticks(0), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chipsets),
        cmocka_unit_test(bounds),
    };
    return cmocka_run_group_tests_name("watchdog", tests, NULL, NULL);
}
