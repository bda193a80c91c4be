/*
 * The monitor puts the reference PMU under the running CPU: the calling context goes on as an SVM guest, and CPUID,
 * RDMSR, WRMSR and RDPMC are answered by the model. While a counter can count, the guest is single-stepped: most
 * instructions are executed by the monitor on the saved registers, the others by the CPU under its trap flag. Straight
 * loops are executed by the CPU from a translation, many turns at a time, where nothing but counts can come of them.
 *
 * Folders: interpreter/ decodes and executes instructions on a state, and is pure; guest/ reads and changes the guest;
 * here is when that happens: the states, the exits, the in-guest half.
 *
 * The rest of this comment is for who knows SVM but not this monitor. QEMU's emulator TCG is meant throughout, as seen
 * with QEMU 7.2: it emulates AMD's SVM well enough, and no PMU at all. Another version may differ in what follows;
 * monitor_prove() counts snippets of known length before the reference PMU is used, and tells.
 *
 * STEPPING INSIDE THE GUEST. The plain way to step is TF and a VM exit for each #DB. An exit costs some ten
 * microseconds, since TCG flushes its cache of translated jumps and its TLB, and exits of all CPUs wait for each other.
 * So the guest is given, behind its back, an IDT and a TSS of the monitor's (the shadow tables: shadow.c), whose gates
 * lead to monitor code that runs inside the guest, in its address space and at CPL 0: the in-guest half (vmrun.asm,
 * trap.c), also called the stub. With TF set, each #DB lands there without an exit, for less than a microsecond with
 * all that the model computes. It tells the model what has retired (retire.c), looks at the next instructions (look.c),
 * executes by itself as many as it can (step.c, interpreter/, blocks.c), and returns by IRET with TF set, so that
 * exactly one instruction of the guest runs until it is there again. Whatever else arrives meanwhile lands there too,
 * and is handed to the guest's own handler on a frame built by hand (deliver.c): the CPU would have pushed TF.
 *
 * That needs monitor code mapped, at its own address, where the guest is. This image and the monitor are one program,
 * so there it always holds, and this image keeps the shadow tables even while nothing counts: stepping begins and ends
 * without an exit, and accesses to the PMU's registers are patched into INT n, which comes without an exit as well
 * (patch.c). A foreign kernel has an address space of its own. If it maps everything one to one and runs 64-bit code at
 * CPL 0, it is stepped inside, for that stretch only. Otherwise it is stepped by exit; and as an exit is dear, the
 * monitor then executes thousands of instructions in its place before it lets it go on, seeing its memory through its
 * page tables (guest_memory.c). stepping=exit does without all of this: it is the cross-check, and every count has to
 * come out the same.
 *
 * VECTOR REGISTERS, x87 and MMX are the guest's at all times: this image is compiled without them, and SVM exchanges
 * none, nor XCR0. So what uses them is executed from a copy, with other general registers and the operand's real
 * address (interpreter/copy.h, guest/copied.c), and a fault of the copy leaves the instruction to the CPU. x87
 * keeps the copy's address and its operand's, which copied.c mends where FNSTENV or FNSAVE has stored them; QEMU's
 * FXSAVE stores zeros.
 *
 * THE STATES are the rows of the table in state_pure.c; transition.c has the ways between them:
 *
 *              | this image                            | a foreign kernel
 *   native     | unstepped, with stepping=exit         | unstepped
 *   shadowed   | unstepped otherwise                   | -
 *   inside     | stepped, #DB taken by the stub        | the same, where the stub can run
 *   by exit    | stepped, #DB exits: stepping=exit     | stepped where the stub cannot run
 *   viewed     | -                                     | within an exit: instructions executed in its place
 *
 * A VM exit (exit.c) looks up the state, acts on what came, and goes on in the state that follows. Intercepts are not
 * touched on the way: when the exit is over, intercept.c writes them all, from the table's row and the events under
 * way, and the state is checked against the table. Why each intercept exists stands there, at its name.
 *
 * WHAT TCG IS RELIED ON FOR, beside SVM itself: VMRUN goes on in the same address space (same CR3; nested paging maps
 * everything one to one, but for the local APIC's page, and for the monitor's memory, which a foreign guest by itself
 * does not have: nested.c). FS, GS, TR, LDTR and the MSRs of SYSCALL are shared by host and guest unless VMLOAD changes
 * them. The RDPMC intercept comes before the #UD of a CPU without a PMU, though after CR4.PCE, which is why that bit is
 * virtual (control.c). TF gives one #DB for each instruction, except that:
 *   - REP string instructions give one for each iteration: retired when RIP has moved on (step.c);
 *   - STI, MOV SS, POP SS and LSS give none, theirs comes with the next instruction's: step.c catches up;
 *   - PAUSE gives none, SYSCALL and SYSRET lose it or leak it into R11, INT n and exceptions push it, CPUID and
 * register accesses exit instead: emulate.c executes them;
 *   - PUSHF leaks it, POPF and IRET load the guest's own: step.c keeps that one in guest_tf.
 * Not relied on, as TCG does not have it: a next-RIP in the VMCB (lengths are decoded), the VMCB's interrupt shadow,
 * the blocking of NMIs after one was injected, an LVT entry that masks itself (apic_page.c lets stores to the APIC exit
 * and puts right what they leave).
 *
 * NMIs always exit. SVM leaves one pending until GIF is set, so the exit opens GIF for a moment, and the host's IDT
 * notes it. If the in-guest half was interrupted, that is all: it looks before each instruction. Else it is delivered,
 * by hand while stepped and by injection while not, and nmi_blocked is set until the guest's IRET. That is seen: while
 * stepped it is an instruction like all others; while not, IRET exits for as long as the blocking lasts, and no longer.
 * A PMI of the model's that LVTPC delivers as an NMI takes the same way; one with a vector goes through the real local
 * APIC by a self-IPI, so that ISR, EOI, TPR and IF mean what they always do.
 *
 * HLT exits, except in a foreign kernel that is not stepped. It retires, the model is told that the CPU sleeps, and the
 * host sleeps in its place with GIF set, and IF as the guest has it; what woke it is then delivered by hand.
 *
 * IRET is emulated while stepped if it is a 64-bit one, else stepped. Unstepped it exits only for the end of an NMI, in
 * the in-guest half with an NMI waiting (it came after that half had looked, and would wait for the next exit), and in
 * a foreign kernel that may return to a program that is counted: stepping has to begin at its first instruction.
 * SYSRET has no intercept: there it is made undefined, and its #UD exits.
 *
 * TIME. This image has the machine's clocks as they are, and so has a foreign guest with several CPUs, whose TSCs have
 * to agree whether one of them is stepped or not. One with a single CPU has a clock of its own (guest/clock.h,
 * guest/time.c): by itself it runs with the machine's, at an offset that the VMCB adds to RDTSC; while it is stepped,
 * it goes by what the model says that instructions take, RDTSC is emulated, and the local APIC's timer is counted here.
 * So each access to the APIC's page exits there, loads as well.
 *
 * OTHER CPUs: each has a struct vcpu, a VMCB, a TSS and a model of its own and comes under the monitor by a call of its
 * own; the shadow IDT, the host's IDT and the MSR permission map are shared and equal for all. Text is patched only
 * once all of them run on shadow tables. INIT would take a CPU out of the monitor: that and start-up IPIs of a
 * foreign kernel are not sent, but followed (startup.c).
 */
