/* SPDX-License-Identifier: BSD-2-Clause */
/* QR codes, and the short code of a log. */
#include "kernel/qr/qr.h"
#include "tests/host/case.h"
#include <qrencode.h>
#include <stdlib.h>
#include <string.h>
#include <zbar.h>

/* Our codes compared with libqrencode's, module by module, and read back by zbar, in every version and level. */

#define PIXELS 3 /* of a module, for the reader */
#define SIDE ((QR_SIZE_MAX + 2 * QR_QUIET) * PIXELS)

static const enum qr_level levels[] = {QR_LOW, QR_MEDIUM};
static struct qr qr;
static char subject[2000];

static void make_text(unsigned length)
{
    for (unsigned i = 0; i < length; i++)
        subject[i] = qr_character((unsigned)rand());
    subject[length] = 0;
}

static bool same_modules(const QRcode *other)
{
    for (unsigned i = 0; i < qr.size * qr.size; i++)
        if ((other->data[i] & 1) != (qr.module[i / qr.size][i % qr.size] & 1))
            return false;
    return true;
}

static QRcode *other_code(unsigned version, enum qr_level level)
{
    QRinput *input = QRinput_new2((int)version, level == QR_LOW ? QR_ECLEVEL_L : QR_ECLEVEL_M);
    assert_int_equal(QRinput_append(input, QR_MODE_AN, (int)strlen(subject), (const unsigned char *)subject), 0);
    QRcode *code = QRcode_encodeInput(input);
    QRinput_free(input);
    assert_non_null(code);
    assert_int_equal(code->version, version);
    return code;
}

/* The choice of the mask may differ; with the same mask every module must be the same. */
static void assert_as_libqrencode(unsigned version, enum qr_level level)
{
    QRcode *code = other_code(version, level);
    unsigned same = 0;
    for (unsigned mask = 0; mask < 8; mask++) {
        assert_true(qr_encode_masked(&qr, subject, version, level, mask));
        same += same_modules(code);
    }
    QRcode_free(code);
    assert_int_equal(same, 1);
}

static void draw(u8 *pixels, unsigned side)
{
    for (unsigned y = 0; y < side; y++)
        for (unsigned x = 0; x < side; x++)
            pixels[y * side + x] = qr_dark(&qr, (int)(y / PIXELS) - QR_QUIET, (int)(x / PIXELS) - QR_QUIET) ? 0 : 0xff;
}

static void assert_read_back(void)
{
    static u8 pixels[SIDE * SIDE];
    unsigned side = (qr.size + 2 * QR_QUIET) * PIXELS;
    zbar_image_scanner_t *scanner = zbar_image_scanner_create();
    zbar_image_t *image = zbar_image_create();
    draw(pixels, side);
    zbar_image_set_format(image, zbar_fourcc('Y', '8', '0', '0'));
    zbar_image_set_size(image, side, side);
    zbar_image_set_data(image, pixels, side * side, NULL);
    assert_int_equal(zbar_scan_image(scanner, image), 1);
    assert_string_equal(zbar_symbol_get_data(zbar_image_first_symbol(image)), subject);
    zbar_image_destroy(image);
    zbar_image_scanner_destroy(scanner);
}

/* Of every version and level: empty, one character, full, and lengths between. */
CASE(codes_are_read_as_written)
{
    for (unsigned version = 1; version <= QR_VERSION_MAX; version++)
        for_each_row (levels, level) {
            unsigned capacity = qr_capacity(version, *level);
            const unsigned lengths[] = {1, 2, capacity / 2, (unsigned)rand() % capacity + 1, capacity - 1, capacity};
            for_each_row (lengths, length) {
                make_text(*length);
                assert_as_libqrencode(version, *level);
                assert_true(qr_encode(&qr, subject, version, *level));
                assert_read_back();
            }
        }
}

/* ISO/IEC 18004, "Evaluation of data masking results", literally: lines as texts in which patterns are sought. */
static unsigned occurrences(const char *line, const char *pattern)
{
    unsigned count = 0;
    for (; *line; line++)
        count += strncmp(line, pattern, strlen(pattern)) == 0;
    return count;
}

static unsigned penalty_of_line(const char *line)
{
    unsigned penalty = 40 * (occurrences(line, "10111010000") + occurrences(line, "00001011101"));
    while (*line) {
        unsigned run = (unsigned)strspn(line, *line == '1' ? "1" : "0");
        penalty += run >= 5 ? run - 2 : 0;
        line += run;
    }
    return penalty;
}

static unsigned penalty_of_code(void)
{
    char row[QR_SIZE_MAX + 1] = "", column[QR_SIZE_MAX + 1] = "";
    int size = (int)qr.size, penalty = 0, dark = 0;
    for (int y = 0; y < size; y++) {
        for (int x = 0; x < size; x++) {
            bool here = qr_dark(&qr, y, x);
            row[x] = here ? '1' : '0';
            column[x] = qr_dark(&qr, x, y) ? '1' : '0';
            dark += here;
            if (y + 1 < size && x + 1 < size && here == qr_dark(&qr, y, x + 1) && here == qr_dark(&qr, y + 1, x) &&
                here == qr_dark(&qr, y + 1, x + 1))
                penalty += 3;
        }
        penalty += (int)(penalty_of_line(row) + penalty_of_line(column));
    }
    for (int percent = 5; percent <= 50; percent += 5)
        penalty += 100 * abs(2 * dark - size * size) >= 2 * percent * size * size ? 10 : 0;
    return (unsigned)penalty;
}

