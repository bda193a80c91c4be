/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/host/pmu/cpu_corpus.h"

#include "pmu/registers.h"
#include "tests/host/case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH "reference/dumps/cpus.txt"
#define COLUMNS 12
#define LINE_MOST 1024

static struct corpus_row rows[CORPUS_ROWS_MOST];
static unsigned count;

static struct cpuid_regs four(const char *text)
{
    struct cpuid_regs r = {0};
    if (sscanf(text, "%8x-%8x-%8x-%8x", &r.eax, &r.ebx, &r.ecx, &r.edx) != 4)
        fail_msg("%s: not four registers", text);
    return r;
}

static u64 number(const char *text)
{
    char *end;
    u64 value = strtoull(text, &end, 16);
    if (*end || end == text)
        fail_msg("%s: not a number", text);
    return value;
}

/* Returns false for - and ?: the CPU lacks the value, or the dump does. */
static bool given(const char *text)
{
    return strcmp(text, "-") && strcmp(text, "?");
}

static void read_features(const char *text, struct corpus_row *row)
{
    bool *const flags[] = {&row->pdcm, &row->dtes64, &row->ds, &row->long_mode, &row->hypervisor};
    assert_int_equal(strlen(text), ARRAY_SIZE(flags));
    for (unsigned i = 0; i < ARRAY_SIZE(flags); i++)
        *flags[i] = text[i] == '1';
}

static void read_leaf23(char *text, struct corpus_row *row)
{
    row->has_leaf23 = given(text);
    for (char *part = row->has_leaf23 ? text : NULL; part; part = strchr(part, ';')) {
        part += *part == ';';
        unsigned subleaf = (unsigned)(*part - '0');
        assert_true(subleaf < CORPUS_SUBLEAVES && part[1] == ':');
        row->leaf23[subleaf] = four(part + 2);
    }
}

static void keep_word(char *to, size_t size, const char *text)
{
    assert_true(strlen(text) < size);
    strcpy(to, text);
}

static void read_row(char *const column[COLUMNS], struct corpus_row *row)
{
    row->signature = (u32)number(column[0]);
    row->intel = !strcmp(column[1], "GenuineIntel");
    row->has_leaf0a = given(column[2]);
    row->leaf0a = row->has_leaf0a ? four(column[2]) : (struct cpuid_regs){0};
    row->leaf1a = given(column[3]) ? (u32)number(column[3]) : 0;
    read_features(column[4], row);
    row->max_leaf = (u32)number(column[5]);
    row->perfcap_known = given(column[6]);
    row->perfcap = row->perfcap_known ? number(column[6]) : 0;
    row->misc_known = given(column[7]);
    row->misc = row->misc_known ? number(column[7]) : 0;
    keep_word(row->class, sizeof(row->class), column[8]);
    read_leaf23(column[9], row);
    keep_word(row->name, sizeof(row->name), column[10]);
    keep_word(row->source, sizeof(row->source), column[11]);
}

static void read_line(char *line)
{
    char *column[COLUMNS], *rest = NULL;
    unsigned n = 0;
    if (*line == '#')
        return;
    for (char *word = strtok_r(line, " \n", &rest); word && n < COLUMNS; word = strtok_r(NULL, " \n", &rest))
        column[n++] = word + (*word == '~'); /* assembled, but still a value */
    if (n != COLUMNS || count == CORPUS_ROWS_MOST)
        fail_msg(PATH ": row %u has %u columns", count + 1, n);
    read_row(column, &rows[count++]);
}

unsigned corpus_read(const struct corpus_row **all)
{
    char line[LINE_MOST];
    FILE *file = count ? NULL : fopen(PATH, "r");
    assert_true(count || file);
    while (file && fgets(line, sizeof(line), file))
        read_line(line);
    if (file)
        fclose(file);
    *all = rows;
    return count;
}

#define LEAF1_ECX_DTES64 BIT(2)
#define LEAF1_ECX_PDCM BIT(15)
#define LEAF1_ECX_HYPERVISOR BIT(31)
#define LEAF1_EDX_DS BIT(21)
#define LEAF7_1_EAX_LEAF23 BIT(8)

struct caps_dump corpus_dump(const struct corpus_row *row)
{
    struct caps_dump dump = {
        .leaf0 = {row->max_leaf, 0x746e6543, 0x736c7561, 0x48727561}, /* CentaurHauls */
        .leaf0a = row->leaf0a,
        .leaf1a.eax = row->leaf1a,
        .leaf7_1.eax = row->has_leaf23 ? (u32)LEAF7_1_EAX_LEAF23 : 0,
        .leaf23 = row->leaf23[0],
        .leaf23_1 = row->leaf23[1],
        .leaf23_2 = row->leaf23[2],
        .leaf23_4 = row->leaf23[4],
        .leaf23_5 = row->leaf23[5],
        .perf_capabilities = row->perfcap,
        .microcode = ~0u,
        .perf_capabilities_unread = !row->perfcap_known,
        .misc_enable = row->misc_known ? row->misc : MISC_ENABLE_PERFMON,
    };
    if (row->intel)
        dump.leaf0 = (struct cpuid_regs){row->max_leaf, 0x756e6547, 0x6c65746e, 0x49656e69};
    dump.leaf1.eax = row->signature;
    dump.leaf1.ecx = (u32)((row->dtes64 ? LEAF1_ECX_DTES64 : 0) | (row->pdcm ? LEAF1_ECX_PDCM : 0) |
                           (row->hypervisor ? LEAF1_ECX_HYPERVISOR : 0));
    dump.leaf1.edx = row->ds ? (u32)LEAF1_EDX_DS : 0;
    return dump;
}
