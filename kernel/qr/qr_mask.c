/* SPDX-License-Identifier: BSD-2-Clause */
/* The eight masks that even out a QR code, and a penalty for what could still mislead a reader. */
#include "kernel/qr/qr.h"

static bool inverted(unsigned mask, unsigned row, unsigned column)
{
    unsigned product = row * column;
    switch (mask) {
    case 0:
        return (row + column) % 2 == 0;
    case 1:
        return row % 2 == 0;
    case 2:
        return column % 3 == 0;
    case 3:
        return (row + column) % 3 == 0;
    case 4:
        return (row / 2 + column / 3) % 2 == 0;
    case 5:
        return product % 2 + product % 3 == 0;
    case 6:
        return (product % 2 + product % 3) % 2 == 0;
    default:
        return ((row + column) % 2 + product % 3) % 2 == 0;
    }
}

void qr_apply_mask(struct qr *qr, unsigned mask)
{
    for (unsigned row = 0; row < qr->size; row++)
        for (unsigned column = 0; column < qr->size; column++)
            if (!(qr->module[row][column] & QR_PATTERN) && inverted(mask, row, column))
                qr->module[row][column] ^= QR_DARK;
}

/* ---- Penalty: it grows with whatever in the code could mislead a reader. */

static bool dark_at(const struct qr *qr, bool across, unsigned line, unsigned at)
{
    return (across ? qr->module[line][at] : qr->module[at][line]) & QR_DARK;
}

/* A run of five modules of one colour costs 3, each further one 1; a finder's pattern with four light modules beside
 * 40. */
static unsigned line_penalty(const struct qr *qr, bool across, unsigned line)
{
    unsigned penalty = 0, run = 0, seen = 0;
    for (unsigned i = 0; i < qr->size; i++) {
        bool dark = dark_at(qr, across, line, i);
        run = i && dark == (seen & 1) ? run + 1 : 1;
        penalty += run == 5 ? 3 : run > 5;
        seen = (seen << 1 | dark) & 0x7ff;
        penalty += i >= 10 && (seen == 0x05d || seen == 0x5d0) ? 40 : 0;
    }
    return penalty;
}

static unsigned block_penalty(const struct qr *qr)
{
    unsigned penalty = 0;
    for (unsigned row = 0; row + 1 < qr->size; row++)
        for (unsigned column = 0; column + 1 < qr->size; column++) {
            const u8 *upper = &qr->module[row][column], *lower = &qr->module[row + 1][column];
            unsigned sum = (upper[0] & QR_DARK) + (upper[1] & QR_DARK) + (lower[0] & QR_DARK) + (lower[1] & QR_DARK);
            penalty += sum % 4 ? 0 : 3;
        }
    return penalty;
}

/* 10 for each 5 % by which the share of dark modules differs from one half. */
static unsigned balance_penalty(const struct qr *qr)
{
    unsigned dark = 0, all = qr->size * qr->size;
    for (unsigned row = 0; row < qr->size; row++)
        for (unsigned column = 0; column < qr->size; column++)
            dark += qr->module[row][column] & QR_DARK;
    return 10 * ((20 * dark > 10 * all ? 20 * dark - 10 * all : 10 * all - 20 * dark) / all);
}

unsigned qr_penalty(const struct qr *qr)
{
    unsigned penalty = block_penalty(qr) + balance_penalty(qr);
    for (unsigned line = 0; line < qr->size; line++)
        penalty += line_penalty(qr, true, line) + line_penalty(qr, false, line);
    return penalty;
}
