/* SPDX-License-Identifier: BSD-2-Clause */
/* The clock's bytes are read through two ports, and may change during the read: MC146818, "Update Cycle". */
#include "kernel/core/time.h"
#include "kernel/firmware/acpi.h"
#include "kernel/firmware/clock.h"
#include "kernel/register/instructions.h"
#include "kernel/text/text.h"

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

#define RTC_INDEX 0x70 /* bit 7 written as 0 leaves NMIs enabled, as they are */
#define RTC_DATA 0x71

#define RTC_STATUS_A 0x0a
#define RTC_STATUS_B 0x0b
#define RTC_STATUS_D 0x0d
#define A_UPDATING BIT(7)

/* An update takes 2 ms and happens once a second; a clock that never leaves it is broken. */
#define UPDATE_US 50000
#define READS_MOST 4

static u8 read_byte(u8 index)
{
    outb(RTC_INDEX, index);
    return inb(RTC_DATA);
}

static bool wait_for_update(void)
{
    struct patience patience = patience_us(UPDATE_US);
    while (read_byte(RTC_STATUS_A) & A_UPDATING)
        if (patience_over(&patience))
            return false;
    return true;
}

static struct rtc_registers read_all(void)
{
    struct rtc_registers r = {.has_century = acpi()->rtc_century != 0};
    r.second = read_byte(0);
    r.minute = read_byte(2);
    r.hour = read_byte(4);
    r.day = read_byte(7);
    r.month = read_byte(8);
    r.year = read_byte(9);
    if (r.has_century)
        r.century = read_byte(acpi()->rtc_century);
    r.status_b = read_byte(RTC_STATUS_B);
    r.status_d = read_byte(RTC_STATUS_D);
    return r;
}

const char *rtc_read(char date[RTC_DATE])
{
    struct rtc_registers before, now;
    date[0] = 0;
    if (acpi()->rtc_missing)
        return "ACPI says that there is none";
    if (!wait_for_update())
        return "it is being updated for ever";
    now = read_all();
    for (unsigned i = 0; i < READS_MOST; i++) {
        before = now;
        now = read_all();
        if (!memcmp(&before, &now, sizeof(now)))
            return rtc_decode(&now, date);
    }
    return "no two reads of it agree";
}

/* Alarm bytes from C0H on match any time, so only the seconds have to be calculated. */
#define ANY_TIME 0xc0
#define RTC_STATUS_C 0x0c
#define B_BINARY BIT(2)
#define B_ALARM BIT(5)

static void write_byte(u8 index, u8 value)
{
    outb(RTC_INDEX, index);
    outb(RTC_DATA, value);
}

void rtc_alarm(u32 seconds)
{
    wait_for_update();
    u8 status = read_byte(RTC_STATUS_B), now = read_byte(0);
    bool binary = status & B_BINARY;
    u32 second = ((binary ? now : (now >> 4) * 10u + (now & 0xf)) + seconds) % 60;
    write_byte(1, (u8)(binary ? second : second / 10 << 4 | second % 10));
    write_byte(3, ANY_TIME);
    write_byte(5, ANY_TIME);
    read_byte(RTC_STATUS_C); /* forgets an earlier one */
    write_byte(RTC_STATUS_B, status | B_ALARM);
}

void rtc_alarm_off(void)
{
    write_byte(RTC_STATUS_B, read_byte(RTC_STATUS_B) & (u8)~B_ALARM);
    read_byte(RTC_STATUS_C);
}
