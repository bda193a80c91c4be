/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The monitor puts the reference PMU under the running CPU: the calling context goes on as an SVM guest, and CPUID,
 * RDMSR, WRMSR and RDPMC are answered by the model. While a counter can count, the guest is single-stepped: most
 * instructions are executed by the monitor on the saved registers, the others by the CPU under its trap flag. Straight
 * loops run on the CPU from a translation, many turns at a time, while they can have no effect but counts.
 *
 * Folders: translator/ makes code of blocks, and is pure, as is reference/step/interpreter, which decodes and executes
 * instructions on a state; guest/ reads and changes the guest; run/ and step/ decide when that happens: the exits, the
 * in-guest half, the states.
 *
 * The rest of this comment is for readers who know SVM but not this monitor. It describes QEMU's emulator TCG, which
 * emulates AMD's SVM well enough, and no PMU at all, as of QEMU 7.2 and 10.0; where these two differ it says so.
 * Another version may behave differently: stepper_prove() finds out by counting snippets of known length, and
 * stepper_probe() by what counts do not show, before the reference PMU is used.
 *
 * STEPPING INSIDE THE GUEST. The plain way to step is TF and a VM exit for each #DB. An exit costs some ten
 * microseconds, since TCG flushes its cache of translated jumps and its TLB, and exits of all CPUs wait for each other.
 * So the guest is given, behind its back, an IDT and a TSS of the monitor's (the shadow tables: shadow.c), whose gates
 * lead to monitor code that runs inside the guest, in its address space and at CPL 0: the in-guest half (vmrun.asm,
 * trap.c), also called the stub. With TF set, each #DB lands there without an exit, for less than a microsecond with
 * all that the model computes. The stub tells the model what has retired (retire.c), looks at the next instructions
 * (look.c), executes by itself as many as it can (step.c, interpret.c, blocks.c), and returns by IRET with TF set, so
 * that exactly one instruction of the guest runs before the next #DB. Any other event arrives there, too, and is passed
 * to the guest's own handler on a frame built by hand (deliver.c): the CPU would have pushed TF.
 *
 * For that, monitor code has to be mapped at its own address in the guest's address space. This image and the monitor
 * are one program, so in this image it always is, and the shadow tables stay loaded even while nothing counts: stepping
 * begins and ends without an exit, and accesses to the PMU's registers are patched into INT n, which does not exit
 * either (patch.c). A foreign kernel has an address space of its own. If it maps everything one to one and runs 64-bit
 * code at CPL 0, it is stepped inside, for that stretch only. Otherwise it is stepped by exit; and as an exit is
 * expensive, the monitor then executes thousands of instructions in its place before the guest continues, and sees its
 * memory through its page tables (guest_memory.c). stepping=exit uses none of this: it is the cross-check, and every
 * count has to be the same.
 *
 * VECTOR REGISTERS, x87 and MMX are the guest's at all times: this image is compiled without them, and SVM exchanges
 * none of them, nor XCR0. So an instruction that uses them is executed from a copy, with other general registers and
 * the operand's real address (guest/copied.c); if the copy faults, the instruction is left to the
 * CPU. x87 keeps the addresses of the copy and of its operand, which copied.c corrects after FNSTENV or FNSAVE has
 * stored them; QEMU's FXSAVE stores zeros.
 *
 * THE STATES are the rows of the table in state.c; transition.c has the ways between them:
 *
 *              | this image                            | a foreign kernel
 *   native     | unstepped, with stepping=exit         | unstepped
 *   shadowed   | unstepped otherwise                   | -
 *   inside     | stepped, #DB taken by the stub        | the same, where the stub can run
 *   by exit    | stepped, #DB exits: stepping=exit     | stepped where the stub cannot run
 *   viewed     | -                                     | within an exit: instructions executed in its place
 *
 * A VM exit (exit.c) looks up the state, acts on the event, and continues in the state that follows. Intercepts are not
 * changed meanwhile: at the end of the exit intercept.c writes them all, from the table's row and pending events, and
 * the state is checked against the table. state.c says at each intercept's name why it exists.
 *
 * WHAT TCG IS RELIED ON FOR, beside SVM itself: VMRUN goes on in the same address space (same CR3; nested paging maps
 * everything one to one, but for the local APIC's page, and for the monitor's memory, which a foreign guest by itself
 * does not have: nested.c). FS, GS, TR, LDTR and the MSRs of SYSCALL are shared by host and guest unless VMLOAD changes
 * them. The RDPMC intercept comes before the #UD of a CPU without a PMU, though after CR4.PCE, which is why that bit is
 * virtual (control.c). TF gives one #DB for each instruction, except that:
 *   - REP string instructions give one for each iteration: retired when RIP has moved on (step.c);
 *   - STI, MOV SS, POP SS and LSS give none, theirs comes with the next instruction's: step.c catches up. From QEMU 9
 * on an STI gives its own, after which its shadow is gone: none is asked for before HLT and MWAIT;
 *   - PAUSE gives none, SYSCALL and SYSRET lose it or leak it into R11, INT n and exceptions push it, CPUID and
 * register accesses exit instead: emulate.c executes them;
 *   - PUSHF leaks it, POPF and IRET load the guest's own: step.c keeps that one in guest_tf.
 * Not relied on, as TCG does not have it: a next-RIP in the VMCB (lengths are decoded), the VMCB's interrupt shadow
 * (VMRUN restores it in QEMU 10 and not in 7.2, so it is cleared where the guest has moved on), the blocking of NMIs
 * after one was injected, an LVT entry that masks itself (apic_page.c lets stores to the APIC exit and puts right what
 * they leave).
 *
 * NMIs always exit. SVM leaves one pending until GIF is set, so the exit opens GIF for a moment, and the host's IDT
 * notes it. If the in-guest half was interrupted, that is all: it checks for NMIs before each instruction. Else the NMI
 * is delivered, by hand while stepped and by injection while not, and nmi_blocked is set until the guest's IRET. While
 * stepped that IRET is an instruction like all others; while not, IRET exits for as long as the blocking lasts, and no
 * longer. A PMI of the model that LVTPC delivers as an NMI is handled the same way; one with a vector goes through the
 * real local APIC by a self-IPI, so that ISR, EOI, TPR and IF mean what they always do.
 *
 * HLT exits, except in a foreign kernel that is not stepped. It retires, the model is told that the CPU sleeps, and the
 * host sleeps in its place with GIF set, and the guest's IF; the event that wakes it is then delivered by hand.
 *
 * While stepped, a 64-bit IRET is emulated and any other is stepped. While unstepped, IRET exits only in three cases:
 * at the end of an NMI; in the in-guest half while an NMI waits (it came after that half had checked, and would wait
 * for the next exit); and in a foreign kernel that may return to a counted program, which has to be stepped from its
 * first instruction on. SYSRET has no intercept: in that last case it is made undefined, and its #UD exits.
 *
 * TIME. This image has the machine's clocks as they are, and so has a foreign guest on NetBurst with several CPUs. Any
 * other foreign guest has a clock of its own (guest/clock.h, guest/time.c): while unstepped it follows the machine's,
 * at an offset that the VMCB adds to RDTSC; while a CPU is stepped, it goes by the time that the model computes for
 * instructions, RDTSC is emulated, and the local APIC's timer is counted here. So each access to the APIC's page exits
 * there, loads as well.
 *
 * OTHER CPUs: each has its own struct vcpu, VMCB, shadow IDT, TSS and model and is put under the monitor by its own
 * call; the host's IDT and the MSR permission map are shared. Text is patched only once all CPUs run on shadow tables.
 * INIT would take a CPU out of the monitor: a foreign kernel's INIT and start-up IPIs are not sent but emulated
 * (startup.c).
 */
