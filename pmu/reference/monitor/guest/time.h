/*
 * A foreign guest's clock, kept by the machine's: what the guest reads of it, and its APIC's timer. While the guest
 * runs by itself, the machine's own timer is set for the rest of its time, with its vector; while it is stepped, that
 * one is stopped and whoever steps looks now and then. This image, and a guest with several CPUs, have the machine's
 * clocks as they are: nothing here is for them.
 */
#pragma once

#include "pmu/reference/monitor/vcpu.h"

/* From here on there is one; on the host's side. */
void guest_time_start(struct vcpu *v);
/* An exit begins, which may be what the timer led to; or ends: the guest runs by itself or is stepped, as `v` says. */
void guest_time_exit(struct vcpu *v);
void guest_time_enter(struct vcpu *v);
/* Asleep in an exit it has the machine's time, and the timer may wake it. */
void guest_time_sleep(struct vcpu *v, bool asleep);
/* While it is stepped, now and then: requests the timer's interrupt when that is due. The in-guest half cannot, and is
 * to write v->timer.due to the APIC's command register. */
void guest_time_poll(struct vcpu *v);
/* A management interrupt, or what else takes time from it. */
void guest_time_lose(struct vcpu *v, u32 ticks);

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
