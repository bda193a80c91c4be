/* links: kernel/firmware/pci_pure.c */
/* Any configuration header: at most as many ports as there is room for, each where a port may be. */
#include "kernel/firmware/pci_pure.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    u32 header[PCI_HEADER_WORDS] = {0};
    struct serial_target list[PCI_PORTS_MOST];
    memcpy(header, data, size < sizeof(header) ? size : sizeof(header));
    if (size && data[size - 1] & 1) /* most classes are not worth a look */
        header[PCI_CLASS] = 0x07000200 | (data[size - 1] & 2u) << 16;
    unsigned count = pci_serial_ports(header, list);
    if (count > PCI_PORTS_MOST)
        abort();
    for (unsigned i = 0; i < count; i++)
        if (!list[i].address || (list[i].kind == SERIAL_PORT ? list[i].address > 0xfff8 : list[i].address >> 52 != 0))
            abort();
    return 0;
}
