/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The places of CPUs: by leaves 1, 4, 0BH and 1FH of published dumps (github.com/InstLatx64/InstLatx64, GenuineIntel/;
 * neighbours' APIC ids are from the dumps, too), by levels that no dump has, and on a machine of 1,024 CPUs.
 */
#include "harness/report/report_text.h"
#include "tests/host/case.h"
#include <string.h>

#include <stdio.h>

struct machine {
    const char *dump;
    struct place_leaves leaves;
    u32 id;
    struct place place;
    struct place_bits bits;
};

static const struct machine machines[] = {
    /* GenuineIntel00A06D1_GraniteRapids_03_CPUID.txt, logical CPUs 0 and 2; leaf 0BH says the same. */
    {"Granite Rapids",
     {.leaf0b = {{1, 2, 0x100, 0}, {7, 0x30, 0x201, 0}}, .leaf1f = {{1, 2, 0x100, 0}, {7, 0x30, 0x201, 0}}},
     2,
     {.core = 1},
     {0x1f, 1, 7, 7, 7}},
    /* GenuineIntel0050671_KnightsLanding_CPUID.txt, logical CPUs 0 and 7: the first core has ids 8 to 11. */
    {"Knights Landing, first",
     {.leaf0b = {{2, 4, 0x100, 8}, {9, 0x100, 0x201, 8}}},
     8,
     {.core = 2},
     {0x0b, 2, 9, 9, 9}},
    {"Knights Landing",
     {.leaf0b = {{2, 4, 0x100, 15}, {9, 0x100, 0x201, 15}}},
     15,
     {.core = 3, .thread = 3},
     {0x0b, 2, 9, 9, 9}},
    /* GenuineIntel00906A3_AlderLakeP_00_CPUID.txt, logical CPU 3: the second core has ids 8 and 9. */
    {"Alder Lake",
     {.leaf0b = {{1, 2, 0x100, 9}, {7, 0x14, 0x201, 9}}, .leaf1f = {{1, 2, 0x100, 9}, {7, 0x14, 0x201, 9}}},
     9,
     {.core = 4, .thread = 1},
     {0x1f, 1, 7, 7, 7}},
    /* GenuineIntel00206E6_Beckton_CPUID2.txt: 64 logical CPUs in four packages of 32 ids. */
    {"Beckton",
     {.leaf0b = {{1, 2, 0x100, 0}, {5, 0x10, 0x201, 0}}},
     0x67,
     {.socket = 3, .core = 3, .thread = 1},
     {0x0b, 1, 5, 5, 5}},
    /* CPUs before leaf 0BH: two cores of one thread; by leaf 1 alone, packages of two threads and of one. */
    {"two cores",
     {.leaf1 = {0x6e8, 0x00020800, 0, 1u << 28}, .leaf4 = {0x04000121}},
     3,
     {.socket = 1, .core = 1},
     {0x04, 0, 1, 1, 1}},
    {"two threads", {.leaf1 = {0xf29, 0x00020800, 0, 1u << 28}}, 7, {.socket = 3, .thread = 1}, {0x04, 1, 1, 1, 1}},
    {"one thread", {.leaf1 = {0x695, 0x00000800, 0, 0}}, 1, {.socket = 1}, {0x04, 0, 0, 0, 0}},
    /* All levels that SDM 3A names: modules with tiles, dies with die groups; ids above 255. */
    {"all levels",
     {.leaf1f = {{1, 2, 0x100}, {3, 8, 0x201}, {5, 32, 0x302}, {6, 64, 0x403}, {8, 256, 0x504}, {9, 512, 0x605}}},
     0x3a5,
     {.socket = 1, .die = 6, .module = 4, .core = 2, .thread = 1},
     {0x1f, 1, 3, 6, 9}},
    /* An unknown level above the die; and sub-leaves in falling order. */
    {"unknown level",
     {.leaf1f = {{1, 2, 0x100}, {4, 16, 0x201}, {6, 64, 0x7702}}},
     0x7f,
     {.socket = 1, .die = 3, .core = 7, .thread = 1},
     {0x1f, 1, 4, 4, 6}},
    {"falling", {.leaf1f = {{4, 16, 0x100}, {2, 4, 0x201}}}, 0x1f, {.socket = 1, .thread = 15}, {0x1f, 4, 4, 4, 4}},
    /* Leaf 1FH exists but is empty. */
    {"empty leaf",
     {.leaf0b = {{1, 2, 0x100}, {4, 16, 0x201}}},
     0x15,
     {.socket = 1, .core = 2, .thread = 1},
     {0x0b, 1, 4, 4, 4}},
};

CASE(places)
{
    for_each_row (machines, m) {
        struct place_bits bits = place_bits(&m->leaves);
        struct place place = place_of(&bits, m->id);
        if (memcmp(&bits, &m->bits, sizeof(bits)) || memcmp(&place, &m->place, sizeof(place)))
            fail_msg("%s: leaf %x bits %u,%u,%u,%u place %u.%u.%u.%u.%u", m->dump, bits.leaf, bits.core, bits.module,
                     bits.die, bits.socket, place.socket, place.die, place.module, place.core, place.thread);
    }
}

/* ---- Lines. */

static char text[1 << 16];
static const struct place_bits server = {0x1f, 1, 3, 7, 8}; /* 2 threads, 4 cores, 16 modules, 2 dies: 4 sockets */
static unsigned longest;

static void keep(const char *line)
{
    longest = strlen(line) > longest ? (unsigned)strlen(line) : longest;
    strcat(strcat(text, line), "\n");
}

static struct place of_server(u32 cpu)
{
    return place_of(&server, cpu);
}

static const char *lines_of(u32 count, u32 left_out)
{
    struct cpu_set set = {{0}};
    for (u32 cpu = 0; cpu < count; cpu++)
        if (cpu != left_out)
            cpu_set_add(&set, cpu);
    text[0] = 0;
    longest = 0;
    places_lines(&server, &set, count, of_server, keep);
    return text;
}

CASE(few)
{
    assert_string_equal(lines_of(10, 3),
                        "# topology leaf=1fh bits=1,3,7,8 sockets=1 dies=1 modules=2 cores=5 threads=9\n"
                        "# place socket=0 die=0 module=0 cpus=0:0.0,1:0.1,2:1.0,4:2.0,5:2.1,6:3.0,7:3.1\n"
                        "# place socket=0 die=0 module=1 cpus=8:0.0,9:0.1\n");
}

CASE(whole_server)
{
    lines_of(MAX_CPUS, MAX_CPUS);
    assert_non_null(strstr(text, "sockets=4 dies=8 modules=128 cores=512 threads=1024\n"));
    assert_non_null(strstr(text, "\n# place socket=3 die=1 module=15 cpus=1016:0.0,1017:0.1,1018:1.0,"));
    assert_non_null(strstr(text, ",1023:3.1\n"));
    assert_true(longest < PLACES_LINE && strlen(text) < 20000);
}

/* One module with all CPUs: its lines are continued. */
static struct place of_one(u32 cpu)
{
    return (struct place){.core = cpu / 4, .thread = cpu % 4};
}

CASE(long_lines)
{
    struct cpu_set set = {{0}};
    const char *at = text;
    unsigned found = 0;
    for (u32 cpu = 0; cpu < MAX_CPUS; cpu++)
        cpu_set_add(&set, cpu);
    text[0] = 0;
    longest = 0;
    places_lines(&server, &set, MAX_CPUS, of_one, keep);
    assert_true(longest < PLACES_LINE);
    for (u32 cpu = 0; cpu < MAX_CPUS; cpu++) {
        char token[32];
        sprintf(token, "%u:%u.%u", cpu, cpu / 4, cpu % 4);
        const char *next = strstr(at, token);
        found += next != NULL && (next[-1] == ',' || next[-1] == '=');
        at = next ? next : at;
    }
    assert_int_equal(found, MAX_CPUS);
}

int main(void)
{
    return run_cases();
}
