/* SPDX-License-Identifier: BSD-2-Clause */
/* Sinks, replay and the heartbeat. The clock is the test's. */
#include "kernel/log/log.h"
#include "tests/host/case.h"

#include <stdio.h>
#include <string.h>

static u64 clock_ms;

static u64 uptime_ms(void)
{
    return clock_ms;
}

static char early_text[2 << 20], late_text[2 << 20];
static size_t late_length; /* a memory that is replayed is long: its end is not sought */

static void early_write(const char *text, size_t length)
{
    strncat(early_text, text, length);
}

static void late_write(const char *text, size_t length)
{
    memcpy(late_text + late_length, text, length);
    late_text[late_length += length] = 0;
}

static void late_clear(void)
{
    late_text[late_length = 0] = 0;
}

static char shown[200];
static unsigned drained;

static void show_finding(const char *text)
{
    strcat(shown, text);
}

static void show_reason(const char *reason)
{
    strcat(strcat(shown, "; "), reason);
}

static void drain(void)
{
    drained++;
}

static struct sink early = {.write = early_write}, late = {.write = late_write};

CASE(late_sinks_see_everything)
{
    log_line("one");
    log_add_sink(&early);
    log_line("two");
    log_indent(1);
    log_line("three");
    log_indent(0);
    log_add_sink(&late);
    log_add_sink(&early); /* once is enough */
    log_line("four");
    assert_string_equal(early_text, "one\r\ntwo\r\n  three\r\nfour\r\n");
    assert_string_equal(late_text, early_text);
}

CASE(heartbeat_when_due)
{
    log_set_clock(uptime_ms);
    log_start();
    early_text[0] = 0;
    clock_ms = 5000;
    log_heartbeat("gp.exact");
    assert_string_equal(early_text, "");
    clock_ms = 12345;
    log_heartbeat("gp.exact");
    log_heartbeat("gp.exact");
    assert_string_equal(early_text, "# heartbeat running=gp.exact uptime=12\r\n");
}

/* With an unknown clock rate: after heartbeat_when_due(). */
CASE(heartbeat_without_uptime)
{
    log_set_timeless();
    early_text[0] = 0;
    clock_ms = 30000;
    log_heartbeat("gp.exact");
    assert_string_equal(early_text, "# heartbeat running=gp.exact\r\n");
}

CASE(a_full_memory_is_told)
{
    static struct sink third = {.write = late_write};
    for (int i = 0; i < 12000; i++)
        log_line("%0100d", i);
    late_clear();
    log_add_sink(&third);
    assert_non_null(strstr(late_text, "# log lost-lines="));
    assert_in_range(strlen(late_text), (1 << 19) - 512, (1 << 19) + 64);
}

static jmp_buf faulted;
static bool faulty;

static void fault_write(const char *text, size_t length)
{
    (void)text;
    (void)length;
    if (faulty)
        longjmp(faulted, 1);
}

static void draw(void)
{
    drained++;
    fault_write(NULL, 0);
}

/* Only the sinks that ask for findings get them, and an abandoned run still ends with a verdict. */
/* Like a fault's handler: the pending line has reached the sinks before the one that faulted. */
CASE(a_sink_that_faults_is_switched_off)
{
    static struct sink screen = {.name = "screen", .write = fault_write};
    log_add_sink(&screen);
    early_text[0] = 0;
    faulty = true;
    if (!setjmp(faulted))
        log_line("on its way");
    log_sink_faulted();
    log_line("after it");
    log_line("once is enough");
    assert_string_equal(early_text, "on its way\r\n# log sink=screen state=off reason=fault\r\nafter it\r\n"
                                    "once is enough\r\n");
    drained = 0;
    log_sink_run(&screen, draw);
    assert_int_equal(drained, 0);
}

/* A fault while the sink draws counts, too; any other fault switches no sink off. */
CASE(drawing_is_the_sinks_work)
{
    static struct sink screen = {.name = "screen", .write = fault_write};
    faulty = false;
    log_add_sink(&screen);
    log_sink_run(&screen, draw);
    early_text[0] = 0;
    log_sink_faulted();
    log_line("nobody was at work");
    assert_string_equal(early_text, "nobody was at work\r\n");
    faulty = true;
    if (!setjmp(faulted))
        log_sink_run(&screen, draw);
    log_sink_faulted();
    log_line("x");
    assert_non_null(strstr(early_text, "# log sink=screen state=off reason=fault\r\nx\r\n"));
}

CASE(findings_beside_the_lines)
{
    static struct sink screen = {
        .write = late_write, .finding = show_finding, .abandoned = show_reason, .drain = drain};
    late_clear();
    log_add_sink(&screen);
    early_text[0] = 0;
    log_finding("CPU %u was lost", 3);
    assert_string_equal(early_text, "");
    log_abandon("no memory");
    assert_string_equal(shown, "CPU 3 was lost; no memory");
    assert_non_null(strstr(early_text, "# end verdict=error pass=0 fail=0 known=0 review=0 skip=0 error=1 crc32="));
    drained = 0;
    log_drain();
    assert_int_equal(drained, 1);
}

int main(void)
{
    return run_cases();
}
