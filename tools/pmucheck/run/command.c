/* SPDX-License-Identifier: BSD-2-Clause */
/* pmucheck run: boots the image in QEMU and watches it. */
#include "tools/pmucheck/command/command.h"
#include "kernel/text/text.h"
#include "tools/pmucheck/command/beside.h"
#include "tools/pmucheck/command/load.h"
#include "tools/pmucheck/profile/hand.h"
#include "tools/pmucheck/report/report.h"
#include "tools/pmucheck/run/run.h"
#include "tools/text_file.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define STATUS_TIME_OUT 124
#define STATUS_INTERRUPTED 130
#define AFTER_END_MS 3000 /* in seconds, for an image that halts after its END line */

static const char *image, *reference = "", *more_options = "", *machine = "pc", *firmware = "bios", *medium = "cd",
                          *cpu, *accel = "tcg", *cpus = "4", *memory = "256", *time_out = "99999", *silence = "120",
                          *log_path = "pmucheck.log", *serial = "isa";
static bool all_lines, quiet, sweep, migrate;

static const struct option_row options[] = {
    {'i', "image", "FILE", &image, NULL,
     "The image (pmucheck.iso, for kernel pmucheck.elf, built or installed with this program)."},
    {'r', "reference", "PROFILE", &reference, NULL,
     "Tests this profile of the reference PMU, a name or a file NAME.profile, instead of the machine's own PMU."},
    {0, "options", "TEXT", &more_options, NULL,
     "More options of the image, as on its command line: pmucheck help options."},
    {'c', "cpus", "N", &cpus, NULL, "Number of CPUs, 1 to 255 (4)."},
    {'m', "memory", "MIB", &memory, NULL, "Memory in MiB, 4 to 65536 (256)."},
    {0, "accel", "NAME", &accel, NULL,
     "tcg (default), or kvm: the image is a guest of this machine, without --reference on its own PMU, judged by its "
     "CPUID (judge=virtual host-kernel=...)."},
    {0, "machine", "NAME", &machine, NULL,
     "pc (default), q35 or microvm, each also without ACPI: pc,acpi=off; microvm needs --medium=kernel."},
    {0, "firmware", "NAME", &firmware, NULL,
     "bios (SeaBIOS, the default), uefi (OVMF) or uefi32 (its 32-bit build, on q35)."},
    {0, "medium", "NAME", &medium, NULL,
     "The medium: cd (default), usb, net or kernel; for net the image is a directory that QEMU serves by TFTP, for "
     "kernel pmucheck.elf, which QEMU starts itself, with the options on its command line."},
    {0, "cpu", "MODEL", &cpu, NULL, "QEMU's -cpu (max; with kvm: host,pmu=on, or host with --reference)."},
    {0, "serial", "NAME", &serial, NULL,
     "The UART of the log: isa (COM1, default), pci, or pci2 (a card's second port)."},
    {0, "sweep", NULL, NULL, &sweep,
     "With --accel=kvm: starts a guest of each shape that QEMU offers, without a PMU, as the host, as older CPUs; one "
     "log, and a table."},
    {0, "migrate", NULL, NULL, &migrate,
     "Moves the guest into another QEMU when its test access.migrated asks for it: stops it, saves it to a file, and "
     "loads it. With --accel=kvm what KVM saves of a PMU, otherwise the way there alone."},
    {'t', "timeout", "SECONDS", &time_out, NULL, "The longest time for the whole run, 1 to 99999 (no bound)."},
    {0, "silence", "SECONDS", &silence, NULL, "The longest time between two lines of the log, 1 to 99999 (120)."},
    {'l', "log", "FILE", &log_path, NULL,
     "The file for the log (pmucheck.log). An older log there is kept, as FILE.1 and so on."},
    {'a', "all-lines", NULL, NULL, &all_lines, "Shows every line of the log, also on a terminal."},
    {'q', "quiet", NULL, NULL, &quiet, "In a pipe prints no lines of the log, and at the end only its problems."},
    {0},
};

static volatile sig_atomic_t interrupted;

static void interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

/* ---- Options */

static bool is(const char *word, const char *value)
{
    return strcmp(word, value) == 0;
}

/* Is the value one of the words, which are separated by a comma and a blank? */
static bool one_of(const char *option, const char *value, const char *words)
{
    size_t length = strlen(value);
    for (const char *at = words; (at = strstr(at, value)); at++)
        if (length && (at == words || at[-1] == ' ') && (at[length] == ',' || !at[length]))
            return true;
    command_refuse(&command_run, "--%s=%s: it must be one of %s", option, value, words);
    return false;
}