#pragma once

#include "boot/boot_info.h"
#include "pmu/reference/model/model.h"

/* Why the reference PMU cannot be used here (one line, what to do), or NULL if it can. Asks CPUID only. */
const char *monitor_unavailable(void);

/*
 * Puts the calling CPU under the monitor with the given set-up, or, if it is there already, re-arms it: model reset,
 * LVTPC masked, a pending PMI drained, virtual NMI state cleared. Call it on every CPU at a barrier with counters
 * stopped.
 */
/* False: no memory for it. */
bool monitor_arm(const struct model_setup *setup);
/* Is the calling CPU under the monitor? */
bool monitor_active(void);

/*
 * How instructions are stepped: inside the guest, straight loops many turns at a time (fast); the same with each
 * instruction by itself; or by the CPU with a VM exit each (slow, the cross-check).
 */
enum monitor_stepping { STEP_IN_GUEST, STEP_SINGLY, STEP_BY_EXIT };
void monitor_set_stepping(enum monitor_stepping how);

/*
 * Runs the counted snippets on the calling CPU and compares each count with its known value. Returns the number of
 * wrong ones and describes the first in text (MONITOR_TEXT bytes). Must be 0 before the reference PMU is used.
 */
#define MONITOR_TEXT 128
unsigned monitor_prove(char *text);

/* Another kernel's start: 32-bit protected mode without paging, flat segments, interrupts off. */
struct monitor_guest {
    u32 entry, eax, ebx, esi;
    u64 gdt; /* where its first GDT is to be: MONITOR_GUEST_GDT bytes of its memory */
};
#define MONITOR_GUEST_GDT 32ul
/*
 * The monitor's memory, hidden from that kernel: monitor_can_hide() takes what that needs, on behalf of every CPU under
 * the monitor (false: no memory), then monitor_hide() is called for each piece [base, end), of whole pages (false: too
 * many). Once, before monitor_host().
 */
bool monitor_can_hide(void);
bool monitor_hide(u64 base, u64 end);
/*
 * Calls of the BIOS for its map of memory (INT 15H) are answered out of this one from here on, which stays where it is.
 * False: there is no BIOS, or no room for a hook in its data.
 */
bool monitor_answer_bios(const struct boot_region *map, unsigned regions);
/*
 * Has the calling CPU, which must be under the monitor, wait for that kernel's start-up IPI, and be its from then on.
 * Does not return. And is that CPU waiting?
 */
_Noreturn void monitor_park(void);
bool monitor_parked(u32 cpu);
/*
 * Makes it the guest on the calling CPU, which must be under the monitor, and does not return. From here on the
 * monitor uses no memory but its own, and stays until the machine is reset.
 */
_Noreturn void monitor_host(const struct monitor_guest *guest);

#define MONITOR_STATES 5
struct monitor_statistics {
    u64 exits, steps, retired;
    u64 traps;                   /* steps that took a #DB; the others were executed by the monitor */
    u64 forwarded;               /* steps executed by translated blocks */
    u64 accesses;                /* to registers, answered without an exit and not as steps */
    u64 hung;                    /* exits for an access that does not come back */
    u64 checked[MONITOR_STATES]; /* exits after which the state was one of the table's: by enum running */
};
struct monitor_statistics monitor_statistics(void);
/* Puts back what the monitor changed in the image's text, so that its sum can be looked at. Boot CPU, while no other
 * one runs anything. */
void monitor_restore_text(void);
/* What a CPU has had done so far, in microseconds that a machine of ordinary speed takes for it. */
u64 monitor_work_us(u32 cpu);

/* Costs in picoseconds on the calling CPU, which must be under the monitor with its counters stopped. */
struct monitor_speed {
    u64 trap_ps; /* a bare #DB trap with an empty handler */
    u64 step_ps; /* a step of the reference PMU with one counter counting */
    u64 loop_us; /* ten million instructions of a straight loop, counted likewise; 0: nothing is translated */
    u64 exit_ps; /* a VM exit */
    u64 free_ps; /* an instruction that is not stepped */
};
struct monitor_speed monitor_speed(void);
