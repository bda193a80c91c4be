/* SPDX-License-Identifier: BSD-2-Clause */
/* pmucheck adopt: the log of a real machine becomes evidence for its class of CPUs, and a profile. */
#include "tools/pmucheck/command/command.h"
#include "tools/pmucheck/adopt/evidence.h"
#include "tools/pmucheck/command/load.h"
#include "tools/pmucheck/judge/judge.h"
#include "tools/pmucheck/profile/make.h"
#include "tools/text_file.h"
#include <errno.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *name, *tree = ".";
static bool dry, hosted;

static const struct option_row options[] = {
    {'n', "name", "NAME", &name, NULL,
     "The machine's name from now on: lower-case letters, digits and dashes. Required."},
    {'t', "tree", "DIRECTORY", &tree, NULL, "The source tree (the current directory)."},
    {0, "hosted", NULL, NULL, &hosted,
     "The machine is a hosted one: its line is marked and no evidence, and no profile is made."},
    {0, "dry-run", NULL, NULL, &dry, "Only says what would be adopted."},
    {0},
};

struct places {
    char rows[PATH_MAX], profile[PATH_MAX];
};

/* ---- Reasons to refuse */

/* The file that has a line of the machine already, or NULL. */
static const char *file_with(struct arena *arena)
{
    glob_t found;
    const char *with = NULL;
    if (glob(arena_print(arena, "%s/tests/evidence/*.txt", tree), 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc && !with; i++) {
            size_t size;
            char *lines = text_file_read("pmucheck adopt", found.gl_pathv[i], &size);
            if (!lines || evidence_has(arena_copy(arena, lines, size), name))
                with = arena_copy(arena, found.gl_pathv[i], strlen(found.gl_pathv[i]));
            free(lines);
        }
        globfree(&found);
    }
    return with;
}

static bool places_are_free(const struct places *places)
{
    struct arena arena = {0};
    const char *folder = arena_print(&arena, "%s/tests/evidence", tree), *with = file_with(&arena);
    if (access(folder, R_OK | W_OK) != 0)
        command_refuse(&command_adopt, "%s: %s; --tree names the source tree", folder, strerror(errno));
    else if (with)
        command_refuse(&command_adopt, "%s has a line of %s already: choose another name, or remove it", with, name);
    else if (!hosted && access(places->profile, F_OK) == 0)
        command_refuse(&command_adopt, "%s exists already: choose another name, or remove it", places->profile);
    else
        folder = NULL;
    arena_free(&arena);
    return !folder;
}

static const struct log_run *run_of_hardware(const struct log_boot *boot)
{
    for_each_item (boot->runs, run)
        if (log_run_of_tests(run))
            return run;
    return NULL;
}

static const char *refusal(const struct facts *facts)
{
    const char *why = evidence_refusal(facts, hosted);
    return why || hosted ? why : profile_refusal(facts);
}

/* ---- Adopting */

static char *text_of_profile(const struct facts *facts, const char *path, unsigned *assumed)
{
    char *text = NULL;
    size_t size;
    FILE *out = text_stream(&text, &size);
    profile_make(out, facts, name, path);
    fclose(out);
    *assumed = 0;
    for (const char *at = text; (at = strstr(at, "assumed")); at++)
        ++*assumed;
    return text;
}

/* All of it, or the file stays as it was. */
static bool append(const char *path, const char *text)
{
    size_t size;
    if (access(path, F_OK) != 0)
        return load_replace(&command_adopt, path, text, "");
    char *before = text_file_read("pmucheck adopt", path, &size);
    if (!before)
        return false;
    before[size] = 0;
    bool good = load_replace(&command_adopt, path, before, text);
    free(before);
    return good;
}

/* Both files, or neither. */
static bool write_both(const struct places *places, const char *rows, const char *profile)
{
    if (profile && !load_replace(&command_adopt, places->profile, profile, ""))
        return false;
    if (append(places->rows, rows))
        return true;
    if (profile)
        unlink(places->profile);
    return false;
}

static void write_checklist(const struct facts *facts, const struct log_file *file, const struct evidence_count *count,
                            unsigned assumed, const struct places *places)
{
    struct arena arena = {0};
    bool quick = strstr(facts_options(&arena, facts->boot), "quick");
    printf("%s%s, signature %s: %u checks of %u tests are evidence for its class\n", dry ? "would adopt " : "", name,
           facts->signature, count->checks, count->tests);
    printf("  %s\n  %s\n\nBefore you commit them:\n", places->rows, places->profile);
    printf("[ ] The machine is as sold: \"%s\" is no\n"
           " engineering sample, clocks, voltages and firmware are as shipped, and microcode %s was published.\n",
           facts->brand, facts->microcode);
    if (quick)
        printf("[ ] It was tested quickly: adopt a log without the option quick if you can have one.\n");
    if (file->boots.count > 1)
        printf("[ ] The other starts in the log agree: `pmucheck report %s`.\n", file->path);
    if (count->open)
        printf("[ ] %u tests did not pass: `pmucheck report %s`. Each is a published erratum to enter\n"
               "    (see docs/errata.md), a mistake of the test, or a defect of the machine. If it is the last, "
               "do not\n"
               "    adopt.\n",
               count->open, file->path);
    if (count->unknown)
        printf("[ ] %u checks belong to no present test, and were left out.\n", count->unknown);
    printf("[ ] The profile assumes %u values: `grep assumed` finds them; enter the values that you know, with the "
           "source.\n",
           assumed);
    printf("[ ] `make && make run REFERENCE=%s` ends with pass, and so does `make check`.\n", name);
    printf("[ ] `pmucheck judge` of older logs of this class: a review there may be a failure now.\n");
    printf("[ ] A second machine of the model gives the same results: `pmucheck compare`.\n");
    arena_free(&arena);
}

