/* SPDX-License-Identifier: BSD-2-Clause */
/* A list of CPUs as users write it: the option cpus. */
#include "kernel/cpu/cpus.h"
#include "kernel/core/memory.h"
#include "kernel/core/option.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpu_start.h"
#include "kernel/firmware/acpi.h"
#include "kernel/interrupt/apic.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/log/log.h"
#include "kernel/register/instructions.h"
#include "kernel/text/text.h"

/* SDM 3A, "MP Initialization Protocol": 10 ms after INIT, 200 us between the two start-up IPIs. */
#define INIT_WAIT_US 10000
#define STARTUP_WAIT_US 200
#define ANSWER_WAIT_US 5000000 /* on a busy host the threads of a guest may wait for seconds */
#define AP_STACK_PAGES 8
/* How long a CPU may take to leave a test after the NMI that ends it, and how many such NMIs: cleaning up may hang
 * too. */
#define ABORT_WAIT_US 500000
#define ABORTS 3

OPTION(cpus, .kind = OPTION_TEXT, .argument = "LIST",
       .help = "only these CPUs, as in 0,2-3; no others are started, except the boot CPU, 0, which always runs");

extern const u8 trampoline[], trampoline_end[], trampoline_cr3[];
extern u64 *ap_stacks;
extern u32 ap_limit;
extern u32 ap_ticket;
void ap_start(u32 ticket); /* called by the trampoline */

static struct cpu_state *created[MAX_CPUS]; /* by number */
static volatile bool online[MAX_CPUS];
static bool lost[MAX_CPUS];
static u32 lost_count, unanswered;
static u32 count = 1;
#define PART_ABORTED 1ull
static struct {
    u64 begun; /* number of the boot CPU's current part; odd once aborted; 0: none */
    u64 us;    /* how long it may take */
} boot_part;
void (*cpus_boot_cpu_wakes)(void);
void (*cpus_poll)(void);
void (*cpus_progress)(void);
u64 (*cpus_work_us)(u32 cpu);

u32 cpu_count(void)
{
    return count;
}

u32 cpus_lost(void)
{
    return lost_count;
}

u32 cpu_apic_id(u32 cpu)
{
    return cpu_state_of(cpu)->apic_id;
}

u32 cpus_unanswered(void)
{
    return unanswered;
}

struct cpu_set cpus_all(void)
{
    struct cpu_set set = {{0}};
    for (u32 cpu = 0; cpu < count; cpu++)
        if (!lost[cpu])
            cpu_set_add(&set, cpu);
    return set;
}

u32 cpus_answering(void)
{
    struct cpu_set all = cpus_all();
    return cpu_set_count(&all);
}

static void progress(void)
{
    if (cpus_progress)
        cpus_progress();
}

static void do_work(struct cpu_state *self)
{
    void (*work)(void *) = self->work;
    self->work = NULL;
    work(self->work_argument);
    __atomic_store_n(&self->busy, false, __ATOMIC_RELEASE);
}

/* The CPU's work is counted from here on. */
static void begin_work(struct cpu_state *other)
{
    other->work_begun = cpus_work_us ? cpus_work_us(other->index) : 0;
}

/* The next NMI there ends the guarded call. */
static void expect_abort(struct cpu_state *other)
{
    begin_work(other);
    other->abort = true;
}

/* Ends the guarded call that runs on another CPU. */
static void abort_call(struct cpu_state *other)
{
    expect_abort(other);
    apic_send_nmi(other->apic_id);
}

bool cpus_give_up(u32 cpu)
{
    bool guarded = cpu_state_of(cpu)->guarded;
    if (guarded)
        expect_abort(cpu_state_of(cpu));
    return guarded;
}

/* The watcher is the first other CPU that still answers: it keeps a tick and bounds the time of the boot CPU's own
 * part. */
static bool is_watcher(const struct cpu_state *self)
{
    for (u32 cpu = 1; cpu < self->index; cpu++)
        if (!lost[cpu])
            return false;
    return true;
}

