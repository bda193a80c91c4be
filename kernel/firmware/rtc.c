/* SPDX-License-Identifier: BSD-2-Clause */
/* The clock's bytes are read through two ports, and may change during the read: MC146818, "Update Cycle". */
#include "kernel/firmware/rtc.h"
#include "kernel/core/time.h"
#include "kernel/firmware/acpi.h"
#include "kernel/register/instructions.h"
#include "kernel/text/string.h"

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
