/* SPDX-License-Identifier: BSD-2-Clause */
/* A series of resets: each way in its turn, what differs from the first start, and a book that did not survive. */
#include "harness/mode/resets/resets_book.h"
#include "tests/host/case.h"

#include <string.h>

#define WAYS 3
static struct resets_book book;

/* One start: a register with this value, and the way of the next reset. */
static u32 start(u64 value)
{
    if (resets_book_continues(&book))
        resets_book_came_back(&book);
    else
        resets_book_begin(&book, 2);
    resets_book_found(&book, 0, 0x38f, 5);
    resets_book_found(&book, 1, 0x38f, value);
    u32 way = resets_book_next(&book, WAYS);
    resets_book_close(&book);
    return way;
}

CASE(each_way_in_its_turn)
{
    memset(&book, 0xa5, sizeof(book)); /* what memory holds after power-on */
    static const u32 want[] = {0, 0, 1, 1, 2, 2, RESETS_WAYS};
    for (unsigned i = 0; i < sizeof(want) / sizeof(want[0]); i++)
        assert_int_equal(start(7), want[i]);
    assert_int_equal(book.ways[0].made + book.ways[1].made + book.ways[2].made, 6);
    assert_int_equal(book.differences, 0);
    assert_false(resets_book_continues(&book)); /* the next series begins anew */
}

CASE(ways_that_fail_are_left_out)
{
    resets_book_begin(&book, 2);
    assert_int_equal(resets_book_next(&book, WAYS), 0);
    resets_book_failed(&book, true);
    assert_int_equal(resets_book_next(&book, WAYS), 1);
    resets_book_failed(&book, false);
    assert_int_equal(resets_book_next(&book, WAYS), 2);
    assert_true(book.ways[0].absent && !book.ways[0].ignored);
    assert_true(!book.ways[1].absent && book.ways[1].ignored);
    assert_int_equal(book.ways[0].made + book.ways[1].made, 0);
}

CASE(differences_belong_to_their_reset)
{
    memset(&book, 0, sizeof(book));
    start(7);
    start(7);
    start(8);
    start(7);
    start(9);
    assert_int_equal(book.ways[0].differences, 1);
    assert_int_equal(book.ways[1].differences, 1);
    assert_int_equal(book.differences, 2);
    const struct resets_difference *d = &book.difference[0];
    assert_true(d->way == 0 && d->made == 2 && d->first.cpu == 1 && d->first.value == 7 && d->now == 8);
    assert_int_equal(book.difference[1].way, 1);
}

CASE(more_than_there_is_room_for)
{
    resets_book_begin(&book, 1);
    for (u32 i = 0; i < RESETS_REGISTERS + 3; i++)
        resets_book_found(&book, i, 1, 0);
    assert_int_equal(book.left_out, 3);
    resets_book_next(&book, WAYS);
    resets_book_came_back(&book);
    for (u32 i = 0; i < RESETS_REGISTERS + 3; i++)
        resets_book_found(&book, i, 1, 1);
    assert_int_equal(book.differences, RESETS_DIFFERENCES);
    assert_int_equal(book.ways[0].differences, RESETS_REGISTERS);
}

CASE(a_changed_book_is_none)
{
    memset(&book, 0, sizeof(book));
    start(7);
    assert_true(resets_book_continues(&book));
    for (size_t i = 0; i < sizeof(book); i += 97) {
        ((u8 *)&book)[i] ^= 0x10;
        assert_false(resets_book_continues(&book));
        ((u8 *)&book)[i] ^= 0x10;
    }
    assert_true(resets_book_continues(&book));
}

int main(void)
{
    return run_cases();
}
