/* SPDX-License-Identifier: BSD-2-Clause */
/* A bzImage, entered by the 32-bit boot protocol: Linux, Documentation/arch/x86/boot.rst, "The Linux/x86 Boot
 * Protocol". */
#include "boot/bytes.h"
#include "hosting/image/image.h"

#define SETUP_SECTORS 0x1f1
#define BOOT_FLAG 0x1fe
#define JUMP 0x200 /* its second byte tells the header's length */
#define HEADER_MAGIC 0x202
#define VERSION 0x206
#define LOAD_FLAGS 0x211
#define INITRD_MAX 0x22c
#define COMMAND_LINE_SIZE 0x238
#define PREFERRED_ADDRESS 0x258
#define INIT_SIZE 0x260
#define HEADER_END 0x264
#define MAGIC 0x53726448   /* "HdrS" */
#define VERSION_2_10 0x20a /* the first version with a preferred address */
#define LOADED_HIGH BIT(0)
#define SECTOR 512

static const char *load(const u8 *file, u64 size, struct guest_image *image)
{
    u64 sectors = file[SETUP_SECTORS] ? file[SETUP_SECTORS] : 4, setup = (sectors + 1) * SECTOR;
    image->kind = GUEST_LINUX;
    if (bytes_get(file + VERSION, 2) < VERSION_2_10 || !(file[LOAD_FLAGS] & LOADED_HIGH))
        return "its Linux boot protocol is older than 2.10";
    if (setup > size)
        return "the Linux kernel is cut short";
    image->setup_size = HEADER_MAGIC + (u64)file[JUMP + 1] - SETUP_SECTORS;
    image->command_line = bytes_get32(file + COMMAND_LINE_SIZE);
    image->module_limit = (u64)bytes_get32(file + INITRD_MAX) + 1;
    struct guest_segment segment = {
        .offset = setup,
        .file_size = size - setup,
        .address = bytes_get64(file + PREFERRED_ADDRESS),
        .memory_size = bytes_get32(file + INIT_SIZE),
    };
    image->entry = (u32)segment.address;
    if (segment.memory_size < segment.file_size)
        segment.memory_size = segment.file_size;
    return guest_segment_add(image, size, &segment);
}

bool guest_linux_parse(const u8 *file, u64 size, struct guest_image *image, const char **wrong)
{
    if (size < HEADER_END || bytes_get32(file + HEADER_MAGIC) != MAGIC || bytes_get(file + BOOT_FLAG, 2) != 0xaa55)
        return false;
    *wrong = load(file, size, image);
    return true;
}
