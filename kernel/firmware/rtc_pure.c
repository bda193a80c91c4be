/* SPDX-License-Identifier: BSD-2-Clause */
#include "kernel/firmware/rtc.h"
#include "kernel/text/format.h"

/* MC146818, "Registers". */
#define B_24_HOURS BIT(1)
#define B_BINARY BIT(2)
#define B_SET BIT(7)
#define D_VALID BIT(7)
#define HOUR_PM 0x80

#define NO_NUMBER 255

/* The number in a byte; NO_NUMBER if it is not valid BCD. */
static unsigned number(const struct rtc_registers *r, u8 byte)
{
    if (r->status_b & B_BINARY)
        return byte;
    return (byte & 0xf) > 9 || byte >> 4 > 9 ? NO_NUMBER : (byte >> 4) * 10u + (byte & 0xf);
}

/* In 12-hour mode 12 comes before 1. */
static unsigned hour(const struct rtc_registers *r)
{
    if (r->status_b & B_24_HOURS)
        return number(r, r->hour);
    unsigned twelve = number(r, r->hour & (u8)~HOUR_PM);
    return twelve < 1 || twelve > 12 ? NO_NUMBER : twelve % 12 + (r->hour & HOUR_PM ? 12 : 0);
}

/* Without a century register, or if firmware never set it, the century is the present one. */
static unsigned year(const struct rtc_registers *r)
{
    unsigned century = r->has_century ? number(r, r->century) : 20;
    unsigned of_century = number(r, r->year);
    return of_century > 99 ? NO_NUMBER : (century < 19 || century > 29 ? 20 : century) * 100 + of_century;
}

static unsigned days_in(unsigned month, unsigned of_year)
{
    static const u8 days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = of_year % 4 == 0 && (of_year % 100 || of_year % 400 == 0);
    return month < 1 || month > 12 ? 0 : days[month - 1] + (month == 2 && leap);
}

const char *rtc_decode(const struct rtc_registers *r, char date[RTC_DATE])
{
    unsigned y = year(r), month = number(r, r->month), day = number(r, r->day), h = hour(r);
    unsigned minute = number(r, r->minute), second = number(r, r->second);
    date[0] = 0;
    if (r->status_b == 0xff && r->status_d == 0xff)
        return "no clock answers";
    if (!(r->status_d & D_VALID))
        return "its battery was empty";
    if (r->status_b & B_SET)
        return "it is stopped";
    if (y == NO_NUMBER || day < 1 || day > days_in(month, y) || h > 23 || minute > 59 || second > 59)
        return "its registers hold no valid date";
    format_text(date, RTC_DATE, "%04u-%02u-%02uT%02u:%02u:%02u", y, month, day, h, minute, second);
    return NULL;
}
