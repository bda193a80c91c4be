/* SPDX-License-Identifier: BSD-2-Clause */
/* The word that a mistyped one was meant to be. Pure. */
#pragma once

struct near {
    const char *typed, *word; /* word: the most similar of those tried; NULL: none is similar enough */
    unsigned distance;        /* of it; of others less is wanted */
};

/* At most one letter in three, and one more, may differ. */
struct near near_to(const char *typed);
/* Takes the word if it is more similar than those before; words of more than 23 letters are never taken. */
void near_try(struct near *near, const char *word);
