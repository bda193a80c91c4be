/* SPDX-License-Identifier: BSD-2-Clause */
/* Packets of a processor trace from bytes. Encodings typed from the manual's packet definitions. */
#include "pmu/area/trace_area.h"
#include "tests/host/case.h"

#define PSB 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82
#define PSBEND 0x02, 0x23
#define BYTES(...) (const u8[]){__VA_ARGS__}, sizeof((const u8[]){__VA_ARGS__})

static struct trace_packet one(const u8 *data, u64 size)
{
    struct trace_reader reader = {.data = data, .size = size};
    struct trace_packet packet;
    assert_true(trace_packet_next(&reader, &packet));
    assert_int_equal(reader.at, size);
    assert_null(reader.wanted);
    return packet;
}

static const char *wanted(const u8 *data, u64 size)
{
    struct trace_reader reader = {.data = data, .size = size};
    struct trace_packet packet;
    assert_false(trace_packet_next(&reader, &packet));
    assert_int_equal(reader.at, 0);
    return reader.wanted;
}

static struct trace_told told(const u8 *data, u64 size)
{
    struct trace_told all;
    trace_read(data, size, &all);
    return all;
}

CASE(sizes)
{
    assert_int_equal(one(BYTES(0)).kind, PACKET_PAD);
    assert_int_equal(one(BYTES(PSB)).kind, PACKET_PSB);
    assert_int_equal(one(BYTES(PSBEND)).kind, PACKET_PSBEND);
    assert_int_equal(one(BYTES(0x02, 0xf3)).kind, PACKET_OVF);
    assert_int_equal(one(BYTES(0x02, 0x83)).kind, PACKET_STOP);
    assert_int_equal(one(BYTES(0x99, 0x01)).kind, PACKET_MODE);
    assert_int_equal(one(BYTES(0x19, 1, 2, 3, 4, 5, 6, 7)).kind, PACKET_TIME);
    assert_int_equal(one(BYTES(0x59, 0x80)).kind, PACKET_TIME);
    assert_int_equal(one(BYTES(0x02, 0x73, 1, 2, 0, 4, 0)).kind, PACKET_TIME);
    assert_int_equal(one(BYTES(0x02, 0x03, 0x20, 0)).kind, PACKET_TIME);
    assert_int_equal(one(BYTES(0x02, 0x43, 1, 2, 3, 4, 5, 6)).kind, PACKET_PAGE);
    assert_int_equal(one(BYTES(0x02, 0xc8, 1, 2, 3, 4, 5)).kind, PACKET_PAGE);
    assert_int_equal(one(BYTES(0x02, 0xc3, 0x88, 1, 2, 3, 4, 5, 6, 7, 8)).kind, PACKET_MORE);
}

CASE(asked_for)
{
    assert_int_equal(one(BYTES(0x02, 0x12, 1, 2, 3, 4)).kind, PACKET_MORE);
    assert_int_equal(one(BYTES(0x02, 0xb2, 1, 2, 3, 4, 5, 6, 7, 8)).kind, PACKET_MORE);
    assert_int_equal(one(BYTES(0x02, 0xe2)).kind, PACKET_MORE);
    assert_int_equal(one(BYTES(0x02, 0xc2, 1, 2, 3, 4, 5, 6, 7, 8)).kind, PACKET_MORE);
    assert_int_equal(one(BYTES(0x02, 0x22, 1, 2)).kind, PACKET_MORE);
    assert_int_equal(one(BYTES(0x02, 0xa2, 1, 2, 3, 4, 5)).kind, PACKET_MORE);
    assert_int_equal(one(BYTES(0x02, 0x13, 1, 2)).kind, PACKET_MORE);
    assert_int_equal(one(BYTES(0x02, 0x53, 1, 2, 3, 4, 5, 6, 7, 8, 9)).kind, PACKET_MORE);
}

CASE(cycles)
{
    assert_int_equal(one(BYTES(0xfb)).bytes, 1);
    assert_int_equal(one(BYTES(0x07, 0xfe)).bytes, 2);
    assert_int_equal(one(BYTES(0xff, 0x01, 0xff, 0x00)).bytes, 4);
    assert_string_equal(wanted(BYTES(0x07)), "the end of a CYC");
    assert_string_equal(wanted(BYTES(0x07, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)), "the end of a CYC");
}

CASE(directions)
{
    struct trace_packet taken = one(BYTES(0x06)), untaken = one(BYTES(0x04)), six = one(BYTES(0xd2));
    assert_int_equal(taken.branches, 1);
    assert_int_equal(taken.taken, 1);
    assert_int_equal(untaken.branches, 1);
    assert_int_equal(untaken.taken, 0);
    assert_int_equal(six.branches, 6);
    assert_int_equal(six.taken, 0x29); /* taken, not, taken, not, not, taken */
    struct trace_packet some = one(BYTES(0x02, 0xa3, 0x05, 1, 0, 0, 0, 0));
    assert_int_equal(some.branches, 8);
    assert_int_equal(some.taken, 5);
    assert_int_equal(one(BYTES(0x02, 0xa3, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff)).branches, 47);
    assert_string_equal(wanted(BYTES(0x02, 0xa3, 0, 0, 0, 0, 0, 0)), "a TNT with a branch");
    assert_string_equal(wanted(BYTES(0x02, 0xa3, 1, 0, 0, 0, 0, 0)), "a TNT with a branch");
}