static struct work work_of(const struct cpu_set *set)
{
    struct work work = {0};
    for (u32 cpu = 0; cpu < count && cpus_work_us; cpu++) {
        if (!cpu_set_has(set, cpu))
            continue;
        u64 done = cpus_work_us(cpu), now = done - cpu_state_of(cpu)->work_begun;
        work.all += done;
        if (now > work.most && (!cpu || cpu_state_of(cpu)->busy))
            work.most = now;
    }
    return work;
}

struct allowance cpus_allow(const struct cpu_set *set, u64 us)
{
    if (cpus_work_us)
        return allowance_counted(time_now(), time_ticks(us), work_of(set), us);
    return allowance_in_time(time_now(), time_ticks(us));
}

bool cpus_over(const struct cpu_set *set, struct allowance *allowance)
{
    u64 seen = allowance->seen;
    bool over = allowance_over(allowance, time_now(), work_of(set));
    if (!over && allowance->seen != seen)
        progress();
    return over;
}

static u64 boot_part_begun(void)
{
    return __atomic_load_n(&boot_part.begun, __ATOMIC_ACQUIRE);
}

/*
 * The watcher takes its own allowance when it first sees the part, as its TSC may differ from the boot CPU's. Meanwhile
 * the boot CPU may have finished that part and begun its next one.
 */
