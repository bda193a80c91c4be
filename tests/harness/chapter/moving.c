/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/chapter/moving.h"
#include "kernel/core/option.h"
#include "kernel/core/time.h"
#include "kernel/log/log.h"
#include "kernel/serial/serial.h"

OPTION(
    migrate, .kind = OPTION_NUMBER, .argument = "SECONDS", .minimum = 1, .maximum = 3600,
    .help =
        "under a hypervisor: access.migrated asks in the log for the guest to be moved to another host, or saved and "
        "loaded, and waits so long for a byte on the log's UART that says that it was");

#define LATER_US 1000000 /* the other CPUs wait longer than the one that looks for the byte */

enum sign { AWAITED, CAME, MISSING };
static enum sign sign;

void (*guest_move_played)(void);

u32 guest_move_seconds(void)
{
    return option_migrate.given ? (u32)option_migrate.number : 0;
}

void need_move(struct test *t)
{
    if (guest_move_played || option_migrate.given)
        return;
    if (!t->caps->hypervisor)
        skip(t, "CPUID.1:ECX[31]=0: no hypervisor that may move this machine to another host");
    skip(t, "migrate= is not given: nobody moves this guest");
}

static u64 patience(void)
{
    return option_migrate.number * 1000000ul;
}

static void set(enum sign now)
{
    __atomic_store_n(&sign, now, __ATOMIC_SEQ_CST);
}

/* On the CPU that writes the log. What came before the request says nothing. */
static void ask(void)
{
    serial_received();
    log_line("# migrate seconds=%lu awaits=\"a byte on this line, after the guest was moved, or saved and loaded\"",
             option_migrate.number);
    log_drain();
    struct deadline deadline = deadline_us(patience());
    bool came = false;
    while (!came && !deadline_passed(&deadline))
        came = serial_received();
    set(came ? CAME : MISSING);
}

static enum sign wait(void)
{
    struct deadline deadline = deadline_us(patience() + LATER_US);
    enum sign now = AWAITED;
    while (now == AWAITED && !deadline_passed(&deadline))
        now = __atomic_load_n(&sign, __ATOMIC_SEQ_CST);
    return now;
}

void guest_moves(struct test *t)
{
    if (t->position == 0)
        set(AWAITED);
    barrier(t);
    if (option_migrate.given) {
        if (t->position == 0)
            ask();
        if (wait() != CAME)
            error(t, "migrate=%lu: in these seconds no byte came over the log's UART", option_migrate.number);
    }
    if (guest_move_played)
        guest_move_played();
    barrier(t);
}
