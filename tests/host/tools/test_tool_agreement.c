/* SPDX-License-Identifier: BSD-2-Clause */
/* The first hour with logs from silicon: several machines of one class against a check of this program, or one. */
#include "host/tools/log_maker.h"
#include "tests/host/tools/text_rig.h"
#include "tools/pmucheck/judge/judge.h"
#include <stdlib.h>

#define MACHINES 5
#define SKYLAKE "000506e3"
#define RISES "# fail gp.cmask label=more-rises cpus=0-3 got=9 want=8 reg=IA32_A_PMC1 failed=9/9 asks=instructions"
#define ZERO "# fail inuse.event-select label=zero cpus=0-3 got=1 want=0 asks=in-use"

static char *texts[MACHINES];
static struct log_file files[MACHINES];
static struct arena arena;
static struct witness list[MACHINES];
static unsigned machines;

/* The next machine: what failed in each test, as a line of its log, or that its check held. */
static void add_machine(const char *signature, const char *cmask, const char *inuse)
{
    static const char *const names[MACHINES] = {"one.log", "two.log", "three.log", "four.log", "five.log"};
    made_begin();
    made_lines("# pmucheck version=0.3.0 commit=1a2b3c4 log=1",
               "# machine hypervisor=none board=\"Acme One\" bios=\"Acme 1.0\"");
    made_print("# cpu cpus=0-3 signature=%s microcode=000000f0 core-type=0", signature);
    made_print("# cpuid core-type=0 leaf=00000001 sub=0 eax=%s ebx=0 ecx=0 edx=0", signature);
    made_lines("# cpuid core-type=0 leaf=00000000 sub=0 eax=16 ebx=756e6547 ecx=6c65746e edx=49656e69",
               "# run pmu=hardware");
    made_print("# core-type id=0 cpus=0-3 kind=core signature=%s version=4 gp=8x48 fixed=3x48", signature);
    made_lines("1..2", "# begin gp.cmask", cmask ? cmask : "# held gp.cmask labels=levels-counted,more-rises",
               cmask ? "not ok 1 gp.cmask" : "ok 1 gp.cmask", "# begin inuse.event-select",
               inuse ? inuse : "# held inuse.event-select labels=zero",
               inuse ? "not ok 2 inuse.event-select" : "ok 2 inuse.event-select");
    made_end(cmask || inuse ? "verdict=fail fail=1" : "verdict=pass pass=2");
    texts[machines] = strdup(made.text);
    log_read(&files[machines], names[machines], texts[machines], strlen(texts[machines]));
    list[machines].path = names[machines];
    facts_read(&arena, &files[machines].boots.item[0], &files[machines].boots.item[0].runs.item[0],
               &list[machines].facts);
    machines++;
}

/* What the machines say together; it is valid until the next call, which has machines of its own. */
static unsigned agree(void)
{
    FILE *out = text_new();
    unsigned told = agreement_write(out, list, machines);
    fclose(out);
    for (; machines; machines--) {
        log_free(&files[machines - 1]);
        free(texts[machines - 1]);
    }
    arena_free(&arena);
    return told;
}

/* Five that agree against a judged check: the class. The line of the table is named, and what its sources say. */
CASE(five_agree)
{
    for (unsigned i = 0; i < MACHINES; i++)
        add_machine(SKYLAKE, RISES, NULL);
    assert_int_equal(agree(), 1);
    says("gp.cmask more-rises: did not hold on 5 of 5 machines: it is the class, and no machine.\n",
         "    It stands in tests/relied.txt:",
         "Linux since 2.6.31 and Intel's event lists since 2014 rely on this on every CPU since Nehalem.\n",
         "put before it: \"measured | GROUP | | gp.cmask/more-rises | WHY\", where GROUP is skylake.\n");
    says_not("inuse");
}

/* The named line is the one that decides on such CPUs. */
CASE(the_line_is_the_tables)
{
    char line[2000], *number;
    for (unsigned i = 0; i < MACHINES; i++)
        add_machine(SKYLAKE, RISES, NULL);
    agree();
    assert_non_null(number = strstr(text, "relied.txt:"));
    FILE *table = fopen("tests/relied.txt", "r");
    assert_non_null(table);
    for (long at = strtol(number + strlen("relied.txt:"), NULL, 10); at; at--)
        assert_non_null(fgets(line, sizeof(line), table));
    fclose(table);
    assert_non_null(strstr(line, "relied | nehalem |"));
    assert_non_null(strstr(line, "gp.cmask/*"));
}

/* One that disagrees: this machine, whichever log comes first. */
CASE(one_disagrees)
{
    for (unsigned i = 0; i < MACHINES; i++)
        add_machine(SKYLAKE, i == 2 ? RISES : NULL, NULL);
    assert_int_equal(agree(), 1);
    assert_string_equal(text, "gp.cmask more-rises: did not hold on 1 of 5 machines: this machine, three.log.\n");
    add_machine(SKYLAKE, NULL, ZERO);
    add_machine(SKYLAKE, NULL, NULL);
    assert_int_equal(agree(), 1);
    assert_string_equal(text, "inuse.event-select zero: did not hold on 1 of 2 machines: this machine, one.log.\n");
}

/* Some of each: neither is text. Two alone: too few. */
CASE(neither)
{
    for (unsigned i = 0; i < MACHINES; i++)
        add_machine(SKYLAKE, i < 2 ? RISES : NULL, NULL);
    assert_int_equal(agree(), 1);
    says("did not hold on 2 of 5 machines: these machines, one.log, two.log.\n");
    add_machine(SKYLAKE, RISES, ZERO);
    add_machine(SKYLAKE, RISES, NULL);
    assert_int_equal(agree(), 2);
    says("gp.cmask more-rises: did not hold on 2 of 2 machines: too few to tell the class from the machines; 3 that "
         "agree would.\n",
         "inuse.event-select zero: did not hold on 1 of 2 machines: this machine, one.log.\n");
}

/* What is only told counts as well; an erratum's failure does not; and nothing is text where all held. */
CASE(what_counts)
{
    for (unsigned i = 0; i < 3; i++)
        add_machine("000406c4", "# differs gp.cmask label=more-rises cpus=0-3 got=9 want=8 asks=instructions", NULL);
    assert_int_equal(agree(), 1);
    says("did not hold on 3 of 3 machines: it is the class", "Bonnell and on no later Atom");
    for (unsigned i = 0; i < 3; i++)
        add_machine(SKYLAKE, RISES " erratum=SKL91", NULL);
    assert_int_equal(agree(), 0);
    add_machine(SKYLAKE, NULL, NULL);
    add_machine(SKYLAKE, NULL, NULL);
    assert_int_equal(agree(), 0);
    assert_string_equal(text, "");
}

static int clean(void **state)
{
    (void)state;
    return 0;
}

int main(void)
{
    return run_cases_in((struct around_cases){.after = clean});
}
