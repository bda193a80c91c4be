/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * option-list KERNEL: prints the options of the image as a Markdown table, read from the parser's own rows in the
 * kernel's file. The rows are collected by the linker between __start_options and __stop_options.
 */
#include "kernel/core/option.h"
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned char *image;
static size_t image_size;

static void *stop(const char *reason)
{
    fprintf(stderr, "option-list: %s\n", reason);
    exit(1);
}

static void *file_range(u64 offset, u64 size)
{
    return offset <= image_size && size <= image_size - offset ? image + offset : stop("the file is cut");
}

static void read_image(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        stop("the kernel cannot be read");
    image_size = (size_t)ftell(file);
    rewind(file);
    image = malloc(image_size + 1);
    if (!image || fread(image, 1, image_size, file) != image_size)
        stop("the kernel cannot be read");
    image[image_size] = 0;
    fclose(file);
    if (memcmp(file_range(0, sizeof(Elf64_Ehdr)), ELFMAG, SELFMAG) != 0)
        stop("the kernel is not an ELF file");
}

/* Where the running kernel's byte at this address is in the file. */
static const void *at(u64 address, u64 size)
{
    const Elf64_Ehdr *header = file_range(0, sizeof(*header));
    const Elf64_Phdr *segment = file_range(header->e_phoff, header->e_phnum * sizeof(*segment));
    for (unsigned i = 0; i < header->e_phnum; i++, segment++)
        if (segment->p_type == PT_LOAD && address >= segment->p_vaddr &&
            address - segment->p_vaddr + size <= segment->p_filesz)
            return file_range(segment->p_offset + address - segment->p_vaddr, size);
    return stop("an address lies outside the kernel");
}

static const char *text_at(const char *address)
{
    return address ? at((u64)(uintptr_t)address, 1) : "";
}

static u64 symbol_address(const char *name)
{
    const Elf64_Ehdr *header = file_range(0, sizeof(*header));
    const Elf64_Shdr *sections = file_range(header->e_shoff, header->e_shnum * sizeof(*sections));
    for (unsigned i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum)
            continue;
        const Elf64_Sym *symbol = file_range(sections[i].sh_offset, sections[i].sh_size);
        u64 names = sections[sections[i].sh_link].sh_offset;
        for (u64 n = sections[i].sh_size / sizeof(*symbol); n > 0; n--, symbol++)
            if (strcmp(file_range(names + symbol->st_name, 1), name) == 0)
                return symbol->st_value;
    }
    stop("the kernel has no option rows");
    return 0;
}

static void print_choices(const char *const *choices)
{
    for (const char *separator = "";; choices++, separator = "\\|") {
        const char *choice = *(const char *const *)at((u64)(uintptr_t)choices, sizeof(choice));
        if (!choice)
            return;
        printf("%s%s", separator, text_at(choice));
    }
}

/* Escapes bars, which would end the table's cell. */
static void print_escaped(const char *text)
{
    for (; *text; text++)
        printf(*text == '|' ? "\\|" : "%c", *text);
}

static void print_row(const struct option *row)
{
    printf("| `%s", text_at(row->name));
    if (row->kind != OPTION_FLAG) {
        printf(row->bare ? "[=" : "=");
        if (row->argument)
            print_escaped(text_at(row->argument));
        else if (row->kind == OPTION_CHOICE)
            print_choices(row->choices);
        else
            printf("%s", row->kind == OPTION_NUMBER ? "N" : "TEXT");
        printf(row->bare ? "]" : "");
    }
    printf("` | ");
    print_escaped(text_at(row->help));
    printf(" |\n");
}

static int by_name(const void *left, const void *right)
{
    const struct option *const *a = left, *const *b = right;
    return strcmp(text_at((*a)->name), text_at((*b)->name));
}

int main(int argc, char **argv)
{
    const struct option *rows[64];
    size_t count = 0;
    if (argc != 2)
        stop("usage: option-list KERNEL");
    read_image(argv[1]);
    u64 end = symbol_address("__stop_options");
    for (u64 p = symbol_address("__start_options"); p < end; p += sizeof(u64)) {
        if (count == ARRAY_SIZE(rows))
            stop("too many options");
        rows[count++] = at(*(const u64 *)at(p, sizeof(u64)), sizeof(struct option));
    }
    qsort(rows, count, sizeof(rows[0]), by_name);
    printf("| option | meaning |\n|---|---|\n");
    for (size_t i = 0; i < count; i++)
        print_row(rows[i]);
    return 0;
}
