/* Small changes of C source that a good test should notice. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct mutant {
    size_t at, length; /* what is replaced, in bytes from the start of the text */
    char with[200];
    const char *kind; /* in words that live for ever */
};

/*
 * All mutants of the text, which ends with a NUL, in its order: comparisons and logical operators flipped, conditions
 * negated, constants off by one, masks short of a bit, statements skipped. Comments, strings and preprocessor lines
 * are left alone. Returns how many there are, to be freed; some may not compile. NULL without memory.
 */
struct mutant *mutants_of(const char *text, size_t *count);
/*
 * Likewise of what judges: a check deleted, or one whose range is widened, that compares a value with itself, or whose
 * expectation is off by one; a loop that ends after its first turn; a condition negated.
 */
struct mutant *mutants_of_judgement(const char *text, size_t *count);
/* Does the place lie in the function or table of this name? By the last line before it that begins with a word. */
bool mutant_within(const char *text, size_t at, const char *name);
/* The line of a place in the text, from 1. */
unsigned mutant_line(const char *text, size_t at);
/* The text as the mutant has it, to be freed; NULL without memory. */
char *mutant_apply(const char *text, const struct mutant *mutant);
/* A number below `limit`, which is not 0, for the draw `number` of `seed`: the same on every machine. */
size_t mutant_draw(unsigned long seed, unsigned long number, size_t limit);
