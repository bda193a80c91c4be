/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any configuration header: no more ports than there is room for, each at a legal address. Any configuration space:
 * interrupt capabilities lie within it, and are found with a bounded number of reads.
 */
#include "kernel/firmware/pci.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define WORDS 64
#define READS_MOST 256

static unsigned reads;

static u32 read_word(const void *space, unsigned word)
{
    if (word >= WORDS || ++reads > READS_MOST)
        abort();
    return ((const u32 *)space)[word];
}

static void interrupts(const uint8_t *data, size_t size)
{
    u32 space[WORDS] = {0};
    struct pci_interrupts found;
    memcpy(space, data, size < sizeof(space) ? size : sizeof(space));
    reads = 0;
    pci_interrupts_parse(read_word, space, &found);
    if ((found.msi && (found.msi < 64 || !found.messages || found.messages > 32)) ||
        (found.msix && (found.msix < 64 || !found.entries || found.entries > 2048)) || found.table >> 53)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    interrupts(data, size);
    u32 header[PCI_HEADER_WORDS] = {0};
    struct serial_target list[PCI_PORTS_MOST];
    memcpy(header, data, size < sizeof(header) ? size : sizeof(header));
    if (size && data[size - 1] & 1) /* most classes are ignored */
        header[PCI_CLASS] = 0x07000200 | (data[size - 1] & 2u) << 16;
    unsigned count = pci_serial_ports(header, list);
    if (count > PCI_PORTS_MOST)
        abort();
    for (unsigned i = 0; i < count; i++)
        if (!list[i].address || (list[i].kind == SERIAL_PORT ? list[i].address > 0xfff8 : list[i].address >> 52 != 0))
            abort();
    return 0;
}
