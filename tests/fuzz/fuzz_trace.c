/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any bytes as a processor trace: nothing outside the buffer is read, each packet consumes some bytes, and the whole
 * trace has the sum of its packets' effects.
 */
#include "pmu/area/trace_area.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool held)
{
    if (!held)
        abort();
}

static void is_sound(const struct trace_packet *packet)
{
    require(packet->bytes && packet->bytes <= 16);
    if (packet->kind == PACKET_TNT)
        require(packet->branches && packet->branches <= 47 && packet->taken < BIT(packet->branches));
    else
        require(!packet->branches && !packet->taken);
    bool may = packet->kind == PACKET_TIP || packet->kind == PACKET_TIP_PGE || packet->kind == PACKET_TIP_PGD ||
               packet->kind == PACKET_FUP;
    require(may || !packet->has_ip);
}

/* Decodes the same packets one by one, up to the end of the whole trace. */
static void check_steps(const u8 *bytes, const struct trace_told *told)
{
    struct trace_reader reader = {.data = bytes, .size = told->end};
    struct trace_packet packet;
    u64 directions = 0, targets = 0, at = 0;
    while (trace_packet_next(&reader, &packet)) {
        is_sound(&packet);
        require(reader.at == at + packet.bytes);
        at = reader.at;
        directions += packet.branches;
        targets += packet.kind == PACKET_TIP;
    }
    require(at == told->end && !reader.wanted);
    require(directions == told->directions && targets == told->targets);
}

/* The bytes are at the end of a separate allocation, so that the sanitiser sees any read beyond. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    u8 *bytes = malloc(size ? size : 1);
    struct trace_told told;
    if (size)
        memcpy(bytes, data, size);
    trace_read(bytes, size, &told);
    require(told.end <= size && (told.wanted || told.end == size));
    check_steps(bytes, &told);
    free(bytes);
    return 0;
}