CASE(addresses)
{
    static const u8 data[] = {0xcd, 0x88, 0x77, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, /* whole */
                              0x2d, 0xaa, 0xbb,                                     /* 16 bits */
                              0x51, 0x01, 0x02, 0x03, 0x04,                         /* 32 bits */
                              0x1d,                                                 /* none */
                              0x81, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01,             /* 48 bits, others as before */
                              0x7d, 0x00, 0x00, 0x00, 0x00, 0x00, 0x80,             /* 48 bits, with their sign */
                              PSB,  0x2d, 0x34, 0x12};
    static const struct {
        enum trace_packet_kind kind;
        bool has_ip;
        u64 ip;
    } want[] = {
        {PACKET_TIP, true, 0x1122334455667788},
        {PACKET_TIP, true, 0x112233445566bbaa},
        {PACKET_TIP_PGE, true, 0x1122334404030201},
        {PACKET_FUP, false, 0},
        {PACKET_TIP_PGD, true, 0x1122010203040506},
        {PACKET_FUP, true, 0xffff800000000000},
        {PACKET_PSB, false, 0},
        {PACKET_TIP, true, 0x1234},
    };
    struct trace_reader reader = {.data = data, .size = sizeof(data)};
    struct trace_packet packet;
    for_each_row (want, row) {
        assert_true(trace_packet_next(&reader, &packet));
        assert_int_equal(packet.kind, row->kind);
        assert_int_equal(packet.has_ip, row->has_ip);
        assert_true(packet.ip == row->ip);
    }
    assert_false(trace_packet_next(&reader, &packet));
    assert_null(reader.wanted);
    assert_string_equal(wanted(BYTES(0xad, 1, 2, 3, 4, 5, 6, 7, 8)), "an address of a known form");
    assert_string_equal(wanted(BYTES(0xed, 1, 2, 3, 4, 5, 6, 7, 8)), "an address of a known form");
}

CASE(no_packets)
{
    assert_string_equal(wanted(BYTES(0x02)), "a whole packet");
    assert_string_equal(wanted(BYTES(0x2d, 1)), "a whole packet");
    assert_string_equal(wanted(BYTES(0x19, 1, 2, 3, 4, 5, 6)), "a whole packet");
    assert_string_equal(wanted(BYTES(0x02, 0x82, 0x02)), "a whole packet");
    assert_string_equal(
        wanted(BYTES(0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x82, 0x02, 0x83)),
        "a PSB of 16 bytes");
    assert_string_equal(wanted(BYTES(0x02, 0xff)), "a packet that the manual has");
    assert_string_equal(wanted(BYTES(0x02, 0xc3, 0x89, 1, 2, 3, 4, 5, 6, 7, 8)), "a packet that the manual has");
    assert_string_equal(wanted(BYTES(0x05)), "a packet that the manual has");
}

/* A trace as a CPU writes it: the state after the PSB, directions in groups, targets after them, and padding. */
CASE(path)
{
    struct trace_told all = told(BYTES(PSB, 0x02, 0x03, 0x20, 0, 0x99, 0x01, 0x3d, 0x99, 0x99, PSBEND, 0x71, 0, 0x10, 0,
                                       0, 0, 0, 0x1a, 0x2d, 0x20, 0x10, 0x59, 1, 0x2d, 0x30, 0x10, 0x06, 0x01, 0, 0));
    assert_null(all.wanted);
    assert_false(all.lost);
    assert_int_equal(all.boundaries, 1);
    assert_int_equal(all.begins, 1);
    assert_int_equal(all.begin, 0x1000);
    assert_int_equal(all.ends, 1);
    assert_int_equal(all.directions, 4);
    assert_true(all.taken[0] && !all.taken[1] && all.taken[2] && all.taken[3]);
    assert_int_equal(all.targets, 2);
    assert_int_equal(all.target[0], 0x1020);
    assert_int_equal(all.target[1], 0x1030);
}

CASE(losses)
{
    struct trace_told all = told(BYTES(PSB, 0x02, 0xf3, 0x11, 0x06, 0x01));
    assert_null(all.wanted);
    assert_true(all.lost);
    assert_int_equal(all.directions, 1);
}

CASE(out_of_place)
{
    struct trace_told all = told(BYTES(PSB, PSBEND, 0x06));
    assert_string_equal(all.wanted, "TIP.PGE before the next branch");
    assert_int_equal(all.end, 18);
    all = told(BYTES(0x11, 0x06, 0x01, 0x2d, 0, 0));
    assert_string_equal(all.wanted, "TIP.PGE before the next branch");
    assert_int_equal(all.end, 3);
    all = told(BYTES(0x11, PSB, 0x06));
    assert_string_equal(all.wanted, "PSBEND before the next branch");
    all = told(BYTES(PSBEND));
    assert_string_equal(all.wanted, "PSB before PSBEND");
    all = told(BYTES(0x11, 0x0d));
    assert_string_equal(all.wanted, "a TIP with an address");
    all = told(BYTES(0, 0, 0x02, 0xff));
    assert_string_equal(all.wanted, "a packet that the manual has");
    assert_int_equal(all.end, 2);
}

/* Branches without room are counted nevertheless. */
CASE(many)
{
    static u8 data[1000] = {0x11};
    for (unsigned i = 1; i + 4 <= sizeof(data); i += 4) {
        data[i] = 0xfe;
        data[i + 1] = 0x2d;
    }
    struct trace_told all = told(data, sizeof(data));
    assert_null(all.wanted);
    assert_int_equal(all.directions, 6 * 249);
    assert_int_equal(all.targets, 249);
    assert_true(all.taken[TRACE_DIRECTIONS_MOST - 1]);
}

int main(void)
{
    return run_cases();
}
