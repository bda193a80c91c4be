/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/profile/dumped.h"
#include "reference/dumps/dumps.h"
#include "tools/profile/pack.h"
#include <string.h>

#define WORDS 16384
#define TEXTS 16384

static void print_words(FILE *out, const struct packing *p)
{
    fprintf(out, "\nconst struct packed_word dumped_words[] = {\n");
    for (unsigned i = 0; i < p->count; i++)
        fprintf(out, "    {%u, 0x%llx},\n", p->words[i].at, (unsigned long long)p->words[i].value);
    fprintf(out, "};\n\nconst char dumped_texts[] = {\n");
    for (size_t at = 0; at < p->used; at++)
        fprintf(out, "%d,%s", p->texts[at], p->texts[at] ? "" : "\n");
    fprintf(out, "};\nconst uint32_t dumped_texts_size = sizeof(dumped_texts);\n");
}

/* The index of this core among its profile's kinds of core. */
static unsigned kind_of(const struct profile *core, profile_base *base)
{
    unsigned kind = 0;
    for (const struct profile *p = base(core->name); p && p != core; p = p->second)
        kind++;
    return kind;
}

/* Prints one row; false if its values do not fit into the fields. */
static bool print_core(FILE *out, struct packing *p, const struct profile *like, const struct profile *core,
                       profile_base *base)
{
    struct dumped_core row;
    unsigned first = p->count;
    profile_pack(p, like, core);
    row.words = (uint8_t)(p->count - first);
    row.first_word = (uint16_t)first;
    fprintf(out, "    {\"%s\", %u, %u, %u},\n", like->name, kind_of(like, base), row.words, row.first_word);
    return !p->full && row.words == p->count - first && row.first_word == first;
}

static void print_cpus(FILE *out, struct profile_file *const *files, unsigned count)
{
    fprintf(out, "\nconst struct dumped_cpu dumped_cpus[] = {\n");
    for (unsigned i = 0, first = 0; i < count; first += files[i]->cores, i++)
        fprintf(out, "    {\"%s\", %u, %u},\n", files[i]->core[0].name, first, files[i]->cores);
    fprintf(out, "};\nconst unsigned dumped_cpu_count = %u;\n", count);
}

bool profile_print_dumped(FILE *out, struct profile_file *const *files, unsigned count, profile_base *base)
{
    static struct packed_word words[WORDS];
    static char texts[TEXTS];
    struct packing p = {.words = words, .words_room = WORDS, .texts = texts, .texts_room = TEXTS};
    bool fits = true;
    fprintf(out, "/* Generated from the dumps of CPUs. */\n#include \"reference/dumps/dumps.h\"\n");
    fprintf(out, "\nconst struct dumped_core dumped_cores[] = {\n");
    for (unsigned i = 0; i < count; i++)
        for (unsigned core = 0; core < files[i]->cores; core++)
            fits &= files[i]->like[core] && print_core(out, &p, files[i]->like[core], &files[i]->core[core], base);
    fprintf(out, "};\n");
    print_cpus(out, files, count);
    print_words(out, &p);
    return fits;
}
