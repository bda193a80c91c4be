/* SPDX-License-Identifier: BSD-2-Clause */
/* Interrupts of PCI functions, with valid and invalid configuration spaces. */
#include "kernel/firmware/pci.h"
#include "tests/host/case.h"

#include <string.h>

#define LIST 0x00100000 /* of status */
#define ON 0x7
#define OTHER 0x01060100

struct space {
    u32 word[64];
    unsigned reads;
};

static u32 read_word(const void *what, unsigned word)
{
    struct space *s = (struct space *)what;
    assert_true(word < 64);
    assert_true(++s->reads < 256);
    return s->word[word];
}

static struct pci_interrupts parse(struct space *s)
{
    struct pci_interrupts found;
    s->reads = 0;
    pci_interrupts_parse(read_word, s, &found);
    return found;
}

/* An endpoint with a pin, a power capability at 40H, MSI with 64-bit address at 50H, MSI-X at 70H in BAR 2. */
static struct space full(void)
{
    struct space s = {.word = {[0] = 0x12348086, [1] = LIST | ON, [2] = OTHER, [13] = 0x40, [15] = 0x01ff}};
    s.word[0x40 / 4] = 0x00035001;
    s.word[0x50 / 4] = 0x00a17005; /* 64 bits, 4 messages, on */
    s.word[0x54 / 4] = 0xfee01000;
    s.word[0x5c / 4] = 0xabcd0054;
    s.word[0x70 / 4] = 0x80030011; /* on, 4 entries */
    s.word[0x74 / 4] = 0x00002002;
    s.word[PCI_BAR + 2] = 0xf0000004;
    s.word[PCI_BAR + 3] = 0x12;
    return s;
}

CASE(all_three)
{
    struct space s = full();
    struct pci_interrupts found = parse(&s);
    assert_true(found.endpoint && found.pin);
    assert_int_equal(found.msi, 0x50);
    assert_int_equal(found.address, 0xfee01000);
    assert_int_equal(found.data, 0x54);
    assert_int_equal(found.messages, 4);
    assert_int_equal(found.msix, 0x70);
    assert_int_equal(found.entries, 4);
    assert_true(found.table == 0x12f0002000);
}

/* One word differs from full(), and the capabilities that are then not found. */
CASE(what_is_off)
{
    static const struct {
        unsigned word;
        u32 value;
        bool endpoint, pin, msi, msix, table;
    } rows[] = {
        {1, ON, true, true, false, false, false},              /* no list */
        {1, LIST | 0x400 | ON, true, false, true, true, true}, /* the pin is off */
        {1, LIST, true, false, true, true, false},             /* asleep */
        {1, LIST | 1, true, true, true, true, false},          /* memory is not decoded */
        {2, 0x03000000, false, true, true, true, true},        /* a display */
        {2, 0x06000000, false, true, true, true, true},        /* a host bridge */
        {3, 0x00010000, false, true, true, true, true},        /* a bridge to another bus */
        {3, 0x00800000, true, true, true, true, true},         /* several functions */
        {3, 0x00020000, false, false, false, false, false},    /* CardBus */
        {13, 0, true, true, false, false, false},
        {13, 0x3c, true, true, false, false, false}, /* in the header */
        {13, 0x53, true, true, true, true, true},    /* the low bits are reserved */
        {15, 0x00ff, true, false, true, true, true},
        {0x44 / 4, 0x3, true, true, true, true, false}, /* in D3 */
        {0x50 / 4, 0x00a07005, true, true, false, true, true},
        {0x50 / 4, 0x00a10005, true, true, true, false, false},
        {0x50 / 4, 0x00a150ff, true, true, false, false, false}, /* a circular list */
        {0x70 / 4, 0x00030011, true, true, true, false, false},
        {0x74 / 4, 0x00002003, true, true, true, true, false}, /* the upper half of an address */
        {0x74 / 4, 0x00002005, true, true, true, true, false},
        {0x74 / 4, 0x00002007, true, true, true, true, false},
        {PCI_BAR + 2, 0xc001, true, true, true, true, false},
        {PCI_BAR + 3, 0x00200000, true, true, true, true, false}, /* beyond 52 bits */
    };
    for_each_row (rows, row) {
        struct space s = full();
        s.word[row->word] = row->value;
        struct pci_interrupts found = parse(&s);
        assert_int_equal(found.endpoint, row->endpoint);
        assert_int_equal(found.pin, row->pin);
        assert_int_equal(!!found.msi, row->msi);
        assert_int_equal(!!found.msix, row->msix);
        assert_int_equal(!!found.table, row->table);
    }
}

/* The end of the space: a capability without room is ignored. */
CASE(at_the_end)
{
    struct space s = {.word = {[1] = LIST, [2] = OTHER, [13] = 0xf4}};
    s.word[0xf4 / 4] = 0x00010005; /* 32 bits: ends with the space */
    s.word[0xfc / 4] = 0x31;
    assert_int_equal(parse(&s).msi, 0xf4);
    assert_int_equal(parse(&s).data, 0x31);
    assert_int_equal(parse(&s).messages, 1);
    s.word[0xf4 / 4] = 0x00810005;
    assert_int_equal(parse(&s).msi, 0);
    s.word[0xf4 / 4] = 0x80000011;
    assert_int_equal(parse(&s).msix, 0xf4);
    s.word[13] = 0xf8;
    s.word[0xf8 / 4] = 0x80000011;
    assert_int_equal(parse(&s).msix, 0);
}

CASE(more_messages_than_there_are)
{
    struct space s = full();
    s.word[0x50 / 4] = 0x00f17005;
    assert_int_equal(parse(&s).messages, 32);
}

CASE(places)
{
    char place[PCI_PLACE];
    assert_string_equal(pci_place_text(0, place), "00:00.0");
    assert_string_equal(pci_place_text(0xfffe, place), "ff:1f.6");
    assert_string_equal(pci_place_text(0xffffffff, place), "ff:1f.7");
}

int main(void)
{
    return run_cases();
}