static bool number(const char *option, const char *value, unsigned low, unsigned high, unsigned *result)
{
    char *end;
    unsigned long n = strtoul(value, &end, 10);
    bool good = value[0] >= '0' && value[0] <= '9' && !*end && n >= low && n <= high;
    if (!good)
        command_refuse(&command_run, "--%s=%s: it must be a number from %u to %u", option, value, low, high);
    *result = (unsigned)n;
    return good;
}

/* A signature of a dumped CPU, "906ea" or "906ea.1", or several of the reference PMUs, "corpus:1/4": the image knows
 * them. */
static bool is_several(const char *name)
{
    size_t digits = strspn(name, "0123456789abcdefABCDEF");
    return strncmp(name, "all", 3) == 0 || strncmp(name, "corpus", 6) == 0 ||
           (digits > 2 && (!name[digits] || name[digits] == '.'));
}

/* Tells of a misspelt profile before anything boots. An image of another version may have others: then --options. */
static bool is_profile(const char *name)
{
    struct near near = near_to(name);
    if (model_profile(name) || is_several(name))
        return true;
    for (unsigned i = 0; i < profile_count; i++)
        near_try(&near, profiles[i]->name);
    if (near.word)
        command_refuse(&command_run, "--reference=%s: there is no such profile; did you mean %s?", name, near.word);
    else
        command_refuse(&command_run, "--reference=%s: there is no such profile; --options=list names them all", name);
    return false;
}

static bool names_profiles(void)
{
    char name[64];
    const char *list = reference;
    while (!hand_is_file(reference) && list_next(&list, name, sizeof(name)))
        if (!is_profile(name))
            return false;
    return true;
}

/* A profile in a file is handed to the image. */
static bool find_profile(struct arena *arena, struct qemu_setup *setup)
{
    const char *error;
    if (!hand_is_file(reference))
        return true;
    setup->reference = hand_profile(arena, reference, &setup->profile, &error);
    if (!setup->reference)
        command_refuse(&command_run, "%s: %s", reference, error);
    return setup->reference;
}

static bool image_is_there(void)
{
    struct stat status;
    bool directory = strcmp(medium, "net") == 0;
    if (stat(image, &status) != 0 || access(image, R_OK) != 0) {
        command_refuse(&command_run, "%s: %s; `make` builds the image", image, strerror(errno));
        return false;
    }
    if (S_ISDIR(status.st_mode) == directory)
        return true;
    command_refuse(&command_run, directory ? "%s: not a directory; `make netboot` builds one" : "%s: a directory",
                   image);
    return false;
}

struct patience {
    unsigned seconds, silence;
};

/* Checks that the options fit together. */
static bool fits_together(void)
{
    bool kernel = is("kernel", medium);
    if (is("uefi32", firmware) && !is("q35", machine))
        command_refuse(&command_run, "--firmware=uefi32: this firmware needs --machine=q35");
    else if (kernel && !is("bios", firmware))
        command_refuse(&command_run, "--medium=kernel: QEMU starts a kernel itself only with --firmware=bios");
    else if (strncmp(machine, "microvm", 7) == 0 && !kernel)
        command_refuse(&command_run, "--machine=%s: this machine has no disks; use --medium=kernel", machine);
    else if (sweep && (!is("kvm", accel) || reference[0] || cpu))
        command_refuse(&command_run, "--sweep: it chooses the CPU itself, and needs --accel=kvm without --reference");
    else if (name_excess(more_options))
        command_refuse(&command_run, "--options: the name machine= is %zu letters too long: the log has room for %u",
                       name_excess(more_options), NAME_MOST);
    else
        return true;
    return false;
}

static bool can_be_guest(void)
{
    struct arena arena = {0};
    bool own_pmu = !reference[0];
    const char *refusal = is("kvm", accel) ? kvm_refusal(&arena, &kvm_places, own_pmu) : NULL;
    const char *warning = is("kvm", accel) && own_pmu && !refusal ? kvm_warning(&kvm_places) : NULL;
    if (refusal)
        command_refuse(&command_run, "--accel=kvm: %s", refusal);
    if (warning)
        fprintf(stderr, "pmucheck run: %s\n", warning);
    arena_free(&arena);
    return !refusal;
}

