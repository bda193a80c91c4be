/* SPDX-License-Identifier: BSD-2-Clause */
/* pmucheck here: a look at this machine's PMU from its running Linux. */
#include "tools/pmucheck/command/command.h"
#include "tools/pmucheck/command/form.h"
#include "tools/pmucheck/command/load.h"
#include "tools/pmucheck/here/here.h"

static const char *output, *format, *recorded;

static const struct option_row options[] = {
    {'f', "format", "FORM", &format, NULL,
     "text (default), json, or line: one line for a ticket. Without it json if the output's name ends in .json."},
    {'o', "output", "FILE", &output, NULL, "Writes there instead of to standard output."},
    {0, "from", "DIRECTORY", &recorded, NULL,
     "Takes the answers of another machine from this folder: cpuid and msr, a line each, and files below proc and "
     "sys."},
    {0},
};

static void put_json_page(FILE *out, struct here *here)
{
    put_json(out, here_json(here), true);
    fputc('\n', out);
}

static const struct form {
    const char *name;
    void (*write)(FILE *out, struct here *here);
} forms[] = {{"text", here_text}, {"json", put_json_page}, {"line", here_line}, {0}};

static int tell(struct here *here, const struct here_source *source, const struct form *form)
{
    here_look(here, source);
    FILE *out = load_output(&command_here, output);
    if (!out)
        return STATUS_ERROR;
    form->write(out, here);
    if (!load_close(&command_here, output, out))
        return STATUS_ERROR;
    return here->verdict ? STATUS_UNTESTED : STATUS_PASS;
}

static int run(int argc, char **argv)
{
    struct here here = {0};
    struct here_source source = here_machine;
    const char *error;
    if (argc)
        return command_refuse(&command_here, "%s: it takes no argument; --from names a folder", argv[0]);
    const struct form *form = form_settle(&command_here, forms, sizeof(*forms), format, output);
    if (!form)
        return STATUS_ERROR;
    int status = recorded && !here_recorded(&here.arena, recorded, &source, &error)
                     ? command_refuse(&command_here, "--from=%s: %s", recorded, error)
                     : tell(&here, &source, form);
    here_machine_close();
    here_free(&here);
    return status;
}

const struct command command_here = {
    .name = "here",
    .summary = "tells of this machine's PMU, its errata and who holds counters, without a reboot",
    .arguments = "",
    .description =
        "Asks CPUID on each CPU and tells, for each kind of core: counters, sampling, branch records and trace; the "
        "published errata of this signature and microcode, out of the image's own table, what they touch (counting, "
        "rr, sampling, branch-records, tracing, guests), and which of them newer microcode mends; who holds counters: "
        "Linux's NMI watchdog and programs; what the image would test here, and how to start it.\n\n"
        "Root with the driver msr (modprobe msr) sees more: IA32_PERF_CAPABILITIES, IA32_PERF_GLOBAL_INUSE, and by the "
        "registers themselves each counter that is claimed or was left on, with the words of the image's own advice to "
        "authors of firmware. It reads only registers that the image itself reads at the hand-off; nothing is ever "
        "written to one.\n\n"
        "On another maker's CPU, and where a hypervisor shows no PMU, it says so in a line.\n\n"
        "The JSON has \"schema\": \"pmucheck-here-1\"; verdict, why there is nothing to tell, or null; vendor, brand, "
        "cpus, hypervisor; kinds, one object for each kind of core: cpus, class, signature, microcode, version, gp, "
        "fixed and their widths, sampling, branch_records, trace, leaves, and errata (number, state: open, mendable, "
        "mended or not-now, area, uses, what, when, mended_by); linux: release, nmi_watchdog, perf_event_paranoid, "
        "units, programs; registers: read, in_use, claims (label, grade, cpus, register, found, counters, counting, "
        "means, fix); tests: all, run, unknown; start: kexec and guest, why each does not work, or null.",
    .options = options,
    .statuses = "0 if there is a PMU to tell of, 77 if not, 99 if the answers cannot be read.",
    .examples = "pmucheck here\n"
                "sudo pmucheck here --format=json -o here.json",
    .run = run,
};
