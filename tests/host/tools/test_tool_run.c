/* SPDX-License-Identifier: BSD-2-Clause */
/* `pmucheck run`: QEMU's command line, reading the log as it arrives, and ending a child that does not end by
 * itself. */
#include "tests/host/case.h"
#include "tools/pmucheck/run/run.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* ---- QEMU's command line */

static struct arena arena;

static bool has(const struct qemu_arguments *arguments, const char *option, const char *value)
{
    for (unsigned i = 0; i + 2 < arguments->list.count; i++)
        if (strcmp(arguments->list.item[i], option) == 0 && strstr(arguments->list.item[i + 1], value))
            return true;
    return false;
}

/* A guest of one CPU from a disc, without options. */
static const struct qemu_setup plain = {.image = "x",
                                        .reference = "",
                                        .options = "",
                                        .machine = "pc",
                                        .firmware = "bios",
                                        .medium = "cd",
                                        .cpus = 1,
                                        .memory = 256};

static struct qemu_arguments asked_for(const struct qemu_setup *setup)
{
    struct qemu_arguments arguments = {0};
    qemu_arguments(&arena, setup, &arguments);
    return arguments;
}

CASE(qemu_is_asked_for_what_was_wanted)
{
    char *more[] = {"-smbios", "type=1", NULL};
    struct qemu_setup setup = {.image = "a,b.iso",
                               .reference = "haswell",
                               .profile = "/dev/fd/5",
                               .options = "run=gp.*,pmi.*",
                               .machine = "q35",
                               .firmware = "uefi",
                               .medium = "usb",
                               .cpu = "max,-svm",
                               .cpus = 3,
                               .memory = 64,
                               .more = more};
    struct qemu_arguments arguments = asked_for(&setup);
    assert_true(has(&arguments, "-fw_cfg", "string=reference=haswell after=exit run=gp.*,,pmi.*"));
    assert_true(has(&arguments, "-drive", "file=a,,b.iso,snapshot=on"));
    assert_true(has(&arguments, "-drive", "OVMF_CODE_4M.fd"));
    assert_true(has(&arguments, "-device", "usb-storage"));
    assert_true(has(&arguments, "-smp", "3"));
    assert_true(has(&arguments, "-cpu", "max,-svm"));
    assert_true(has(&arguments, "-fw_cfg", "name=opt/org.pmucheck/profile,file=/dev/fd/5"));
    assert_true(has(&arguments, "-smbios", "type=1"));
    assert_null(arguments.list.item[arguments.list.count - 1]);
    setup = plain;
    setup.cpu = "max";
    arguments = asked_for(&setup);
    assert_true(has(&arguments, "-fw_cfg", "string=after=exit"));
    assert_false(has(&arguments, "-drive", "OVMF"));
    assert_true(has(&arguments, "-device", "ide-cd"));
    arena_free(&arena);
}

/* A kernel has its options on its command line, and no disk. */
CASE(a_kernel_is_started_without_a_loader)
{
    struct qemu_setup setup = {.image = "a.elf",
                               .reference = "haswell",
                               .options = "run=gp.*,pmi.*",
                               .machine = "microvm",
                               .firmware = "bios",
                               .medium = "kernel",
                               .cpus = 1,
                               .memory = 256};
    struct qemu_arguments arguments = asked_for(&setup);
    assert_true(has(&arguments, "-kernel", "a.elf"));
    assert_true(has(&arguments, "-append", "reference=haswell after=exit run=gp.*,pmi.*"));
    assert_false(has(&arguments, "-fw_cfg", "options"));
    assert_false(has(&arguments, "-drive", "a.elf"));
    assert_true(has(&arguments, "-cpu", "max"));
    assert_true(has(&arguments, "-accel", "tcg"));
    arena_free(&arena);
}

/* The machine's own PMU, judged; a -cpu from the user is passed on. */
CASE(kvm_hands_on_the_machine_s_pmu)
{
    struct qemu_setup setup = plain;
    setup.accel = "kvm";
    setup.options = "quick";
    struct qemu_arguments arguments = asked_for(&setup);
    assert_true(has(&arguments, "-accel", "kvm"));
    assert_false(has(&arguments, "-accel", "tcg"));
    assert_true(has(&arguments, "-cpu", "host,pmu=on"));
    assert_true(has(&arguments, "-fw_cfg", "string=judge=virtual after=exit quick"));
    setup.host_kernel = "6.8.0-45-generic";
    arguments = asked_for(&setup);
    assert_true(has(&arguments, "-fw_cfg", "string=judge=virtual host-kernel=6.8.0-45-generic after=exit quick"));
    setup.cpu = "Skylake-Client,pmu=on";
    arguments = asked_for(&setup);
    assert_true(has(&arguments, "-cpu", "Skylake-Client"));
    assert_false(has(&arguments, "-cpu", "host"));
    setup.cpu = NULL;
    setup.reference = "skylake"; /* which needs nothing of the host's PMU, and is no guest's */
    arguments = asked_for(&setup);
    assert_true(has(&arguments, "-cpu", "host"));
    assert_true(has(&arguments, "-fw_cfg", "string=reference=skylake after=exit quick"));
    arena_free(&arena);
}

