/*
 * Put before every source of the model's library: what one file of it asks of another is in the same object, and needs
 * no table of addresses. The compiler's own calls of memset() and the like come before this and stay outside.
 */
#pragma once
#pragma GCC visibility push(hidden)
