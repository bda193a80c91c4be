/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Included before every source of the model's library and of the image: everything that one source uses of another is
 * linked into the same object, so that calls need no table of addresses. The compiler's own calls of memset() and the
 * like are not affected.
 */
#pragma once
#pragma GCC visibility push(hidden)
