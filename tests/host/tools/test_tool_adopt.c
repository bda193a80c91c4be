/* SPDX-License-Identifier: BSD-2-Clause */
/* Logs that are evidence, and the checks that they prove. */
#include "host/tools/facts_rig.h"
#include "tests/host/tools/root.h"
#include "tests/host/tools/text_rig.h"
#include "tools/pmucheck/adopt/evidence.h"
#include <stdlib.h>
#include <time.h>

static const char good_machine[] = "# machine hypervisor=none board=\"Acme One\" bios=\"Acme 1.0\"";

/* A passed test, one that failed as an erratum says, one that failed otherwise, one without evidence. */
static void read_made(const char *machine, const char *pmu)
{
    made_begin();
    made_lines(
        "# pmucheck version=0.2.0+38.g1a2b3c4 commit=1a2b3c4 log=1", machine,
        "# cpu cpus=0-3 signature=000506e3 microcode=000000f0 core-type=0 threads-per-core=1 misc-enable=850089");
    made_print("# run pmu=%s", pmu);
    made_lines("# core-type id=0 cpus=0-3 kind=core signature=000506e3 version=4 gp=8x48 fixed=3x48 perfcap=000033c5",
               "1..4", "# begin gp.rdpmc", "# held gp.rdpmc labels=differs,of-yesterday", "ok 1 gp.rdpmc",
               "# begin freeze.gating", "# held freeze.gating labels=frozen-counts",
               "# fail freeze.gating label=disabled-counts cpus=2 got=7 want=0 reg=IA32_PMC5 erratum=SKL90",
               "ok 2 freeze.gating # XFAIL SKL90", "# begin pmi.mask-set",
               "# held pmi.mask-set labels=lvtpc-not-masked",
               "not ok 3 pmi.mask-set # REVIEW lvtpc-not-masked-by-nmi: never seen passing on this class",
               "# begin gp.cycles", "ok 4 gp.cycles # SKIP no counter");
    made_end("verdict=review pass=1 known=1 review=1 skip=1");
    facts_of(made.text);
}

CASE(what_held_becomes_rows)
{
    read_made(good_machine, "hardware");
    assert_null(evidence_refusal(&facts, false));
    FILE *out = text_new();
    struct evidence_count count = evidence_write(out, &facts, "lab-7", true);
    fclose(out);
    says("machine=lab-7 counts=yes signature=000506e3 microcode=000000f0 brand=",
         " pmucheck=0.2.0+38.g1a2b3c4 commit=1a2b3c4 date=unknown code=none verdict=review "
         "held=gp.rdpmc:differs;freeze.gating:frozen-counts\n");
    assert_int_equal(evidence_class(&facts), 0x506e0);
    says_not("pmi.mask-set", "of-yesterday", "disabled-counts");
    assert_int_equal(count.tests, 2);
    assert_int_equal(count.checks, 2);
    assert_int_equal(count.unknown, 1);
    assert_int_equal(count.open, 1);
    assert_true(evidence_has(text, "lab-7"));
    assert_false(evidence_has(text, "lab"));
}

/* The log's brand is written in quotes, and cannot end them. */
CASE(a_brand_ends_no_quotes)
{
    read_made(good_machine, "hardware");
    strcpy(facts.brand, "Genuine\" held=all:\\ CPU");
    FILE *out = text_new();
    evidence_write(out, &facts, "lab-7", false);
    fclose(out);
    says("machine=lab-7 counts=no ", "brand=\"Genuine? held?all?? CPU\" pmucheck=");
}

