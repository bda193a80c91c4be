/* The eight masks that even a QR code out, and how much of what is left could mislead a reader. Pure. */
#pragma once

#include "kernel/qr/qr.h"

/* Bits of a module. */
#define QR_DARK 1
#define QR_PATTERN 2 /* part of a pattern: no mask changes it */

/* Inverts the modules that the mask, 0 to 7, has; a second time takes it off again. */
void qr_apply_mask(struct qr *qr, unsigned mask);
/* ISO/IEC 18004, "Evaluation of data masking results": the mask with the least is taken. */
unsigned qr_penalty(const struct qr *qr);
