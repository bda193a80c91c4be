/* SPDX-License-Identifier: BSD-2-Clause */
/* Modules: the patterns that a reader looks for, and the placing of the codewords. */
#include "kernel/qr/qr.h"
#include "kernel/text/text.h"

#define FORMAT_GENERATOR 0x537
#define FORMAT_MASK 0x5412
#define VERSION_GENERATOR 0x1f25

bool qr_dark(const struct qr *qr, int row, int column)
{
    int size = (int)qr->size;
    return row >= 0 && column >= 0 && row < size && column < size && (qr->module[row][column] & QR_DARK);
}

static void set(struct qr *qr, int row, int column, bool dark)
{
    if (row >= 0 && column >= 0 && row < (int)qr->size && column < (int)qr->size)
        qr->module[row][column] = (u8)(QR_PATTERN | dark);
}

/* ---- Patterns */

static int magnitude(int value)
{
    return value < 0 ? -value : value;
}

/* Concentric squares around a centre: bit n of `light` makes the modules at distance n light. */
static void draw_squares(struct qr *qr, int row, int column, int reach, unsigned light)
{
    for (int y = -reach; y <= reach; y++)
        for (int x = -reach; x <= reach; x++) {
            int distance = magnitude(y) > magnitude(x) ? magnitude(y) : magnitude(x);
            set(qr, row + y, column + x, !(light >> distance & 1));
        }
}

static void draw_finders(struct qr *qr)
{
    int far = (int)qr->size - 4;
    draw_squares(qr, 3, 3, 4, 0x14); /* distance 2 is light, and so is 4, the separator */
    draw_squares(qr, 3, far, 4, 0x14);
    draw_squares(qr, far, 3, 4, 0x14);
}

/* The centres of the alignment patterns, the same for rows and columns: 6, then evenly spaced up to the far side. */
static unsigned alignments(const struct qr *qr, int at[4])
{
    unsigned count = qr->version < 2 ? 0 : qr->version / 7 + 2;
    unsigned step = count ? (4 * qr->version + 2 * count + 1) / (2 * count - 2) * 2 : 0;
    for (unsigned i = 0; i < count; i++)
        at[i] = i ? (int)(qr->size - 7 - (count - 1 - i) * step) : 6;
    return count;
}

static void draw_alignments(struct qr *qr)
{
    int at[4];
    unsigned count = alignments(qr, at);
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < count; k++) {
            bool finder = (i == 0 && k == 0) || (i == 0 && k == count - 1) || (i == count - 1 && k == 0);
            if (!finder)
                draw_squares(qr, at[i], at[k], 2, 0x2);
        }
}

static void draw_timing(struct qr *qr)
{
    for (int i = 8; i < (int)qr->size - 8; i++) {
        set(qr, 6, i, i % 2 == 0);
        set(qr, i, 6, i % 2 == 0);
    }
}

/* The remainder of value * 2^shift divided by the generator: the check bits of format and version. */
static unsigned check_bits(unsigned value, unsigned shift, unsigned generator)
{
    unsigned rest = value << shift;
    for (int bit = 31; bit >= (int)shift; bit--)
        if (rest >> bit & 1)
            rest ^= generator << (bit - (int)shift);
    return rest;
}

/* Error correction level and mask, twice: around the first finder, and divided between the other two. */
static void draw_format(struct qr *qr)
{
    unsigned value = (qr->level == QR_LOW ? 1u : 0u) << 3 | qr->mask;
    unsigned bits = (value << 10 | check_bits(value, 10, FORMAT_GENERATOR)) ^ FORMAT_MASK;
    int size = (int)qr->size;
    for (int i = 0; i < 15; i++) {
        bool dark = bits >> i & 1;
        set(qr, i < 6 ? i : i < 8 ? i + 1 : 8, i < 8 ? 8 : i == 8 ? 7 : 14 - i, dark);
        set(qr, i < 8 ? 8 : size - 15 + i, i < 8 ? size - 1 - i : 8, dark);
    }
    set(qr, size - 8, 8, true);
}

/* Twice, in version 7 and above. */
static void draw_version(struct qr *qr)
{
    unsigned bits = qr->version << 12 | check_bits(qr->version, 12, VERSION_GENERATOR);
    int far = (int)qr->size - 11;
    for (int i = 0; qr->version >= 7 && i < 18; i++) {
        set(qr, i / 3, far + i % 3, bits >> i & 1);
        set(qr, far + i % 3, i / 3, bits >> i & 1);
    }
}

static void draw_patterns(struct qr *qr)
{
    draw_timing(qr);
    draw_finders(qr);
    draw_alignments(qr);
    draw_format(qr);
    draw_version(qr);
}

/* ---- Data */

/* Fills pairs of columns from the right, upwards and downwards in turn, and skips the timing column. */
static void place(struct qr *qr, const u8 *codewords)
{
    unsigned bit = 0, bits = 8 * qr_codewords(qr->version), size = qr->size;
    for (unsigned pair = 0; pair < size / 2; pair++) {
        unsigned right = size - 1 - 2 * pair;
        right -= right <= 6;
        for (unsigned step = 0; step < size; step++)
            for (unsigned x = 0; x < 2; x++) {
                unsigned row = pair % 2 ? step : size - 1 - step;
                u8 *module = &qr->module[row][right - x];
                if (*module & QR_PATTERN || bit == bits)
                    continue;
                *module = codewords[bit / 8] >> (7 - bit % 8) & QR_DARK;
                bit++;
            }
    }
}

static void choose_mask(struct qr *qr)
{
    unsigned best = 0, least = ~0u;
    for (unsigned mask = 0; mask < 8; mask++) {
        unsigned penalty;
        qr->mask = mask;
        draw_format(qr);
        qr_apply_mask(qr, mask);
        penalty = qr_penalty(qr);
        qr_apply_mask(qr, mask);
        if (penalty < least) {
            least = penalty;
            best = mask;
        }
    }
    qr->mask = best;
}

static bool start_code(struct qr *qr, const char *text, unsigned version, enum qr_level level)
{
    static u8 codewords[QR_CODEWORDS_MAX];
    if (!qr_codewords_of(codewords, text, version, level))
        return false;
    memset(qr, 0, sizeof(*qr));
    qr->version = version;
    qr->size = QR_SIZE(version);
    qr->level = level;
    draw_patterns(qr);
    place(qr, codewords);
    return true;
}

static void finish_code(struct qr *qr)
{
    draw_format(qr);
    qr_apply_mask(qr, qr->mask);
}

bool qr_encode(struct qr *qr, const char *text, unsigned version, enum qr_level level)
{
    if (!start_code(qr, text, version, level))
        return false;
    choose_mask(qr);
    finish_code(qr);
    return true;
}

bool qr_encode_masked(struct qr *qr, const char *text, unsigned version, enum qr_level level, unsigned mask)
{
    if (mask > 7 || !start_code(qr, text, version, level))
        return false;
    qr->mask = mask;
    finish_code(qr);
    return true;
}
