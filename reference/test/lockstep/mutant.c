/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Do walks notice a mutant of the model? A second copy of the model, and of the code that plays a CPU by it, is linked
 * beside the good one, with names that begin with mutated_ (reference/proof/mutants.py). It plays the CPU; the good
 * copy retells. All profiles take turns, as few walks on the right one notice most.
 *
 * usage: mutant [-w WALKS]      WALKS on each kind of CPU of each profile. Prints "PROFILE walk=N KIND OF DIFFERENCE"
 * and returns 1 at the first difference
 */
#include "reference/lockstep/oracle.h"

#define PLAYING(function) mutated_##function
bool mutated_model_rdmsr(struct model *m, u32 msr, u64 *value);
bool mutated_model_wrmsr(struct model *m, u32 msr, u64 value);
void mutated_model_cpuid(struct model *m, u32 leaf, u32 subleaf, const u32 native[4], u32 out[4]);
void mutated_oracle_reset(struct oracle *oracle, struct model *model, const struct model_setup *setup, bool plays);
u64 *mutated_oracle_play(struct oracle *oracle, struct lockstep_run *run);

#include "reference/test/lockstep/bench.h"
#include <stdio.h>
#include <unistd.h>

#define BENCHES_MOST 64
#define TURN 10            /* walks */
#define SECONDS_OF_TURN 10 /* more: the mutant hangs, and the signal ends the program */

struct place {
    struct bench bench;
    const struct profile *profile;
    u64 walks;
};

static struct place *places[BENCHES_MOST];
static unsigned count;

/* A CPU of which a mutant only shows that it is another kind of CPU is left to the tests. */
static void open_place(const struct profile *profile, unsigned kind)
{
    struct place *p = malloc(sizeof(*p));
    *p = (struct place){.profile = profile};
    if (!bench_open(&p->bench, profile, kind, NULL, NULL) || count == BENCHES_MOST) {
        bench_close(&p->bench);
        free(p);
        return;
    }
    places[count++] = p;
}

static void open_places(void)
{
    const struct profile *profile;
    alarm(SECONDS_OF_TURN);
    for (unsigned n = 0; (profile = model_profile_at(n)); n++)
        for (unsigned kind = 0; kind < bench_kinds(profile); kind++)
            open_place(profile, kind);
}

/* False: a difference, which is told. */
static bool turn_of(struct place *p, u64 most)
{
    struct difference d;
    alarm(SECONDS_OF_TURN);
    for (unsigned n = 0; n < TURN && p->walks < most; n++)
        if (!bench_guided(&p->bench, p->walks++, false, &d)) {
            printf("%s walk=%llu %s\n", model_profile_name(p->profile), (unsigned long long)p->walks,
                   difference_name(d.kind));
            return false;
        }
    return true;
}

int main(int argc, char **argv)
{
    u64 most = argc == 3 && !strcmp(argv[1], "-w") ? strtoull(argv[2], NULL, 10) : 200;
    open_places();
    for (u64 walks = 0; walks < most; walks += TURN)
        for (unsigned n = 0; n < count; n++)
            if (!turn_of(places[n], most))
                return 1;
    return 0;
}

/* The entries to which code.asm passes interrupts outside of walks. They are not executed here. */
const u8 stubs[4096];
