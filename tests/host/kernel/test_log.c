/* links: kernel/log/log_pure.c kernel/log/log_line_pure.c kernel/text/crc32.c kernel/text/format.c */
/* Sinks, replay and the heartbeat. The clock is the test's. */
#include "kernel/log/log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static u64 clock_ms;

static u64 uptime_ms(void)
{
    return clock_ms;
}

static char early_text[200000], late_text[200000];

static void early_write(const char *text, size_t length)
{
    strncat(early_text, text, length);
}

static void late_write(const char *text, size_t length)
{
    strncat(late_text, text, length);
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

static void late_sinks_see_everything(void **state)
{
    (void)state;
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

static void heartbeat_when_due(void **state)
{
    (void)state;
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

static void a_full_memory_is_told(void **state)
{
    static struct sink third = {.write = late_write};
    (void)state;
    for (int i = 0; i < 800; i++)
        log_line("%0100d", i);
    late_text[0] = 0;
    log_add_sink(&third);
    assert_non_null(strstr(late_text, "# log lost-lines="));
    assert_in_range(strlen(late_text), 65000, 65536 + 64);
}

/* Only the sinks that ask for findings get them, and an abandoned run still ends with a verdict. */
static void findings_beside_the_lines(void **state)
{
    static struct sink screen = {
        .write = late_write, .finding = show_finding, .abandoned = show_reason, .drain = drain};
    (void)state;
    log_add_sink(&screen);
    early_text[0] = 0;
    log_finding("CPU %u was lost", 3);
    assert_string_equal(early_text, "");
    log_abandon("no memory");
    assert_string_equal(shown, "CPU 3 was lost; no memory");
    assert_non_null(strstr(early_text, "# end verdict=error pass=0 fail=0 known=0 review=0 skip=0 error=1 crc32="));
    log_drain();
    assert_int_equal(drained, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late_sinks_see_everything),
        cmocka_unit_test(heartbeat_when_due),
        cmocka_unit_test(a_full_memory_is_told),
        cmocka_unit_test(findings_beside_the_lines),
    };
    return cmocka_run_group_tests_name("log", tests, NULL, NULL);
}
