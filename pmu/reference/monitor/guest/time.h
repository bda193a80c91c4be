/*
 * A foreign guest's clock, kept by the machine's: what the guest reads of it, and its APICs' timers. One clock for all
 * of its CPUs (clock.h). A CPU that runs by itself reads the machine's TSC, an offset apart, and its APIC's timer is
 * the machine's, set for the rest of its time, with its vector. One that is stepped is told the time, its timer is
 * stopped, and the stepping CPU looks now and then.
 *
 * Once a CPU is stepped, each other one that runs by itself has RDTSC and interrupts exit from its next exit on; when
 * the last of them has come so far, or sleeps, the machine's time is withheld from all until none is stepped any more.
 * Nobody is fetched for that: a kernel at work exits with each interrupt that it ends, and one that does not exit for
 * long keeps the machine's time going for as long, for all alike. A timer that the machine has set for a CPU while time
 * is withheld is too early, never late; its interrupt is then dropped and the timer set again.
 *
 * This image has the machine's clocks as they are: nothing here is for it.
 */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

/* From here on there is one; on the host's side. */
void guest_time_start(void);
/* A CPU is about to take part for the first time, or got INIT; on the host's side. */
void guest_time_init(struct vcpu *v);
/* An exit begins, which may be what the timer led to; or ends: the guest runs by itself or is stepped, as `v` says. */
void guest_time_exit(struct vcpu *v);
void guest_time_enter(struct vcpu *v);
/* Asleep in an exit it takes no time from others, and the timer may wake it. */
void guest_time_sleep(struct vcpu *v, bool asleep);
/* While it runs by itself: do RDTSC and interrupts have to exit? */
bool guest_time_asks(const struct vcpu *v);
/* May an interrupt of the machine's timer be too early? */
bool guest_time_unsure(const struct vcpu *v);
/* The host has taken an interrupt: is it nothing but the machine's timer, too early for the guest's? */
bool guest_time_early(struct vcpu *v, u8 vector);
/* While it is stepped, now and then: requests the timer's interrupt when that is due. The in-guest half cannot, and is
 * to write v->timer.due to the APIC's command register. */
void guest_time_poll(struct vcpu *v);
/* A management interrupt, or what else takes time from it; false: that has to pass by itself. */
bool guest_time_lose(struct vcpu *v, u32 ticks);

/* RDTSC. */
u64 guest_time_tsc(struct vcpu *v);
/* IA32_TIME_STAMP_COUNTER and IA32_TSC_ADJUST. */
bool guest_time_owns(const struct vcpu *v, u32 msr);
bool guest_time_rdmsr(struct vcpu *v, u32 msr, u64 *value); /* false: there is none */
bool guest_time_wrmsr(struct vcpu *v, u32 msr, u64 value);
/* Registers of the timer, which the machine's APIC has for itself. */
bool guest_time_owns_apic(const struct vcpu *v, u32 offset);
u32 guest_time_apic_read(struct vcpu *v, u32 offset);
void guest_time_apic_write(struct vcpu *v, u32 offset, u32 value);