static int adopt(const struct log_file *file, const struct facts *facts)
{
    struct places places;
    struct evidence_count count;
    unsigned assumed = 0;
    char *rows = NULL;
    size_t size;
    snprintf(places.rows, sizeof(places.rows), "%s/tests/evidence/%08lx.txt", tree, evidence_class(facts));
    snprintf(places.profile, sizeof(places.profile), "%s/reference/model/profiles/%s.profile", tree, name);
    const char *why = refusal(facts);
    if (why)
        return command_refuse(&command_adopt, "%s: %s", file->path, why);
    if (!places_are_free(&places))
        return STATUS_ERROR;
    FILE *out = text_stream(&rows, &size);
    count = evidence_write(out, facts, name, !hosted);
    fclose(out);
    char *profile = hosted ? NULL : text_of_profile(facts, file->path, &assumed);
    bool good = dry || write_both(&places, rows, profile);
    free(rows);
    free(profile);
    if (good && hosted)
        printf("%s%s, hosted: %u tests held, and are no evidence\n  %s\n", dry ? "would adopt " : "", name, count.tests,
               places.rows);
    else if (good)
        write_checklist(facts, file, &count, assumed, &places);
    return good ? STATUS_PASS : STATUS_ERROR;
}

/* The facts of a log's run on hardware. False, with a message: it has none. */
static bool read_witness(struct arena *arena, const struct log_file *file, struct witness *witness)
{
    const struct log_boot *boot = load_start(&command_adopt, file);
    const struct log_run *found = run_of_hardware(boot);
    if (!found) {
        command_refuse(&command_adopt, "%s: the log has no run of tests", file->path);
        return false;
    }
    witness->path = file->path;
    facts_read(arena, boot, found, &witness->facts);
    return true;
}

/* Other machines' logs are asked only whether they agree, but must be as good as what is adopted. */
static bool may_be_asked(const struct witness *first, const struct witness *other)
{
    const char *why = evidence_refusal(&other->facts, hosted);
    if (!why && evidence_class(&other->facts) != evidence_class(&first->facts))
        why = "a CPU of another class";
    if (why)
        command_refuse(&command_adopt, "%s: %s", other->path, why);
    return !why;
}

static int adopt_first(const struct log_file *files, const struct witness *list, unsigned count)
{
    int status = adopt(files, &list[0].facts);
    if (status != STATUS_PASS || count < 2)
        return status;
    printf("\n%u machines of this class:\n", count);
    if (!agreement_write(stdout, list, count))
        printf("every check that any of them made held\n");
    return status;
}

static int run(int argc, char **argv)
{
    struct arena arena = {0};
    if (argc < 1 || !name)
        return command_refuse(&command_adopt, "name a log, and the machine by --name");
    if (!profile_name_fits(name))
        return command_refuse(&command_adopt, "--name=%s: it must be lower-case letters, digits and dashes", name);
    struct log_file *files = load_logs(&command_adopt, argc, argv);
    if (!files)
        return STATUS_ERROR;
    struct witness *list = arena_alloc(&arena, (unsigned)argc * sizeof(*list));
    bool good = true;
    for (int i = 0; i < argc && good; i++)
        good = read_witness(&arena, &files[i], &list[i]) && (!i || may_be_asked(&list[0], &list[i]));
    int status = good ? adopt_first(files, list, (unsigned)argc) : STATUS_ERROR;
    arena_free(&arena);
    load_free(files, (unsigned)argc);
    return status;
}

const struct command command_adopt = {
    .name = "adopt",
    .summary = "takes a real machine's log into the source tree, as evidence for its class of CPUs and as a profile",
    .arguments = "LOG [OTHER...]",
    .description =
        "A check that fails on a class of CPUs where no log has shown it passing is a failure only if the manual "
        "prints what it asks, or if programs rely on it there (tests/relied.txt); else it asks for review. The first "
        "good log of a class changes that: the checks that held in it become a line of tests/evidence, for the "
        "signature without its stepping. The next build judges by that line, and so does pmucheck judge. The machine's "
        "profile is written beside the others, so that each proof runs on it.\n\n"
        "Evidence are only tests that passed, or failed as an erratum says, and in them only checks that were made and "
        "held on every kind of core, as the lines # held of a run on hardware show. Logs of the reference PMU, of "
        "virtual machines and of photos are refused, and so are damaged ones. Of several starts in one file, as the "
        "option resets= makes them, the last whole one is taken. Logs of other machines of the class are asked whether "
        "they agree: a check that holds on none of at least three is wrong for the class, and the command names the "
        "line of tests/relied.txt to change and what its sources say; one that holds on the others tells of this "
        "machine. At the end the command prints a list for a person to work through before committing both files.",
    .options = options,
    .statuses = "0 adopted, 99 refused.",
    .examples =
        "pmucheck adopt --name=lab-7 lab7.log\npmucheck adopt --dry-run --name=lab-7 lab7.log lab8.log lab9.log",
    .run = run,
};
