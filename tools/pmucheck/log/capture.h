/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a capture did to the bytes of a log: terminal programs add sequences for screens, NULs, flow control and parity
 * bits, editors store UTF-16, archives compress. Pure.
 */
#pragma once

#include "tools/span.h"

struct capture {
    struct span text;  /* lines that end with LF, CR, or both in any order */
    bool lone_cr;      /* some CR is not just before an LF */
    bool by_lf;        /* LFs number the lines; false: there is none, and CRs do */
    char *owned;       /* memory to be freed; NULL: the text is the caller's */
    const char *other; /* the file is no text: what it is and what to do; NULL: it is text */
};

/* Unpacks and cleans the bytes of a file. */
void capture_open(struct capture *capture, const char *bytes, size_t size);
void capture_close(struct capture *capture);

/*
 * Text in which others wrapped the lines: strings of JSON, quoted-printable mail, a page of HTML. Takes the n-th of
 * these that the text may be, and returns false if there are fewer.
 */
bool capture_unwrap(struct capture *unwrapped, struct span text, unsigned n);
