/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Mispredicted branches. The direction of a conditional branch is predicted by a two-bit counter, of which there is one
 * for each of 256 hashes of its address: it moves towards each direction that the branch takes, and predicts the one on
 * whose side it is. So the branch of a loop is mispredicted about once, at the loop's end, and one by chance every
 * other time. Of indirect jumps and calls, and of returns, each n-th is mispredicted; other branches never are.
 *
 * The counters and numbers begin anew when mispredictions begin to be counted, and only branches in a ring where they
 * are counted matter: what else is executed makes no difference, reported or not. No manual says how a CPU predicts.
 */
#include "reference/model/model_state.h"

#define WEAKLY_NOT_TAKEN 1
#define STRONGLY_TAKEN 3

void model_predictor_follow(struct model *m, uint8_t rings)
{
    if (rings && !m->predictor.rings) {
        __builtin_memset(&m->predictor, 0, sizeof(m->predictor));
        __builtin_memset(m->predictor.place, WEAKLY_NOT_TAKEN, sizeof(m->predictor.place));
    }
    m->predictor.rings = rings;
}

/* After `left` more branches in one direction the counter is at its end; it predicts the last of these correctly. */
static uint32_t predict(struct model *m, uint64_t rip, bool taken, uint32_t times)
{
    uint8_t *place = &m->predictor.place[model_predictor_place(rip)];
    uint32_t left = taken ? STRONGLY_TAKEN - *place : *place, wrong = left > 1 ? left - 1 : 0;
    left = left < times ? left : times;
    *place = (uint8_t)(taken ? *place + left : *place - left);
    return wrong < times ? wrong : times;
}

bool model_predicts(const struct model *m, uint8_t cpl)
{
    return m->predictor.rings & (cpl ? RING_USR : RING_OS);
}

void model_run_predict(struct model *m, struct model_run *run, uint64_t rip, bool taken, uint32_t times)
{
    uint32_t wrong = predict(m, rip, taken, times);
    m->predictor.wrong += wrong;
    if (m->p.wrong_every)
        wrong = events_passed(m->predictor.wrong, wrong, m->p.wrong_every);
    *(taken ? &run->missed_taken : &run->missed_not_taken) += wrong;
}

/* Of `n` more of these branches. */
static uint32_t each_nth(const struct model *m, uint64_t *number, uint32_t n)
{
    *number += n;
    return events_passed(*number, n, m->p.branch_miss_every);
}

void model_predictor_of_run(struct model *m, const struct model_run *run, uint32_t happened[EVENT_COUNT])
{
    uint32_t calls = each_nth(m, &m->predictor.calls, run->indirect_calls);
    uint32_t jumps = each_nth(m, &m->predictor.jumps, run->indirect_jumps);
    uint32_t returns = each_nth(m, &m->predictor.returns, run->returns);
    uint32_t taken = run->missed_taken + calls + jumps + returns;
    happened[EVENT_MISSED(EVENT_CONDITIONAL)] = run->missed_taken + run->missed_not_taken;
    happened[EVENT_MISSED(EVENT_CONDITIONAL_TAKEN)] = run->missed_taken;
    happened[EVENT_MISSED(EVENT_NOT_TAKEN)] = run->missed_not_taken;
    happened[EVENT_MISSED(EVENT_NEAR_TAKEN)] = taken;
    happened[EVENT_MISSED(EVENT_TAKEN)] = taken;
    happened[EVENT_MISSED(EVENT_NEAR_CALL)] = calls;
    happened[EVENT_MISSED(EVENT_INDIRECT_CALL)] = calls;
    happened[EVENT_MISSED(EVENT_INDIRECT_JUMP)] = jumps;
    happened[EVENT_MISSED(EVENT_INDIRECT)] = calls + jumps;
    happened[EVENT_MISSED(EVENT_NEAR_RETURN)] = returns;
    happened[EVENT_MISSED(EVENT_INDIRECT_OR_RETURN)] = calls + jumps + returns;
    happened[EVENT_BRANCH_MISSES] = taken + run->missed_not_taken;
    happened[EVENT_PREDICTED_TAKEN] = happened[EVENT_TAKEN] - taken;
    happened[EVENT_PREDICTED_NOT_TAKEN] = happened[EVENT_NOT_TAKEN] - run->missed_not_taken;
}
