/* SPDX-License-Identifier: BSD-2-Clause */
/* pmucheck kexec: starts the image directly from the running Linux. */
#include "tools/pmucheck/command/command.h"
#include "tools/pmucheck/command/beside.h"
#include "tools/pmucheck/kexec/kexec.h"
#include "tools/pmucheck/log/log.h"
#include "tools/pmucheck/run/run.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOADER "kexec" /* Debian's kexec-tools */

static const char *image, *image_options = "";
static bool load_only, show;

static const struct option_row options[] = {
    {'i', "image", "FILE", &image, NULL, "The kernel (pmucheck.elf, built or installed with this program)."},
    {0, "options", "TEXT", &image_options, NULL, "More options of the image; they override the others."},
    {'l', "load", NULL, NULL, &load_only, "Only loads it: the next reboot, or kexec -e, starts it."},
    {'n', "dry-run", NULL, NULL, &show, "Only says what would be done."},
    {0},
};

/* Returns the program's exit status; -1 if it could not be started. */
static int call(const char *const *words)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        execvp(words[0], (char *const *)words);
        _exit(127);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static int load(const char *line)
{
    char command_line[2048];
    snprintf(command_line, sizeof(command_line), "--command-line=%s", line);
    const char *const words[] = {LOADER, "-l", "-t", "multiboot2-x86", image, command_line, NULL};
    int status = call(words);
    if (status == 127)
        return command_refuse(&command_kexec, "there is no kexec: apt-get install kexec-tools");
    if (status != 0)
        return command_refuse(&command_kexec, "kexec could not load %s (exit status %d)", image, status);
    return STATUS_PASS;
}

/* With systemd, services are stopped and file systems unmounted first; without it, file systems are synced. */
static int start(void)
{
    static const char *const by_systemd[] = {"systemctl", "kexec", NULL}, *const at_once[] = {LOADER, "-e", NULL};
    bool systemd = access("/run/systemd/system", F_OK) == 0;
    sync();
    return call(systemd ? by_systemd : at_once) == 0
               ? STATUS_PASS
               : command_refuse(&command_kexec, "the image is loaded, but could not be started: kexec -e starts it");
}

static int run(int argc, char **argv)
{
    char host[256] = "";
    struct arena arena = {0};
    (void)argv;
    if (argc > 0)
        return command_refuse(&command_kexec, "only options are allowed");
    if (name_excess(image_options))
        return command_refuse(&command_kexec,
                              "--options: the name machine= is %zu letters too long: the log has room for %u",
                              name_excess(image_options), NAME_MOST);
    if (!beside_default(&command_kexec, &image, "pmucheck.elf"))
        return STATUS_ERROR;
    struct kexec_framebuffer framebuffer = kexec_framebuffer("/dev/fb0");
    gethostname(host, sizeof(host) - 1);
    const char *line = kexec_options(&arena, &kexec_places, &framebuffer, host, image_options);
    const char *refusal = kexec_refusal(&kexec_places);
    int status = STATUS_PASS;
    printf("%s %s\n", image, line);
    fflush(stdout);
    if (refusal)
        status = command_refuse(&command_kexec, "%s", refusal);
    else if (access(image, R_OK) != 0)
        status = command_refuse(&command_kexec, "%s: %s; `make` builds the image", image, strerror(errno));
    else if (show)
        status = STATUS_PASS;
    else if (geteuid() != 0)
        status = command_refuse(&command_kexec, "only root may load another kernel");
    else
        status = load(line);
    arena_free(&arena);
    return status == STATUS_PASS && !show && !load_only ? start() : status;
}

const struct command command_kexec = {
    .name = "kexec",
    .summary = "starts the image from this machine's running Linux, without a medium",
    .arguments = "",
    .description =
        "Loads the image by kexec and starts it, so that machines can be tested over ssh. After the tests the machine "
        "reboots, and Linux comes back. systemctl kexec stops services and unmounts file systems; without systemd "
        "written data is only synced.\n\n"
        "The results come over the serial line or the screen. If ramoops is loaded with a zone for the console, they "
        "are also kept there (save=), and pmucheck collect makes the log after the reboot.\n\n"
        "Facts that a loader would pass to the image are passed as options: the host's name (machine=), the firmware, "
        "the addresses of ACPI's and SMBIOS's tables, and the framebuffer, if UEFI set it up and no graphics driver "
        "uses another one. The command is refused without root rights, on a kernel that is locked down or was built "
        "without kexec, and on Xen.\n\n"
        "The image finds the PMU as Linux left it: Linux's watchdog counter is stopped, but the registers are not the "
        "firmware's; the handoff chapter says that they are Linux's.",
    .options = options,
    .statuses =
        "0 if the image was loaded, or would be; 99 if not. If the image starts at once, the command does not return.",
    .examples = "pmucheck kexec --options=\"quick serial=com1\"\n"
                "ssh root@lab7 pmucheck kexec --image=/usr/local/share/pmucheck/pmucheck.elf\n"
                "ssh root@lab7 pmucheck collect >lab7.log",
    .run = run,
};
