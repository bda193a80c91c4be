/*
 * The date as the machine's real-time clock has it, which nobody sets right in a lab: a log says whose word it is.
 * Reading bytes is apart from what they mean (kernel/firmware/rtc_pure.c).
 */
#pragma once

#include "boot/bits.h"

#define RTC_DATE 20 /* "2026-01-31T12:00:00" */

/* The MC146818's registers as read; PC chipsets have it in them since. */
struct rtc_registers {
    u8 second, minute, hour, day, month, year; /* BCD, or binary if status_b says so */
    u8 century;                                /* of has_century: in a byte that the FADT names */
    bool has_century;
    u8 status_b, status_d;
};

/* Writes the date, if that is one, and returns NULL; or what is wrong with the clock, with "" as the date. Pure. */
const char *rtc_decode(const struct rtc_registers *registers, char date[RTC_DATE]);
/* The same of this machine's clock, which is read within 100 ms. After acpi_init(). */
const char *rtc_read(char date[RTC_DATE]);
