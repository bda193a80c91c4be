/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/mode/resets/resets_book.h"
#include "kernel/text/text.h"

#define MAGIC 0x7374657365722d70ul

static u32 sum_of(const struct resets_book *book)
{
    const u8 *from = (const u8 *)&book->each;
    return crc32_update(0, from, sizeof(*book) - (size_t)(from - (const u8 *)book));
}

bool resets_book_continues(const struct resets_book *book)
{
    return book->magic == MAGIC && book->sum == sum_of(book) && book->way < RESETS_WAYS && book->underway;
}

void resets_book_begin(struct resets_book *book, u32 each)
{
    memset(book, 0, sizeof(*book));
    book->magic = MAGIC;
    book->each = each;
}

void resets_book_came_back(struct resets_book *book)
{
    book->underway = 0;
    book->ways[book->way].made++;
}

static const struct resets_register *first_of(const struct resets_book *book, u32 cpu, u32 number)
{
    for (u32 i = 0; i < book->registers; i++)
        if (book->first[i].cpu == cpu && book->first[i].number == number)
            return &book->first[i];
    return NULL;
}

static void keep(struct resets_book *book, u32 cpu, u32 number, u64 value)
{
    if (book->registers == RESETS_REGISTERS)
        book->left_out++;
    else
        book->first[book->registers++] = (struct resets_register){cpu, number, value};
}

static bool is_first(const struct resets_book *book)
{
    for (u32 way = 0; way < RESETS_WAYS; way++)
        if (book->ways[way].made)
            return false;
    return true;
}

void resets_book_found(struct resets_book *book, u32 cpu, u32 number, u64 value)
{
    if (is_first(book)) {
        keep(book, cpu, number, value);
        return;
    }
    const struct resets_register *first = first_of(book, cpu, number);
    struct resets_way *way = &book->ways[book->way];
    if (!first || first->value == value)
        return;
    way->differences++;
    if (book->differences < RESETS_DIFFERENCES)
        book->difference[book->differences++] = (struct resets_difference){book->way, way->made, *first, value};
}

u32 resets_book_next(struct resets_book *book, u32 ways)
{
    while (book->way < ways &&
           (book->ways[book->way].made == book->each || book->ways[book->way].absent || book->ways[book->way].ignored))
        book->way++;
    if (book->way >= ways)
        book->way = RESETS_WAYS;
    book->underway = book->way < RESETS_WAYS;
    return book->way;
}

void resets_book_failed(struct resets_book *book, bool absent)
{
    book->underway = 0;
    book->ways[book->way].absent = absent;
    book->ways[book->way].ignored = !absent;
}

void resets_book_close(struct resets_book *book)
{
    book->sum = sum_of(book);
}
