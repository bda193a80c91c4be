/* SPDX-License-Identifier: BSD-2-Clause */
/* The eight masks that even out a QR code, and a penalty for what could still mislead a reader. Pure. */
#pragma once

#include "kernel/qr/qr.h"

/* Bits of a module. */
#define QR_DARK 1
#define QR_PATTERN 2 /* part of a pattern: no mask changes it */

/* Inverts the modules of the mask, 0 to 7; applying it again removes it. */
void qr_apply_mask(struct qr *qr, unsigned mask);
/* ISO/IEC 18004, "Evaluation of data masking results": the mask with the least penalty is used. */
unsigned qr_penalty(const struct qr *qr);