static void watch_boot_cpu(void)
{
    static const struct cpu_set boot = {{1}};
    static u64 seen;
    static struct allowance allowance;
    u64 begun = boot_part_begun();
    if (begun && seen != begun) {
        allowance = cpus_allow(&boot, boot_part.us);
        seen = boot_part_begun() == begun ? begun : 0;
    }
    if (!begun || seen != begun || !cpus_over(&boot, &allowance))
        return;
    seen = begun | PART_ABORTED;
    if (!__atomic_compare_exchange_n(&boot_part.begun, &begun, seen, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return;
    abort_call(cpu_state_of(0));
    allowance = cpus_allow(&boot, ABORT_WAIT_US); /* for the boot CPU's cleaning up after the abort */
}

void cpus_watch(void)
{
    if (boot_part_begun() && is_watcher(cpu_state()))
        watch_boot_cpu();
}

static void sleep(struct cpu_state *self)
{
    bool watch = boot_part_begun() && is_watcher(self);
    if (watch)
        apic_tick(true);
    sti_hlt();
    if (watch) {
        apic_tick(false);
        watch_boot_cpu();
    }
}

/*
 * Tells the boot CPU that work is done, if it waits for that; during its own part the interrupt would spoil what the
 * part measures. Each side first publishes its own state, then reads the other's, so at least one sees the other.
 */
static void tell_boot_cpu(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (!boot_part_begun())
        apic_send(cpu_state_of(0)->apic_id, VECTOR_WAKE);
}

static _Noreturn void idle(struct cpu_state *self)
{
    for (;;) {
        cli();
        if (!self->work) {
            sleep(self);
            continue;
        }
        do_work(self);
        cli();
        tell_boot_cpu();
    }
}

static struct cpu_state *find_created(u32 id)
{
    for (u32 cpu = 1; cpu < MAX_CPUS; cpu++)
        if (created[cpu] && created[cpu]->apic_id == id)
            return created[cpu];
    return NULL;
}

static void set_up(struct cpu_state *self)
{
    tables_load(self);
    write_cr4(read_cr4() | CR4_MCE);
    paging_cpu_init();
    apic_cpu_init();
    apic_restore_firmware_entries();
}

void ap_start(u32 ticket)
{
    apic_follow_boot_cpu();
    if (cpus_boot_cpu_wakes && apic_id() == cpu_apic_id(0)) {
        set_up(cpu_state_of(0));
        cpus_boot_cpu_wakes();
    }
    struct cpu_state *self = find_created(apic_id());
    if (!self)
        return;
    self->stack = ap_stacks[ticket];
    set_up(self);
    cpu_started();
    online[self->index] = true;
    idle(self);
}

/* The CPUs that the option names; all CPUs if its list is invalid: that error is reported later. */
static struct cpu_set chosen_cpus(void)
{
    struct cpu_set set;
    char error[CPU_LIST_ERROR];
    if (!option_cpus.given || !cpu_list_parse(option_cpus.text, MAX_CPUS, &set, error))
        memset(&set, 0xff, sizeof(set));
    return set;
}

/*
 * Creates the state and stack of each enabled CPU of the MADT; logs the CPUs that cannot get them. A CPU that the
 * option leaves out keeps its number, and is not touched.
 */
static u32 create_all(u32 self_id)
{
    u32 next = 1, stacks = 0;
    struct cpu_set asked = chosen_cpus();
    const struct acpi_info *info = acpi();
    for (unsigned i = 0; i < info->cpus; i++) {
        if (!info->cpu[i].enabled || info->cpu[i].apic_id == self_id || next >= MAX_CPUS)
            continue;
        if (!apic_x2() && info->cpu[i].apic_id > 254) {
            log_line("# cpu apic-id=%u left-out=\"not reachable in xAPIC mode\"", info->cpu[i].apic_id);
            continue;
        }
        created[next] = cpu_state_create(next, info->cpu[i].apic_id);
        lost[next] = !cpu_set_has(&asked, next);
        u8 *stack = lost[next] ? NULL : stack_alloc(AP_STACK_PAGES);
        if (!created[next] || !per_cpu_create(next) || (!lost[next] && !stack)) {
            log_line("# error no memory for CPU with apic-id=%u: each CPU needs about 130 KiB", info->cpu[i].apic_id);
            created[next] = NULL;
            break;
        }
        if (stack)
            ap_stacks[stacks++] = (u64)stack + AP_STACK_PAGES * PAGE_SIZE;
        next++;
    }
    ap_limit = stacks;
    if (next - 1 > stacks)
        log_line("# cpus not-started=%u reason=\"option cpus\"", next - 1 - stacks);
    return next;
}

static void startup_all(u32 created_count, u32 page)
{
    for (u32 cpu = 1; cpu < created_count; cpu++)
        if (!online[cpu] && !lost[cpu])
            apic_send_init(created[cpu]->apic_id);
    time_delay_us(INIT_WAIT_US);
    for (u32 tries = 0; tries < 2; tries++) {
        for (u32 cpu = 1; cpu < created_count; cpu++)
            if (!online[cpu] && !lost[cpu])
                apic_send_startup(created[cpu]->apic_id, page);
        time_delay_us(STARTUP_WAIT_US);
    }
}

/* Each answer restarts the wait: how long many CPUs take to come up depends on their number. */
static void wait_for_answers(u32 created_count)
{
    struct deadline deadline = deadline_us(ANSWER_WAIT_US);
    u32 missing = ap_limit, before;
    do {
        before = missing;
        missing = 0;
        for (u32 cpu = 1; cpu < created_count; cpu++)
            missing += !online[cpu] && !lost[cpu];
        if (missing != before)
            deadline = deadline_us(ANSWER_WAIT_US);
    } while (missing && !deadline_passed(&deadline));
}

/*
 * CPU numbers do not change; a CPU that did not answer counts as lost. INIT makes it wait for a start-up IPI that never
 * comes. SDM 3A, "MP Initialization Protocol Algorithm for MP Systems".
 */
static void leave_out_missing(u32 created_count)
{
    faults_at_start_report();
    for (u32 cpu = 1; cpu < created_count; cpu++) {
        if (online[cpu] || lost[cpu])
            continue;
        lost[cpu] = true;
        lost_count++;
        apic_send_init(created[cpu]->apic_id);
        log_line("# error cpu=%u apic-id=%u did not answer INIT-SIPI-SIPI within %u ms: left out", cpu,
                 created[cpu]->apic_id, ANSWER_WAIT_US / 1000);
        log_finding("CPU %u (APIC id %u) did not start", cpu, created[cpu]->apic_id);
    }
}

void cpus_start(void)
{
    if (apic_present())
        cpu_state_of(0)->apic_id = apic_id();
    if (!start_step("cpus"))
        return;
    u32 page = memory_low_page();
    if (!apic_present() || !acpi()->madt || !page) {
        log_line("# cpus started=1 reason=\"%s\"", !apic_present() ? "no local APIC"
                                                   : !page         ? "no free page below 1 MiB"
                                                                   : "no MADT");
        return;
    }
    ap_stacks = pages_alloc((MAX_CPUS * sizeof(u64) + PAGE_SIZE - 1) / PAGE_SIZE);
    if (!ap_stacks)
        return;
    u32 created_count = create_all(apic_id());
    memcpy((void *)(u64)page, trampoline, (u64)(trampoline_end - trampoline));
    *(u32 *)(u64)(page + (trampoline_cr3 - trampoline)) = (u32)paging_root();
    startup_all(created_count, page);
    wait_for_answers(created_count);
    count = created_count;
    leave_out_missing(created_count);
    unanswered = lost_count;
    if (!lost_count)
        paging_unmap(page); /* a CPU that comes up late, in spite of INIT, needs it; without it the machine resets */
}

u32 cpus_await_boot_cpu(u64 stack)
{
    if (!ap_stacks)
        return 0;
    ap_stacks[0] = stack;
    ap_ticket = 0;
    ap_limit = 1;
    return memory_low_page();
}

/* The CPUs get their stacks again. */
static void await_again(const struct cpu_set *set)
{
    ap_limit = ap_ticket = 0;
    for (u32 cpu = 1; cpu < count; cpu++) {
        if (!cpu_set_has(set, cpu) || lost[cpu])
            continue;
        ap_stacks[ap_limit++] = created[cpu]->stack;
        online[cpu] = false;
    }
}

bool cpus_restart(const struct cpu_set *set)
{
    u32 page = memory_low_page(), before = lost_count;
    await_again(set);
    startup_all(count, page);
    wait_for_answers(count);
    leave_out_missing(count);
    if (!lost_count)
        paging_unmap(page);
    return lost_count == before;
}

static bool all_done(const struct cpu_set *set)
{
    for (u32 cpu = 1; cpu < count; cpu++)
        if (cpu_set_has(set, cpu) && !lost[cpu] && __atomic_load_n(&cpu_state_of(cpu)->busy, __ATOMIC_ACQUIRE))
            return false;
    return true;
}

/* Sleeps between wake-ups; the tick bounds each sleep, the allowance the whole. */
static bool wait_for_all(const struct cpu_set *set, u64 us)
{
    if (all_done(set))
        return true;
    struct cpu_set others = *set;
    cpu_set_remove(&others, 0); /* the boot CPU only waits */
    struct allowance allowance = cpus_allow(&others, us);
    u64 flags = interrupts_off();
    bool done;
    while (!(done = all_done(set)) && !cpus_over(&others, &allowance)) {
        apic_tick(true);
        sti_hlt();
        if (cpus_poll)
            cpus_poll();
    }
    apic_tick(false);
    interrupts_restore(flags);
    return done;
}

static void mark_late(const struct cpu_set *set, struct cpu_set *late)
{
    for (u32 cpu = 1; cpu < count; cpu++) {
        if (!cpu_set_has(set, cpu) || lost[cpu] || !cpu_state_of(cpu)->busy)
            continue;
        lost[cpu] = true;
        lost_count++;
        log_line("# error cpu=%u apic-id=%u does not return and does not answer an NMI: left out from here on", cpu,
                 cpu_apic_id(cpu));
        if (__atomic_load_n(&cpu_state_of(cpu)->died, __ATOMIC_ACQUIRE))
            guard_log(&cpu_state_of(cpu)->result);
        log_finding("CPU %u (APIC id %u) was lost", cpu, cpu_apic_id(cpu));
        if (late)
            cpu_set_add(late, cpu);
    }
}

static void post(const struct cpu_set *set, void (*function)(void *), void *argument)
{
    for (u32 cpu = 1; cpu < count; cpu++) {
        if (!cpu_set_has(set, cpu) || lost[cpu])
            continue;
        struct cpu_state *other = cpu_state_of(cpu);
        other->work_argument = argument;
        begin_work(other);
        other->busy = true;
        __atomic_store_n(&other->work, function, __ATOMIC_RELEASE);
        apic_send(other->apic_id, VECTOR_WAKE);
    }
}

/*
 * The boot CPU's own part. A sleeping watcher must be woken to see that there is a part to watch; a busy one sees it
 * when its own work is done, and an interrupt would spoil what that work measures. Each side publishes before it reads,
 * as in tell_boot_cpu().
 */
static void run_here(void (*function)(void *), void *argument, u32 timeout_ms)
{
    static u64 parts;
    begin_work(cpu_state_of(0));
    boot_part.us = timeout_ms * 1000ul;
    parts += PART_ABORTED + 1;
    __atomic_store_n(&boot_part.begun, parts, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    for (u32 cpu = 1; cpu < count; cpu++)
        if (!lost[cpu] && is_watcher(cpu_state_of(cpu)) && !__atomic_load_n(&cpu_state_of(cpu)->busy, __ATOMIC_ACQUIRE))
            apic_send(cpu_state_of(cpu)->apic_id, VECTOR_WAKE);
    function(argument);
    __atomic_store_n(&boot_part.begun, 0, __ATOMIC_SEQ_CST);
    progress();
}

static void abort_late(const struct cpu_set *set)
{
    for (u32 cpu = 1; cpu < count; cpu++)
        if (cpu_set_has(set, cpu) && !lost[cpu] && cpu_state_of(cpu)->busy)
            abort_call(cpu_state_of(cpu));
}

bool cpus_join(const struct cpu_set *set, u32 timeout_ms, struct cpu_set *late)
{
    bool done = wait_for_all(set, timeout_ms * 1000ul);
    progress();
    if (done)
        return true;
    for (unsigned tries = 0; tries < ABORTS; tries++) {
        abort_late(set);
        if (wait_for_all(set, ABORT_WAIT_US))
            return true;
    }
    mark_late(set, late);
    return false;
}

void cpus_begin(const struct cpu_set *set, void (*function)(void *), void *argument)
{
    post(set, function, argument);
}

bool cpus_run(const struct cpu_set *set, void (*function)(void *), void *argument, u32 timeout_ms, struct cpu_set *late)
{
    if (late)
        *late = (struct cpu_set){{0}};
    post(set, function, argument);
    if (cpu_set_has(set, 0))
        run_here(function, argument, timeout_ms);
    return cpus_join(set, timeout_ms, late);
}

static bool parse_range(const char *item, u32 *first, u32 *last)
{
    if (!number_take(&item, first))
        return false;
    *last = *first;
    if (*item == '-') {
        item++;
        if (!number_take(&item, last))
            return false;
    }
    return !*item && *first <= *last;
}

bool cpu_list_parse(const char *list, u32 cpus, struct cpu_set *set, char error[CPU_LIST_ERROR])
{
    char item[32];
    u32 first, last;
    *set = (struct cpu_set){0};
    const char *rest = list;
    while (list_next(&rest, item, sizeof(item))) {
        if (!parse_range(item, &first, &last)) {
            format_text(error, CPU_LIST_ERROR, "cpus=%s: not a list like 0,2-3", list);
            return false;
        }
        if (last >= cpus) {
            format_text(error, CPU_LIST_ERROR, "cpus=%s: this machine runs CPUs 0 to %u", list, cpus - 1);
            return false;
        }
        for (u32 cpu = first; cpu <= last; cpu++)
            cpu_set_add(set, cpu);
    }
    for (u32 cpu = 0; cpu < cpus; cpu++)
        if (cpu_set_has(set, cpu))
            return true;
    format_text(error, CPU_LIST_ERROR, "cpus=%s names no CPU", list);
    return false;
}
