/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads that race, for Linux: each adds to one sum without a lock, so the sum depends on where each was interrupted.
 * A tool that records and replays the program must get the same sum again in each replay.
 */
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 4, TURNS = 10000 };

static volatile unsigned sum;

/* TURNS times: load, add, store. An interruption between them loses what the others have added meanwhile. */
static void *add(void *unused)
{
    for (unsigned turn = 0; turn < TURNS; turn++) {
        unsigned before = sum;
        for (volatile unsigned pause = 0; pause < 2; pause++) {
        }
        sum = before + 1;
    }
    return unused;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        if (pthread_create(&threads[i], NULL, add, NULL) != 0) {
            return 1;
        }
    }
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    printf("%u of %d\n", sum, THREADS * TURNS);
    return 0;
}