CASE(only_silicon_is_evidence)
{
    static const struct {
        const char *machine, *pmu, *said;
    } rows[] = {
        {good_machine, "reference:skylake", "not of hardware"},
        {good_machine, "virtual:kvm", "not of hardware"},
        {"# machine hypervisor=KVMKVMKVM board=\"Acme One\" bios=\"Acme\"", "hardware", "virtual"},
        {"# machine hypervisor=none board=\"QEMU Standard PC\" bios=\"x\"", "hardware", "virtual"},
        {"# machine hypervisor=none board=\"x\" bios=\"SeaBIOS 1.16\"", "hardware", "virtual"},
        {"# nothing", "hardware", "virtual"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        read_made(rows[i].machine, rows[i].pmu);
        assert_non_null(evidence_refusal(&facts, false));
        if (!strstr(evidence_refusal(&facts, false), rows[i].said))
            fail_msg("%zu: %s", i, evidence_refusal(&facts, false));
    }
}

/* A hosted machine is accepted with the option; the caller marks its line as no evidence. */
CASE(a_hosted_machine_is_taken_as_such)
{
    read_made("# machine hypervisor=none board=\"QEMU Standard PC\" bios=\"SeaBIOS\"", "hardware");
    assert_non_null(evidence_refusal(&facts, false));
    assert_null(evidence_refusal(&facts, true));
    read_made(good_machine, "reference:skylake");
    assert_non_null(evidence_refusal(&facts, true));
}

CASE(what_is_damaged_or_old_is_refused)
{
    read_made(good_machine, "hardware");
    char *copy = strdup(made.text), *held = strstr(copy, "differs");
    held[0] = 'D';
    facts_of(copy);
    assert_non_null(strstr(evidence_refusal(&facts, false), "not whole"));
    free(copy);
    made_log("verdict=pass pass=1", "# pmucheck version=0.2.0+38.g1a2b3c4 commit=1a2b3c4 log=1", good_machine,
             "# cpu cpus=0 signature=000506e3 microcode=000000f0 core-type=0 threads-per-core=1", "# run pmu=hardware",
             "# core-type id=0 cpus=0 kind=core signature=000506e3 version=4 gp=8x48 fixed=3x48 perfcap=000033c5",
             "1..1", "ok 1 gp.rdpmc");
    facts_of(made.text);
    assert_non_null(strstr(evidence_refusal(&facts, false), "older image"));
}

/* ---- A log of a stranger, whose sums are right */

#define POISON "8b0\\ held=x:y5\\\")},*f(void)__asm__(\\\"abort\\\"),z[]={EVIDENCE(0,\\\"\\\",\\\"a\\\",\\\"b5"

/* The same log, with a field of its lines replaced. */
static void read_poisoned(const char *names, const char *cpu, const char *test)
{
    made_begin();
    made_lines(names, good_machine, cpu, "# run pmu=hardware",
               "# core-type id=0 cpus=0-3 kind=core signature=000506e3 version=4 gp=8x48 fixed=3x48 perfcap=000033c5",
               "1..2", "# begin gp.rdpmc", "# held gp.rdpmc labels=differs,of-yesterday,\"x,\\\")y", "ok 1 gp.rdpmc");
    made_print("# held %s labels=differs", test);
    made_print("ok 2 %s", test);
    made_end("verdict=pass pass=2");
    facts_of(made.text);
}

/* Only such characters are in the line, two quotes, and one held=. */
static void check_line(void)
{
    unsigned quotes = 0;
    FILE *out = text_new();
    evidence_write(out, &facts, "lab-7", true);
    fclose(out);
    for (const char *c = text; *c; c++) {
        assert_true(*c == '\n' || (*c >= ' ' && *c <= '~' && !strchr("\\'`$<>{}*#", *c)));
        quotes += *c == '"';
    }
    assert_int_equal(quotes, 2);
    assert_null(strstr(strstr(text, " held=") + 1, " held="));
}

CASE(a_poisoned_log_is_refused)
{
    static const char good_names[] = "# pmucheck version=0.1.0 commit=1a2b3c4 log=1",
                      good_cpu[] = "# cpu cpus=0-3 signature=000506e3 microcode=000000f0 core-type=0";
    static const struct {
        const char *names, *cpu, *test;
    } rows[] = {
        {good_names, good_cpu, "gp.read-back"},
        {"# pmucheck version=0.1.0 commit=\"" POISON "\" log=1", good_cpu, "gp.read-back"},
        {"# pmucheck version=\"" POISON "\" commit=1a2b3c4 log=1", good_cpu, "gp.read-back"},
        {good_names, "# cpu cpus=0-3 signature=000506e3 microcode=\"" POISON "\" core-type=0", "gp.read-back"},
        {good_names, good_cpu, "gp.\"),f()"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        read_poisoned(rows[i].names, rows[i].cpu, rows[i].test);
        assert_int_equal(file.boots.item[0].problems.count, 0);
        const char *why = evidence_refusal(&facts, false);
        assert_true(i == 0 ? !why : why && strstr(why, "somebody has changed the log"));
        check_line();
    }
}

/* Whatever gets into tests/evidence: the program that makes C code of it refuses a line with other names. */
CASE(the_build_refuses_a_poisoned_line)
{
#define BEFORE "machine=lab-7 counts=yes signature=000506e3 microcode=000000f0 brand=\"A CPU\" pmucheck=0.1.0 commit="
    static const struct {
        const char *line;
        bool good;
    } rows[] = {
        {BEFORE "1a2b3c4 date=x code=y verdict=pass held=gp.rdpmc:differs,other;gp.read-back:differs", true},
        {BEFORE "8b0 held=x:y5\")},*f(void),z[]={EVIDENCE(0,\"\",\"a\",\"b5 verdict=pass held=gp.rdpmc:differs", true},
        {BEFORE "1 held=gp.rdpmc:differs\"", false},
        {BEFORE "1 held=gp.rdpmc:differs,\\", false},
        {BEFORE "1 held=gp.rdpmc\"),f(\":differs", false},
        {BEFORE "1 held=gp.rdpmc:differs:more", false},
        {BEFORE "1", false},
        {"machine=lab\"7 counts=yes signature=000506e3 held=gp.rdpmc:differs", false},
        {"machine=lab-7 counts=yes signature=0x0506e3 held=gp.rdpmc:differs", false},
        {"machine=lab-7 counts=yes signature=000506e3f held=gp.rdpmc:differs", false},
    };
    root_make();
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        char command[600], made_code[600] = "";
        put("line.txt", rows[i].line);
        snprintf(command, sizeof(command), "awk -f tools/build/evidence.awk %s 2>/dev/null", at("line.txt"));
        FILE *out = popen(command, "r");
        assert_non_null(out);
        made_code[fread(made_code, 1, sizeof(made_code) - 1, out)] = 0;
        int status = pclose(out);
        if ((status == 0) != rows[i].good)
            fail_msg("%s: status %d", rows[i].line, status);
        assert_null(strstr(made_code, "f(void)"));
        assert_true(!rows[i].good || strstr(made_code, "\"gp.rdpmc\", \"differs"));
    }
    root_remove(NULL);
}

/* Each row that comes out of a line with random changes has the form of a row. */
static void check_rows(FILE *rows, const char *line)
{
    char row[600], test[200], labels[300], machine[100], tail[8];
    unsigned class;
    while (fgets(row, sizeof(row), rows)) {
        const char *names = "abcdefghijklmnopqrstuvwxyz0123456789._,-";
        int parts = sscanf(row, "EVIDENCE(0x%8x, \"%99[^\"]\", \"%199[^\"]\", \"%299[^\"]\"%7s", &class, machine, test,
                           labels, tail);
        if (parts != 5 || strcmp(tail, ")") != 0 || machine[strspn(machine, names)] || test[strspn(test, names)] ||
            labels[strspn(labels, names)])
            fail_msg("%s makes %s", line, row);
    }
}

CASE(no_random_line_gets_past_the_build)
{
    static const char good[] =
        BEFORE "1a2b3c4 date=x code=y verdict=pass held=gp.rdpmc:differs,other;gp.read-back:differs";
    static const char strange[] = "\"\\(){};,:= \n#/*'$`x";
    unsigned seed = (unsigned)time(NULL);
    print_message("seed %u\n", seed);
    srand(seed);
    root_make();
    for (unsigned i = 0; i < 150; i++) {
        char line[sizeof(good)], command[600];
        strcpy(line, good);
        for (unsigned changes = 1 + (unsigned)rand() % 3; changes > 0; changes--)
            line[(unsigned)rand() % strlen(good)] = strange[(unsigned)rand() % (sizeof(strange) - 1)];
        put("line.txt", line);
        snprintf(command, sizeof(command), "awk -f tools/build/evidence.awk %s 2>/dev/null", at("line.txt"));
        FILE *rows = popen(command, "r");
        assert_non_null(rows);
        check_rows(rows, line);
        pclose(rows);
    }
    root_remove(NULL);
}

int main(void)
{
    int failed = run_cases();
    log_free(&file);
    arena_free(&arena);
    return failed;
}