static bool read_setup(struct arena *arena, struct qemu_setup *setup, struct patience *patience)
{
    *setup = (struct qemu_setup){.reference = reference,
                                 .options = more_options,
                                 .machine = machine,
                                 .firmware = firmware,
                                 .medium = medium,
                                 .serial = serial,
                                 .accel = accel,
                                 .cpu = cpu};
    if (!one_of("accel", accel, "tcg, kvm") ||
        !one_of("machine", machine, "pc, q35, microvm, pc,acpi=off, q35,acpi=off, microvm,acpi=off") ||
        !one_of("firmware", firmware, "bios, uefi, uefi32") || !one_of("medium", medium, "cd, usb, net, kernel") ||
        !one_of("serial", serial, "isa, pci, pci2") || !number("cpus", cpus, 1, 255, &setup->cpus) ||
        !number("memory", memory, 4, 65536, &setup->memory) ||
        !number("timeout", time_out, 1, 99999, &patience->seconds) ||
        !number("silence", silence, 1, 99999, &patience->silence))
        return false;
    if (!fits_together() || !names_profiles() || !can_be_guest() ||
        !beside_default(&command_run, &image, is("kernel", medium) ? "pmucheck.elf" : "pmucheck.iso") ||
        !image_is_there())
        return false;
    setup->image = image;
    setup->host_kernel = kvm_host_kernel(arena, &kvm_places);
    return true;
}

/* ---- Watching */

static unsigned long now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (unsigned long)now.tv_sec * 1000 + (unsigned long)now.tv_nsec / 1000000;
}

struct watch {
    struct progress progress;
    FILE *log;
    bool terminal;
    char bar[256];                   /* the text that the terminal shows */
    unsigned long start, heard, end; /* heard: time of the last bytes; end: time of the END line, 0 before it */
    bool moves;                      /* the guest asks to be moved */
};

static void show_bar(struct watch *watch, bool again)
{
    struct winsize size;
    char bar[sizeof(watch->bar)];
    unsigned width = ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1u : 79;
    progress_bar(&watch->progress, (unsigned)((now_ms() - watch->start) / 1000), width, bar, sizeof(bar));
    if (again || strcmp(bar, watch->bar) != 0)
        printf("\r\033[K%s", bar);
    memcpy(watch->bar, bar, sizeof(bar));
    fflush(stdout);
}

/* On a terminal the important lines, in a pipe all of them, unless options say otherwise. */
static bool shows(const struct watch *watch, const char *line)
{
    if (all_lines)
        return true;
    return watch->terminal ? progress_notable(line) : !quiet;
}

static bool asks_to_move(const char *line)
{
    line += strspn(line, " ");
    return strncmp(line, "# migrate ", 10) == 0;
}

static void take_bytes(struct watch *watch, const char *bytes, size_t size)
{
    bool printed = false;
    /* The bytes taken so far are on the disk, even if this program dies. */
    fwrite(bytes, 1, size, watch->log);
    fflush(watch->log);
    watch->heard = now_ms();
    while (size > 0) {
        const char *line;
        size_t taken = progress_take(&watch->progress, bytes, size, &line);
        bytes += taken;
        size -= taken;
        watch->moves |= line && asks_to_move(line);
        if (line && shows(watch, line)) {
            printf("%s%s\n", watch->terminal ? "\r\033[K" : "", line);
            printed = true;
        }
    }
    if (watch->progress.ended && !watch->end)
        watch->end = now_ms();
    if (watch->terminal)
        show_bar(watch, printed);
    fflush(stdout);
}

static bool is_late(const struct watch *watch, const struct patience *patience)
{
    unsigned long now = now_ms();
    return now - watch->start > patience->seconds * 1000ul || now - watch->heard > patience->silence * 1000ul;
}

/* What starts QEMU, and may start it again. */
struct starter {
    struct arena *arena;
    const struct qemu_setup *setup;
    struct mover mover;
};

static bool start(struct starter *s, bool load, struct child *child)
{
    struct qemu_arguments arguments = {0};
    if (s->mover.saved)
        return mover_start(&s->mover, s->arena, s->setup, load, child);
    qemu_arguments(s->arena, s->setup, &arguments);
    return child_start(child, arguments.list.item);
}

/* What the saved guest's QEMU has written before its end belongs to the log, too. */
static void take_rest(struct watch *watch, struct child *child)
{
    char bytes[4096];
    size_t size = sizeof(bytes);
    while (child_wait(child, AFTER_END_MS, bytes, &size) == CHILD_BYTES) {
        take_bytes(watch, bytes, size);
        size = sizeof(bytes);
    }
}

/* A guest that cannot be moved is told nothing: its test ends in an error. */
static void move(struct starter *s, struct watch *watch, struct child *child)
{
    watch->moves = false;
    if (!s->mover.saved)
        return;
    bool moved = mover_save(&s->mover);
    if (moved) {
        take_rest(watch, child);
        child_end(child, true);
        moved = start(s, true, child) && mover_go_on(&s->mover, child);
    }
    if (!moved)
        command_refuse(&command_run, "--migrate: %s", s->mover.why);
    watch->heard = now_ms();
}

