/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A foreign guest's clock, which is kept by the machine's: what the guest reads of it, and its APICs' timers. There is
 * one clock for all of its CPUs (clock.h). A CPU that runs by itself reads the machine's TSC at an offset, and its
 * APIC's timer is the machine's, set to the time that is left and to its vector. On a stepped CPU RDTSC is emulated,
 * the machine's timer is stopped, and the stepping code polls the guest's.
 *
 * Once a CPU is stepped, RDTSC and interrupts exit on every other CPU that runs by itself, from its next exit on; when
 * the last of them has reached that exit, or sleeps, the machine's time is withheld from all until none is stepped any
 * more. No CPU is interrupted for that: a kernel at work exits at each end of interrupt, and while one does not exit,
 * all CPUs keep the machine's time. A machine's timer that runs while time is withheld is too early, never late; its
 * interrupt is then dropped and the timer set again.
 *
 * This image has the machine's clocks as they are and uses none of this.
 */
#pragma once

#include "hosting/monitor/vcpu.h"

/* Starts the clock; on the host's side. */
void guest_time_start(void);
/* A CPU is about to run the guest for the first time, or got INIT; on the host's side. */
void guest_time_init(struct vcpu *v);
/* An exit begins, perhaps because of the timer; or ends: the guest runs by itself or is stepped, as `v` says. */
void guest_time_exit(struct vcpu *v);
void guest_time_enter(struct vcpu *v);
/* While asleep in an exit, the CPU does not withhold time from others, and the timer may wake it. */
void guest_time_sleep(struct vcpu *v, bool asleep);
/* While it runs by itself: do RDTSC and interrupts have to exit? */
bool guest_time_asks(const struct vcpu *v);
/* May an interrupt of the machine's timer be too early? */
bool guest_time_unsure(const struct vcpu *v);
/* The host has taken an interrupt: is it only the machine's timer, which was too early for the guest's? */
bool guest_time_early(struct vcpu *v, u8 vector);
/* Polls the timer of a stepped CPU: requests its interrupt when due. The in-guest half cannot request it, and has to
 * write v->timer.due to the APIC's command register. */
void guest_time_poll(struct vcpu *v);
/* Takes time from the guest, as system management mode does; false: the caller has to let it pass. */
bool guest_time_lose(struct vcpu *v, u32 ticks);

/* RDTSC. */
u64 guest_time_tsc(struct vcpu *v);
/* IA32_TIME_STAMP_COUNTER and IA32_TSC_ADJUST. */
bool guest_time_owns(const struct vcpu *v, u32 msr);
bool guest_time_rdmsr(struct vcpu *v, u32 msr, u64 *value); /* false: the CPU has no such register */
bool guest_time_wrmsr(struct vcpu *v, u32 msr, u64 value);
/* Registers of the timer, which the machine's APIC uses for itself. */
bool guest_time_owns_apic(const struct vcpu *v, u32 offset);
u32 guest_time_apic_read(struct vcpu *v, u32 offset);
void guest_time_apic_write(struct vcpu *v, u32 offset, u32 value);
