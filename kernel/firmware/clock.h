/* SPDX-License-Identifier: BSD-2-Clause */
/* The machine's clocks: the date, and what the TSC's rate is measured with. */
#pragma once

#include "boot/bits.h"

/*
 * The date of the machine's real-time clock, which nobody sets right in a lab: the log says that the date is the
 * clock's. What the bytes mean is in kernel/firmware/rtc.c.
 */

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

/* ---- The TSC's rate, from the best two clocks of the machine. */

struct calibration {
    u64 khz;                     /* 0: no clock worked, and the CPU states no rate */
    const char *source, *second; /* "cpuid-16" and "platform-info" are stated, not measured */
    u32 disagreement_ppm;
};

/*
 * Measures for about 10 ms per clock, with a bound. Needs acpi_init(). Leaves every clock as it found it.
 * `platform_info` returns the value of MSR_PLATFORM_INFO, 0 if there is none; it is called only if no clock works.
 */
struct calibration calibrate_tsc(u64 (*platform_info)(void));