/* Only a QEMU with a control socket has guests that are moved. */
CASE(a_guest_that_is_moved_is_loaded)
{
    struct qemu_setup setup = plain;
    setup.reference = "haswell";
    setup.options = "quick";
    struct qemu_arguments arguments = asked_for(&setup);
    assert_false(has(&arguments, "-mon", ""));
    setup.control = 7;
    arguments = asked_for(&setup);
    assert_true(has(&arguments, "-chardev", "socket,id=control,fd=7"));
    assert_true(has(&arguments, "-mon", "chardev=control,mode=control"));
    assert_true(has(&arguments, "-fw_cfg", "string=reference=haswell migrate=60 after=exit quick"));
    assert_false(has(&arguments, "-incoming", ""));
    setup.incoming = "exec:cat saved";
    arguments = asked_for(&setup);
    assert_true(has(&arguments, "-incoming", "exec:cat saved"));
    arena_free(&arena);
}

CASE(the_network_names_the_firmware_s_loader)
{
    static const char *const pairs[][2] = {{"bios", "pmucheck.0"}, {"uefi", "BOOTX64.EFI"}, {"uefi32", "BOOTIA32.EFI"}};
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        struct qemu_setup setup = {.image = "a,b",
                                   .reference = "",
                                   .options = "",
                                   .machine = "q35",
                                   .firmware = pairs[i][0],
                                   .medium = "net",
                                   .cpu = "max",
                                   .cpus = 1,
                                   .memory = 256};
        struct qemu_arguments arguments = asked_for(&setup);
        assert_true(has(&arguments, "-netdev", "restrict=on,tftp=a,,b,bootfile="));
        assert_true(has(&arguments, "-netdev", pairs[i][1]));
        assert_true(has(&arguments, "-machine", i == 2 ? "q35,smm=on" : "q35"));
        assert_int_equal(has(&arguments, "-drive", "OVMF32_CODE_4M.secboot.fd"), i == 2);
    }
    arena_free(&arena);
}

/* ---- Progress */

static struct progress progress;

static void take(const char *text)
{
    const char *line;
    for (size_t size = strlen(text), taken; size > 0; size -= taken, text += taken)
        taken = progress_take(&progress, text, size, &line);
}

static const char *bar(unsigned width)
{
    static char text[256];
    progress_bar(&progress, 12, width, text, sizeof(text));
    return text;
}

CASE(results_are_counted_as_they_arrive)
{
    memset(&progress, 0, sizeof(progress));
    take("SeaBIOS\r\nKTAP version 1\r\n# run pmu=hardware\r\n1..4\r\n# begin a.b\r\no");
    take("k 1 a.b\r\nnot ok 2 a.c\r\nok 3 a.d # SKIP no\r\n# begin a.e\r\n");
    assert_string_equal(bar(200), "[##################      ] 3/4 1 ok 1 fail 1 skip 12 s a.e");
    assert_int_equal(strlen(bar(20)), 20);
    assert_false(progress.ended);
    take("# end verdict=fail\r\n");
    assert_true(progress.ended);
    assert_string_equal(progress.pmu, "hardware");
}

CASE(several_runs_are_told_apart)
{
    memset(&progress, 0, sizeof(progress));
    take("KTAP version 1\n1..2\n  KTAP version 1\n  1..2\n  ok 1 a\n  ok 2 b\nok 1 one\n  1..2\n  not ok 1 a # ERROR "
         "x\n");
    assert_string_equal(bar(200), "[############            ] 1/2 run 2/2 2 ok 1 error 12 s ");
}

CASE(a_line_without_end_is_no_overrun)
{
    const char *line;
    memset(&progress, 0, sizeof(progress));
    for (int i = 0; i < 3000; i++)
        assert_int_equal(progress_take(&progress, "#", 1, &line), 1);
    take("\n1..4294967295\nok 1 a\n1..0\n");
    assert_non_null(bar(80));
}

