/* SPDX-License-Identifier: BSD-2-Clause */
/* The clock's registers in each of its formats, and values that no working clock has. */
#include "kernel/firmware/clock.h"
#include "tests/host/case.h"

#define BCD_24 0x02
#define BINARY_24 0x06
#define BCD_12 0x00
#define VALID 0x80

static const char *decoded(const struct rtc_registers *registers)
{
    static char date[RTC_DATE];
    const char *wrong = rtc_decode(registers, date);
    if (wrong)
        assert_string_equal(date, "");
    return wrong ? wrong : date;
}

CASE(dates)
{
    static const struct {
        struct rtc_registers registers;
        const char *date;
    } rows[] = {
        {{0x27, 0x43, 0x09, 0x22, 0x11, 0x26, 0x20, true, BCD_24, VALID}, "2026-11-22T09:43:27"},
        {{27, 43, 9, 22, 11, 26, 20, true, BINARY_24, VALID}, "2026-11-22T09:43:27"},
        {{0x59, 0x59, 0x23, 0x31, 0x12, 0x99, 0x19, true, BCD_24, VALID}, "1999-12-31T23:59:59"},
        {{0x00, 0x00, 0x00, 0x29, 0x02, 0x28, 0x00, false, BCD_24, VALID}, "2028-02-29T00:00:00"},
        {{0x00, 0x00, 0x00, 0x29, 0x02, 0x00, 0x20, true, BCD_24, VALID}, "2000-02-29T00:00:00"},
        /* A century that was never set. */
        {{0x00, 0x00, 0x00, 0x01, 0x01, 0x26, 0xff, true, BCD_24, VALID}, "2026-01-01T00:00:00"},
        /* Twelve-hour format: 12 is the first hour of each half. */
        {{0x00, 0x00, 0x12, 0x01, 0x01, 0x26, 0x20, true, BCD_12, VALID}, "2026-01-01T00:00:00"},
        {{0x00, 0x00, 0x92, 0x01, 0x01, 0x26, 0x20, true, BCD_12, VALID}, "2026-01-01T12:00:00"},
        {{0x00, 0x00, 0x91, 0x01, 0x01, 0x26, 0x20, true, BCD_12, VALID}, "2026-01-01T23:00:00"},
    };
    for_each_row (rows, row)
        assert_string_equal(decoded(&row->registers), row->date);
}

CASE(no_dates)
{
    static const struct rtc_registers good = {0x27, 0x43, 0x09, 0x22, 0x11, 0x26, 0x20, true, BCD_24, VALID};
    static const struct {
        u8 hour, day, month, status_b, status_d;
        const char *wrong;
    } rows[] = {
        {0x09, 0x22, 0x11, BCD_24, 0x00, "its battery was empty"},
        {0x09, 0x22, 0x11, 0xff, 0xff, "no clock answers"},
        {0x09, 0x22, 0x11, 0x82, VALID, "it is stopped"},
        {0x24, 0x22, 0x11, BCD_24, VALID, "its registers hold no valid date"},
        {0x00, 0x22, 0x11, BCD_12, VALID, "its registers hold no valid date"},
        {0x09, 0x00, 0x11, BCD_24, VALID, "its registers hold no valid date"},
        {0x09, 0x31, 0x11, BCD_24, VALID, "its registers hold no valid date"},
        {0x09, 0x29, 0x02, BCD_24, VALID, "its registers hold no valid date"},
        {0x09, 0x22, 0x13, BCD_24, VALID, "its registers hold no valid date"},
        {0x09, 0x22, 0x00, BCD_24, VALID, "its registers hold no valid date"},
        {0x0a, 0x22, 0x11, BCD_24, VALID, "its registers hold no valid date"},
        {0x09, 0xa0, 0x11, BCD_24, VALID, "its registers hold no valid date"},
    };
    for_each_row (rows, row) {
        struct rtc_registers r = good;
        r.hour = row->hour;
        r.day = row->day;
        r.month = row->month;
        r.status_b = row->status_b;
        r.status_d = row->status_d;
        assert_string_equal(decoded(&r), row->wrong);
    }
    struct rtc_registers r = good;
    r.second = 0x60;
    assert_string_equal(decoded(&r), "its registers hold no valid date");
    r = good;
    r.year = 0x9a;
    assert_string_equal(decoded(&r), "its registers hold no valid date");
}

int main(void)
{
    return run_cases();
}