#pragma once

#include "boot/boot_info.h"
#include "reference/model/model.h"
#include "reference/step/stepper.h"

/* Why the reference PMU cannot be used here (one line, what to do), or NULL if it can. Asks CPUID only. */
const char *monitor_unavailable(void);

/*
 * Puts the calling CPU under the monitor with the given set-up. If it already is, re-arms it: model reset, LVTPC
 * masked, a pending PMI drained, virtual NMI state cleared. Call it on every CPU at a barrier with counters stopped.
 */
/* False: no memory for it. */
bool monitor_arm(const struct model_setup *setup);
/*
 * An INIT or a sleep takes a CPU out of the monitor, which monitor_leaves() tells it before; no other CPU may do
 * anything then. monitor_stays(): it did not happen. On the CPU itself: monitor_comes_back() after an INIT, with the
 * model in the state after it; monitor_arm() after a sleep. Nothing without the monitor.
 */
void monitor_leaves(u32 cpu);
void monitor_stays(u32 cpu);
void monitor_comes_back(void);
/* Is the calling CPU under the monitor? */
bool monitor_active(void);

/*
 * How instructions are stepped: inside the guest, straight loops many turns at a time (fast); inside the guest, each
 * instruction by itself; or by the CPU with a VM exit each (slow, the cross-check).
 */
enum monitor_stepping { STEP_IN_GUEST, STEP_SINGLY, STEP_BY_EXIT, STEPPINGS };
void monitor_set_stepping(enum monitor_stepping how);

/* Another kernel's start: 32-bit protected mode without paging, flat segments, interrupts off. */
struct monitor_guest {
    u32 entry, eax, ebx, esi;
    u64 gdt; /* address in its memory for its first GDT, MONITOR_GUEST_GDT bytes */
};
#define MONITOR_GUEST_GDT 32ul
/*
 * Hides the monitor's memory from that kernel. First monitor_can_hide() allocates what that needs, for every CPU under
 * the monitor (false: no memory), then monitor_hide() is called for each piece [base, end), whole pages (false: too
 * many). Once, before monitor_host().
 */
bool monitor_can_hide(void);
bool monitor_hide(u64 base, u64 end);
/*
 * From here on, BIOS calls for the memory map (INT 15H) are answered from this map, which has to stay in place. False:
 * there is no BIOS, or no room for a hook in its data.
 */
bool monitor_answer_bios(const struct boot_region *map, unsigned regions);
/*
 * Has the calling CPU, which must be under the monitor, wait for that kernel's start-up IPI and belong to it from then
 * on. Does not return. monitor_parked(): is that CPU waiting?
 */
_Noreturn void monitor_park(void);
bool monitor_parked(u32 cpu);
/*
 * Makes that kernel the guest on the calling CPU, which must be under the monitor, and does not return. From here on
 * the monitor uses no memory but its own, and stays until the machine is reset.
 */
_Noreturn void monitor_host(const struct monitor_guest *guest);

struct stepper_statistics monitor_statistics(void);
/* Undoes the monitor's patches of the image's text, so that its checksum can be verified. On the boot CPU, while no
 * other CPU runs anything. */
void monitor_restore_text(void);
/* The work for a CPU so far, in microseconds on a machine of ordinary speed. */
u64 monitor_work_us(u32 cpu);
