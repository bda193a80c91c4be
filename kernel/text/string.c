/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copying and filling use the string instructions: one instruction does all, and a compiler cannot replace it by a call
 * of the function that it is in. (The two remaining loops need GCC's -fno-tree-loop-distribute-patterns for that.)
 */
#include "kernel/text/text.h"

void *memcpy(void *restrict to, const void *restrict from, size_t length)
{
    void *end = to;
    size_t words = length / 8, bytes = length % 8;
    __asm__ volatile("rep movsq" : "+D"(end), "+S"(from), "+c"(words)::"memory");
    __asm__ volatile("rep movsb" : "+D"(end), "+S"(from), "+c"(bytes)::"memory");
    return to;
}

void *memmove(void *to, const void *from, size_t length)
{
    if ((uintptr_t)to - (uintptr_t)from >= length) /* also if `to` lies below `from`: the difference wraps */
        return memcpy(to, from, length);
    for (size_t i = length; i-- > 0;)
        ((u8 *)to)[i] = ((const u8 *)from)[i];
    return to;
}

void *memset(void *to, int byte, size_t length)
{
    void *end = to;
    size_t words = length / 8, bytes = length % 8;
    u64 pattern = 0x0101010101010101ull * (u8)byte;
    __asm__ volatile("rep stosq" : "+D"(end), "+c"(words) : "a"(pattern) : "memory");
    __asm__ volatile("rep stosb" : "+D"(end), "+c"(bytes) : "a"(pattern) : "memory");
    return to;
}

int memcmp(const void *left, const void *right, size_t length)
{
    const u8 *a = left, *b = right;
    for (size_t i = 0; i < length; i++)
        if (a[i] != b[i])
            return a[i] - b[i];
    return 0;
}

size_t strlen(const char *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    return length;
}

int strncmp(const char *left, const char *right, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (left[i] != right[i] || !left[i])
            return (u8)left[i] - (u8)right[i];
    return 0;
}

int strcmp(const char *left, const char *right)
{
    return strncmp(left, right, SIZE_MAX);
}

char *strchr(const char *text, int byte)
{
    for (;; text++) {
        if (*text == (char)byte)
            return (char *)(uintptr_t)text;
        if (!*text)
            return NULL;
    }
}
