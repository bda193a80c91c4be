/* SPDX-License-Identifier: BSD-2-Clause */
/* Machine checks: handled, logged and, if the CPU allows it, survived. SDM 3B, "Machine-Check Architecture". */
#pragma once

#include "boot/bits.h"

/* The content of one bank. */
struct machine_check {
    u64 global; /* IA32_MCG_STATUS at the time of the event */
    u8 bank;    /* MACHINE_CHECK_NO_BANK: there was a machine check, but no bank held an error */
    u64 status;
    u64 address, misc; /* 0 unless the status says that they are valid */
};
#define MACHINE_CHECK_NO_BANK 0xff

/* The banks that one CPU has stored since they were last forgotten; those without room are only counted. */
#define MACHINE_CHECKS_KEPT 8
struct machine_checks {
    u32 count, dropped;
    struct machine_check kept[MACHINE_CHECKS_KEPT];
};

/* Registers the handler. The caller sets CR4.MCE on each CPU. */
void machine_check_init(void);
/* Reads the calling CPU's banks and stores those that hold an error. Clears nothing. */
void machine_check_look(void);
/* Any CPU; one other than the calling CPU must be idle. The pointer stays valid until the next machine check. */
const struct machine_checks *machine_checks_of(u32 cpu);
void machine_checks_forget(u32 cpu);

/* Each bank has four registers, from 400H on: those of a 33rd bank would be the ones that enumerate VMX, at 480H. */
#define MACHINE_CHECK_BANKS 32
/* How many banks may be read on a CPU with this IA32_MCG_CAP. */
u32 machine_check_banks(u64 capabilities);
/* "bank=3 status=0x... address=0x... misc=0x... mcg-status=0x5" into text of MACHINE_CHECK_TEXT bytes. */
#define MACHINE_CHECK_TEXT 128
const char *machine_check_text(const struct machine_check *check, char *text);