CASE(the_mask_has_the_least_penalty)
{
    for (unsigned version = 1; version <= QR_VERSION_MAX; version++) {
        unsigned chosen;
        make_text(qr_capacity(version, QR_LOW) / 2);
        assert_true(qr_encode(&qr, subject, version, QR_LOW));
        chosen = penalty_of_code();
        for (unsigned mask = 0; mask < 8; mask++) {
            assert_true(qr_encode_masked(&qr, subject, version, QR_LOW, mask));
            assert_true(chosen <= penalty_of_code());
        }
    }
}

/* ISO/IEC 18004, "Data capacity": the columns for alphanumeric characters. */
CASE(capacities_are_the_standards)
{
    static const struct {
        unsigned version, low, medium;
    } known[] = {{1, 25, 20},    {5, 154, 122},  {6, 195, 154},  {9, 335, 262},
                 {10, 395, 311}, {15, 758, 600}, {20, 1249, 970}};
    for_each_row (known, row) {
        assert_int_equal(qr_capacity(row->version, QR_LOW), row->low);
        assert_int_equal(qr_capacity(row->version, QR_MEDIUM), row->medium);
    }
    assert_int_equal(qr_capacity(0, QR_LOW), 0);
    assert_int_equal(qr_capacity(QR_VERSION_MAX + 1, QR_LOW), 0);
}

CASE(what_does_not_fit_is_refused)
{
    make_text(qr_capacity(6, QR_LOW) + 1);
    assert_false(qr_encode(&qr, subject, 6, QR_LOW));
    assert_false(qr_encode(&qr, "lower case", 6, QR_LOW));
    assert_false(qr_encode(&qr, "A_", 6, QR_LOW));
    assert_false(qr_encode(&qr, "A", 0, QR_LOW));
    assert_false(qr_encode(&qr, "A", QR_VERSION_MAX + 1, QR_LOW));
    assert_false(qr_encode_masked(&qr, "A", 1, QR_LOW, 8));
}

static const char *code_of(const char *const *lines)
{
    static char text[RESULT_CODE_SIZE];
    struct result_code code;
    result_code_start(&code);
    for (; *lines; lines++)
        result_code_line(&code, *lines, strlen(*lines));
    return result_code_text(&code, text);
}

#define CODE(...) code_of((const char *const[]){__VA_ARGS__, NULL})

/* FNV-1a as its authors describe it, folded as the header says. */
CASE(the_hash_is_fnv)
{
    u64 hash = 0xcbf29ce484222325ul;
    char text[RESULT_CODE_SIZE] = "";
    static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    for (const char *c = "# run pmu=hardware\n"; *c; c++)
        hash = (hash ^ (u8)*c) * 1099511628211ul;
    hash ^= hash >> 40;
    for (unsigned i = 0, at = 0; i < 8; i++) {
        if (i == 4)
            text[at++] = '-';
        text[at++] = alphabet[hash >> (35 - 5 * i) & 31];
    }
    assert_string_equal(CODE("# run pmu=hardware"), text);
}

CASE(what_differs_between_boots_is_left_out)
{
    char first[RESULT_CODE_SIZE];
    strcpy(first, CODE("KTAP version 1", "# machine brand=a cpus=4 memory-kib=1 tsc-khz=7", "# run pmu=x",
                       "# result verdict=pass code=1234-5678"));
    assert_string_equal(CODE("noise", "# run lost", "KTAP version 1\r\n", "# machine brand=a cpus=4 memory-kib=2",
                             "# heartbeat", "  # run pmu=x\r\n", "ok 1 a", "# result verdict=pass code="),
                        first);
    assert_string_not_equal(CODE("# machine brand=b cpus=4 memory-kib=1", "# run pmu=x", "# result verdict=pass code="),
                            first);
    assert_string_not_equal(CODE("# machine brand=a cpus=4 memory-kib=1", "# run pmu=y", "# result verdict=pass code="),
                            first);
    assert_string_not_equal(CODE("# machine brand=a cpus=4 memory-kib=1", "# run pmu=x", "# result verdict=fail code="),
                            first);
}

CASE(typed_codes_are_understood)
{
    static const char *const good[] = {"7K3M-01QA", "7k3m01qa", "7K3M-oIqA", " 7K3 M0l QA"};
    static const char *const bad[] = {"", "7K3M-01Q", "7K3M-01QAA", "7K3M-01QU", "7K3M_01QA"};
    char text[RESULT_CODE_SIZE];
    for_each_row (good, typed) {
        assert_true(result_code_parse(*typed, text));
        assert_string_equal(text, "7K3M-01QA");
    }
    for_each_row (bad, typed)
        assert_false(result_code_parse(*typed, text));
}

int main(void)
{
    srand(20);
    return run_cases();
}
