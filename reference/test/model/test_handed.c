/* SPDX-License-Identifier: BSD-2-Clause */
/* Every profile of the tree arrives as the build compiles it, and a damaged one or one of another build is refused. */
#include "reference/handed/handed.h"
#include "reference/model/model.h"
#include "tests/host/case.h"
#include "tools/pmucheck/profile/hand.h"
#include "tools/text_file.h"
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#define LAYOUT 0x12345678u

static char bytes[HANDED_BYTES], texts[HANDED_TEXTS];
static struct profile room[HANDED_CORES];

static size_t packed(const char *path)
{
    static struct profile_file file;
    struct profile_error error;
    size_t size;
    char *text = text_file_read("test", path, &size);
    assert_non_null(text);
    if (!profile_read(text, size, model_profile, &file, &error))
        fail_msg("%s:%u: %s", path, error.line, error.text);
    free(text);
    return hand_pack(&file, LAYOUT, bytes);
}

static bool same_text(const char *a, const char *b)
{
    return !a == !b && (!a || strcmp(a, b) == 0);
}

/* Word by word, except pointers: texts are compared by their contents. */
static void expect_same(const struct profile *got, const struct profile *want)
{
    for (unsigned at = 0; at < PACKED_WORDS; at++) {
        const char *a, *b;
        memcpy(&a, (const char *)got + at * sizeof(a), sizeof(a));
        memcpy(&b, (const char *)want + at * sizeof(b), sizeof(b));
        if (packed_is_second(at) || (packed_is_text(at) ? same_text(a, b) : a == b))
            continue;
        fail_msg("%s: word %u is another", want->name, at);
    }
}

CASE(every_profile_comes_through)
{
    glob_t found;
    unsigned hybrids = 0;
    assert_int_equal(glob("reference/model/profiles/*.profile", 0, NULL, &found), 0);
    assert_int_equal(found.gl_pathc, profile_count);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        size_t size = packed(found.gl_pathv[i]);
        assert_true(size && size <= sizeof(bytes));
        assert_null(handed_take(bytes, size, LAYOUT, room, texts));
        memset(bytes, 0xff, sizeof(bytes)); /* the unpacked profile does not depend on it */
        const struct profile *got = room, *want = model_profile(room->name);
        for (; got && want; got = got->second, want = want->second) {
            expect_same(got, want);
            hybrids += got->second != NULL;
        }
        assert_true(!got && !want);
    }
    assert_true(hybrids > 0);
    globfree(&found);
}

static void refused(size_t size, const char *said)
{
    const char *why = handed_take(bytes, size, LAYOUT, room, texts);
    assert_non_null(why);
    if (!strstr(why, said))
        fail_msg("%s", why);
}

CASE(what_does_not_fit_is_refused)
{
    static const char path[] = "reference/model/profiles/alder-lake.profile";
    size_t size = packed(path);
    for (size_t cut = 0; cut < size; cut += 7)
        assert_non_null(handed_take(bytes, cut, LAYOUT, room, texts));
    refused(size - 1, "damaged");
    refused(size + 1, "damaged");
    assert_null(handed_take(bytes, size, LAYOUT, room, texts));
    for (size_t at = 0; at < size; at += 5) {
        bytes[at] ^= 0x10;
        assert_non_null(handed_take(bytes, size, LAYOUT, room, texts));
        bytes[at] ^= 0x10;
    }
    assert_non_null(strstr(handed_take(bytes, size, LAYOUT + 1, room, texts), "another build"));
    bytes[0] = 0;
    refused(size, "is no profile");
}

/* Texts that are too long are reported when they are packed, not cut. */
CASE(too_long_texts_are_no_profile)
{
    static struct profile_file file;
    static char text[HANDED_TEXTS + 1];
    memset(text, 'x', HANDED_TEXTS);
    file.cores = 1;
    file.core[0] = (struct profile){.name = "long", .vendor = "GenuineIntel", .brand = "b", .errata = text};
    assert_int_equal(hand_pack(&file, LAYOUT, bytes), 0);
    text[HANDED_TEXTS - sizeof("long") - sizeof("GenuineIntel") - sizeof("b") - 1] = 0;
    size_t size = hand_pack(&file, LAYOUT, bytes);
    assert_int_equal(size, sizeof(struct handed) + 4 * sizeof(struct packed_word) + HANDED_TEXTS);
    assert_null(handed_take(bytes, size, LAYOUT, room, texts));
    assert_string_equal(room[0].errata, text);
    assert_null(room[0].core);
}

int main(void)
{
    return run_cases();
}
