/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The date of the machine's real-time clock, which nobody sets right in a lab: the log says that the date is the
 * clock's. What the bytes mean is in kernel/firmware/rtc.c.
 */
#pragma once

#include "boot/bits.h"

#define RTC_DATE 20 /* "2026-01-31T12:00:00" */

/* The MC146818's registers as read; PC chipsets contain its successor. */
struct rtc_registers {
    u8 second, minute, hour, day, month, year; /* BCD, or binary if status_b says so */
    u8 century;                                /* if has_century: from a byte that the FADT names */
    bool has_century;
    u8 status_b, status_d;
};

/* Writes the date and returns NULL if the registers hold a valid one; else writes "" and returns what is wrong.
 * Pure. */
const char *rtc_decode(const struct rtc_registers *registers, char date[RTC_DATE]);
/* The same for this machine's clock, read within 100 ms. Call after acpi_init(). */
const char *rtc_read(char date[RTC_DATE]);
/* Has the clock's alarm go off in so many seconds, less than 60; and never again. MC146818, "Alarm Interrupt". */
void rtc_alarm(u32 seconds);
void rtc_alarm_off(void);
