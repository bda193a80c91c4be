/* SPDX-License-Identifier: BSD-2-Clause */
/* The `# topology` and `# place` lines. */
#include "harness/report/report_text.h"
#include "kernel/text/text.h"

#define TOKEN 24 /* ",1023:4294967295.63" and more */

/* How much of a place is looked at: places that agree so far are one socket, one die and so on. */
enum depth { SOCKET, DIE, MODULE, CORE };

struct machine {
    const struct cpu_set *set;
    u32 count;
    struct place (*place)(u32 cpu);
};

static bool same(const struct place *a, const struct place *b, enum depth depth)
{
    return a->socket == b->socket && (depth < DIE || a->die == b->die) && (depth < MODULE || a->module == b->module) &&
           (depth < CORE || a->core == b->core);
}

/* Is `cpu` the first of its socket, die, module or core? */
static bool first_of(const struct machine *m, u32 cpu, enum depth depth)
{
    struct place here = m->place(cpu);
    for (u32 other = 0; other < cpu; other++) {
        struct place there = m->place(other);
        if (cpu_set_has(m->set, other) && same(&here, &there, depth))
            return false;
    }
    return true;
}

static u32 count_of(const struct machine *m, enum depth depth)
{
    u32 count = 0;
    for (u32 cpu = 0; cpu < m->count; cpu++)
        count += cpu_set_has(m->set, cpu) && first_of(m, cpu, depth);
    return count;
}

static void print_module(const struct machine *m, u32 first, void (*line)(const char *text))
{
    char text[PLACES_LINE];
    struct place module = m->place(first);
    int head = format_text(text, sizeof(text), "# place socket=%u die=%u module=%u cpus=", module.socket, module.die,
                           module.module);
    int length = head;
    for (u32 cpu = first; cpu < m->count; cpu++) {
        struct place place = m->place(cpu);
        if (!cpu_set_has(m->set, cpu) || !same(&place, &module, MODULE))
            continue;
        if (length + TOKEN > (int)sizeof(text)) {
            line(text);
            length = head;
        }
        length += format_text(text + length, sizeof(text) - (size_t)length, "%s%u:%u.%u", length > head ? "," : "", cpu,
                              place.core, place.thread);
    }
    line(text);
}

void places_lines(const struct place_bits *bits, const struct cpu_set *set, u32 count,
                  struct place (*place_of_cpu)(u32 cpu), void (*line)(const char *text))
{
    const struct machine m = {set, count, place_of_cpu};
    char text[PLACES_LINE];
    format_text(text, sizeof(text),
                "# topology leaf=%02xh bits=%u,%u,%u,%u sockets=%u dies=%u modules=%u cores=%u threads=%u", bits->leaf,
                bits->core, bits->module, bits->die, bits->socket, count_of(&m, SOCKET), count_of(&m, DIE),
                count_of(&m, MODULE), count_of(&m, CORE), cpu_set_count(set));
    line(text);
    for (u32 cpu = 0; cpu < count; cpu++)
        if (cpu_set_has(set, cpu) && first_of(&m, cpu, MODULE))
            print_module(&m, cpu, line);
}