CASE(notable_lines_are_known)
{
    assert_true(progress_notable("  not ok 2 a.c"));
    assert_true(progress_notable("# fail a.c label=x"));
    assert_false(progress_notable("ok 1 a"));
    assert_false(progress_notable("# begin a"));
}

/* ---- The child */

static int run_shell(const char *script, bool ask, char *output, size_t size)
{
    char *arguments[] = {"sh", "-c", (char *)script, NULL};
    struct child child;
    size_t used = 0, room;
    enum child_event event = CHILD_QUIET;
    assert_true(child_start(&child, arguments));
    for (int quiet = 0; event != CHILD_CLOSED && quiet < 20; quiet += event == CHILD_QUIET) {
        room = size - 1 - used;
        event = child_wait(&child, ask ? 20 : 500, output + used, &room);
        used += room;
    }
    output[used] = 0;
    return child_end(&child, ask);
}

CASE(a_child_is_read_and_its_status_told)
{
    char output[64];
    assert_int_equal(run_shell("echo one; echo two; exit 35", false, output, sizeof(output)), 35);
    assert_string_equal(output, "one\ntwo\n");
}

CASE(a_child_that_does_not_end_is_ended)
{
    char output[64];
    assert_int_equal(run_shell("echo up; exec sleep 60", true, output, sizeof(output)), 128 + 15);
    assert_string_equal(output, "up\n");
}

CASE(a_missing_program_is_told)
{
    char *arguments[] = {"/no/such/program", NULL};
    struct child child;
    assert_false(child_start(&child, arguments));
    assert_int_equal(errno, ENOENT);
}

CASE(a_child_is_fed)
{
    char *arguments[] = {"sh", "-c", "read line; echo got $line", NULL};
    char output[64];
    size_t room = sizeof(output) - 1;
    struct child child;
    assert_true(child_start_fed(&child, arguments, -1));
    assert_int_equal(write(child.input, "this\n", 5), 5);
    while (child_wait(&child, 5000, output, &room) == CHILD_QUIET)
        room = sizeof(output) - 1;
    output[room] = 0;
    assert_int_equal(child_end(&child, false), 0);
    assert_string_equal(output, "got this\n");
}

/* ---- QEMU's control socket: the other end's lines were written before. */

static bool asked(const char *lines, struct control *control)
{
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_int_equal(write(ends[1], lines, strlen(lines)), (ssize_t)strlen(lines));
    assert_int_equal(shutdown(ends[1], SHUT_WR), 0);
    *control = (struct control){.socket = ends[0]};
    bool answered = control_open(control) && control_ask(control, "{\"execute\": \"stop\"}") &&
                    control_until(control, "{\"execute\": \"query-migrate\"}", "\"completed\"");
    close(ends[0]);
    close(ends[1]);
    return answered;
}

#define GREETING "{\"QMP\": {}}\r\n{\"return\": {}}\r\n"

CASE(qemu_is_asked_by_lines)
{
    struct control control;
    assert_true(asked(GREETING "{\"event\": \"STOP\"}\r\n{\"return\": {}}\r\n{\"return\": {\"status\": \"active\"}}\r\n"
                               "{\"event\": \"MIGRATION\"}\r\n{\"return\": {\"status\": \"completed\"}}\r\n",
                      &control));
    assert_false(asked(GREETING "{\"return\": {}}\r\n{\"return\": {\"status\": \"failed\"}}\r\n", &control));
    assert_false(asked(GREETING "{\"error\": {\"class\": \"x\"}}\r\n", &control));
    assert_non_null(strstr(control.line, "error"));
    assert_false(asked("", &control));
    assert_string_equal(control.line, "QEMU has ended");
}

/* The image keeps 157 letters of its machine's name; the last name counts. */
CASE(a_long_name_is_told)
{
    char options[400], name[201];
    memset(name, 'x', 200);
    name[200] = 0;
    assert_int_equal(name_excess(""), 0);
    assert_int_equal(name_excess("quick cmachine=x"), 0);
    snprintf(options, sizeof(options), "quick machine=%s watchdog=5", name + 43);
    assert_int_equal(name_excess(options), 0);
    snprintf(options, sizeof(options), "quick machine=%s watchdog=5", name + 42);
    assert_int_equal(name_excess(options), 1);
    snprintf(options, sizeof(options), "machine=%s  machine=lab-7", name);
    assert_int_equal(name_excess(options), 0);
    snprintf(options, sizeof(options), "machine=\"%s", name + 43);
    assert_int_equal(name_excess(options), 2);
}

int main(void)
{
    return run_cases();
}