/* Watches until QEMU ends or is ended. Returns QEMU's exit status, or one of this program's. */
static int watch_child(struct starter *s, struct watch *watch, struct child *child, const struct patience *patience)
{
    char bytes[4096];
    enum child_event event = CHILD_QUIET;
    bool late = false, halted = false;
    while (event != CHILD_CLOSED && !interrupted && !late && !halted) {
        size_t size = sizeof(bytes);
        event = child_wait(child, 250, bytes, &size);
        if (event == CHILD_BYTES)
            take_bytes(watch, bytes, size);
        else if (watch->terminal)
            show_bar(watch, false);
        if (watch->moves)
            move(s, watch, child);
        late = is_late(watch, patience);
        halted = watch->end && now_ms() - watch->end > AFTER_END_MS;
    }
    int status = child_end(child, event != CHILD_CLOSED);
    if (watch->terminal)
        printf("\r\033[K");
    if (interrupted)
        return STATUS_INTERRUPTED;
    return halted ? 0 : late ? STATUS_TIME_OUT : status;
}

/* ---- The end */

/*
 * The END line decides. QEMU's status must not contradict it: 2v + 1 for the value v that the image wrote to
 * isa-debug-exit, or 0 after a power-off, a reset or a halt.
 */
static bool agrees(int qemu, enum log_status verdict)
{
    static const struct {
        int qemu;
        enum log_status verdict;
    } pairs[] = {{33, STATUS_PASS}, {35, STATUS_FAIL}, {37, STATUS_UNTESTED}, {39, STATUS_ERROR}, {41, STATUS_REVIEW}};
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        if (pairs[i].qemu == qemu && pairs[i].verdict == verdict)
            return true;
    return qemu == 0;
}

/* Reads the image before QEMU starts, to compare the log with it. */
static struct image from;

static bool read_image(void)
{
    char path[4096];
    size_t size;
    snprintf(path, sizeof(path), "%s%s", image, strcmp(medium, "net") == 0 ? "/boot/pmucheck.elf" : "");
    char *bytes = text_file_read("pmucheck run", path, &size);
    if (!bytes)
        return false;
    image_find(&from, image, bytes, size);
    free(bytes);
    return true;
}

/* Returns false, with a message, if another image made the log. A log without a sum was refused before, or never
 * began. */
static bool is_of_image(const struct log_file *file)
{
    char sums[IMAGE_SUMS];
    const char *sum = file->boots.item[0].sum;
    if (!sum[0] || !from.kernels || image_has(&from, sum))
        return true;
    command_refuse(&command_run, "%s: the image that ran has the sum %s, but %s has %s", log_path, sum, image,
                   image_sums(&from, sums));
    return false;
}

static int judge(int qemu)
{
    char *paths[] = {(char *)log_path, NULL};
    struct log_file *files = load_logs(&command_run, 1, paths);
    if (!files)
        return STATUS_ERROR;
    enum log_status verdict = is_of_image(files) ? log_status(files) : STATUS_ERROR;
    if (quiet)
        report_problems(stdout, files);
    else
        report_text(&(struct report){.out = stdout, .image = &from}, files);
    load_free(files, 1);
    if (!agrees(qemu, verdict)) {
        verdict = STATUS_ERROR;
        command_refuse(&command_run, "QEMU ended with status %d, which contradicts the log %s", qemu, log_path);
    }
    return (int)verdict;
}

/* The first line comes late, or never, if KVM has no hardware of its own under it. */
static const char *about_silence(const struct watch *watch)
{
    if (watch->heard != watch->start)
        return "";
    return is("kvm", accel) ? " since QEMU was started: a KVM in software, or under another hypervisor, may take "
                              "minutes for its first line, or not run the image at all"
                            : " since QEMU was started";
}

static void refuse_late(const struct patience *patience, const struct watch *watch)
{
    if (watch->heard - watch->start + patience->silence * 1000ul < patience->seconds * 1000ul)
        command_refuse(&command_run, "no line for %u s%s; the log so far is %s; --silence allows more",
                       patience->silence, about_silence(watch), log_path);
    else
        command_refuse(&command_run, "no end after %u s; the log so far is %s; --timeout allows more",
                       patience->seconds, log_path);
}

#define NOTHING_STARTED (-1)

/* Runs QEMU, whose lines go to the log. Returns its exit status, this program's for a time-out or an interrupt, or
 * NOTHING_STARTED, with a message. */
static int watch_qemu(struct arena *arena, const struct qemu_setup *setup, const struct patience *patience, FILE *log)
{
    struct starter starter = {.arena = arena, .setup = setup};
    struct watch watch = {.terminal = isatty(1), .start = now_ms(), .log = log};
    watch.heard = watch.start;
    struct child child;
    if (migrate && !mover_open(&starter.mover)) {
        command_refuse(&command_run, "--migrate: %s", starter.mover.why);
        return NOTHING_STARTED;
    }
    if (!start(&starter, false, &child)) {
        command_refuse(&command_run, QEMU " cannot be started: %s; `make dependencies` installs it", strerror(errno));
        mover_close(&starter.mover);
        return NOTHING_STARTED;
    }
    int status = watch_child(&starter, &watch, &child, patience);
    mover_close(&starter.mover);
    if (status == STATUS_TIME_OUT)
        refuse_late(patience, &watch);
    if (status <= 0 || watch.heard != watch.start || status == STATUS_TIME_OUT || status == STATUS_INTERRUPTED)
        return status;
    command_refuse(&command_run, "QEMU ended with status %d before it started anything; its message is above", status);
    return NOTHING_STARTED;
}

static int boot(struct arena *arena, const struct qemu_setup *setup, const struct patience *patience)
{
    FILE *log = load_growing(&command_run, log_path);
    if (!log)
        return STATUS_ERROR;
    int status = watch_qemu(arena, setup, patience, log);
    if (!load_close(&command_run, log_path, log) || status == NOTHING_STARTED)
        return STATUS_ERROR;
    return status == STATUS_TIME_OUT || status == STATUS_INTERRUPTED ? status : judge(status);
}

/* One log for all shapes, a start for each. A shape that QEMU does not start is no end of the sweep. */
static int boot_each(struct arena *arena, struct qemu_setup *setup, const struct patience *patience)
{
    char *paths[] = {(char *)log_path, NULL};
    bool came[SWEEP_SHAPES] = {false};
    FILE *log = load_growing(&command_run, log_path);
    for (unsigned i = 0; log && i < SWEEP_SHAPES && !interrupted; i++) {
        printf("%s: -cpu %s\n", sweep_shapes[i].name, sweep_shapes[i].cpu);
        setup->cpu = sweep_shapes[i].cpu;
        setup->options = arena_print(arena, "machine=%s %s", sweep_shapes[i].name, more_options);
        came[i] = watch_qemu(arena, setup, patience, log) != NOTHING_STARTED;
    }
    if (!log || !load_close(&command_run, log_path, log))
        return STATUS_ERROR;
    struct log_file *file = interrupted ? NULL : load_logs(&command_run, 1, paths);
    if (!file)
        return interrupted ? STATUS_INTERRUPTED : STATUS_ERROR;
    sweep_tell(stdout, file, came);
    enum log_status status = is_of_image(file) ? log_status(file) : STATUS_ERROR;
    load_free(file, 1);
    return (int)status;
}

static int run(int argc, char **argv)
{
    struct qemu_setup setup;
    struct patience patience;
    struct arena arena = {0};
    struct sigaction action = {.sa_handler = interrupt};
    if (!read_setup(&arena, &setup, &patience) || !read_image() || !find_profile(&arena, &setup))
        return STATUS_ERROR;
    setup.more = argc > 0 ? argv : NULL;
    signal(SIGPIPE, SIG_IGN); /* if the pipe's reader leaves, the log is still read to its end */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    int status = sweep ? boot_each(&arena, &setup, &patience) : boot(&arena, &setup, &patience);
    arena_free(&arena);
    return status;
}

const struct command command_run = {
    .name = "run",
    .summary = "boots the image in QEMU, shows its progress, keeps the log",
    .arguments = "[-- QEMU-ARGUMENT...]",
    .description =
        "Boots the image in QEMU. On a terminal, a bar shows how many tests have run and their outcomes, with the "
        "important lines above it; a pipe gets the log's lines as they come. At the end the log is reported as by "
        "pmucheck report. Further arguments are QEMU's.",
    .options = options,
    .statuses = "0 pass, 1 fail, 2 review, 77 untested, 99 error or no valid END line, 124 time-out, 130 interrupted.",
    .examples = "pmucheck run --reference=haswell --options=\"run=pmi.*\"\n"
                "pmucheck run --reference=lab-7.profile\n"
                "pmucheck run --firmware=uefi --cpus=8 -- -smbios type=1,product=board",
    .run = run,
};
