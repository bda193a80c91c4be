#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The changes that reference/proof/mutate.awk finds in small sources are those listed below, and each changes one line.
# Would catch changes of comments and strings, and kinds of change that are no longer found.
set -u
cd "$(dirname "$0")/../../.." || exit 1
mutate=reference/proof/mutate.awk
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
cd "$work" || exit 1

cat >small.c <<'SOURCE'
#include <stdint.h>
#define LIMIT (3 << 4) /* 5 < 6 */
/* a && b
   c == d */
static const char text[2] = "1 + 1";
static bool small(struct s *p, int *out)
{
    uint8_t n = 0x1f; // n > 0
    for (int i = 0; i < n; i++)
        out[i] = (int)~p->x & LIMIT;
    if (p->x && !n)
        call(p, -n);
    return n > '9';
}
SOURCE
sed 's/^/small.c:/' >expected <<'EXPECTED'
2 3 becomes 3 + 1
2 << becomes >>
2 4 becomes 4 + 1
8 0x1f becomes 0x1f + 1
9 0 becomes 0 + 1
9 < becomes <=
9 < becomes >=
9 ++ becomes --
10 without out[i] = (int)~p->x & LIMIT;
10 ~ is gone
10 & becomes |
11 the opposite of if (p->x && !n)
11 && becomes ||
11 ! is gone
12 without call(p, -n);
13 the opposite of return n > '9';
13 > becomes >=
13 > becomes <=
EXPECTED
cat >test.c <<'SOURCE'
#define MOST 8
#define BOUND 100
static void few(struct test *t)
{
    u64 list[MOST];
    for_each_counter (t, c)
        check_range(t, "label", read(c, list), 0, BOUND, c->msr);
    measure(t, "name", "unit", 1 + 2);
}
TEST("few.test", .needs = {.version = 2}, .run = few);
SOURCE
cat >expected-of-test <<'EXPECTED'
2 100 becomes a half
2 100 becomes a million times that
6 only the first turn of for_each_counter (t, c)
6 not the first turn of for_each_counter (t, c)
6 without for_each_counter (t, c) check_range(t, "label", read(c, list), 0, BOUND, c->msr);
7 without check_range(t, "label", read(c, list), 0, BOUND, c->msr);
7 0 becomes 0 + 1
EXPECTED
bad=0
awk -v of=tests -f "$OLDPWD/$mutate" test.c | sed 's/^test.c://; s/ [0-9.]* / /' | diff expected-of-test - || bad=1
awk -f "$OLDPWD/$mutate" small.c >listed
sed 's/ [0-9.]* / /' listed | diff expected - || bad=1
while read -r place change what; do
    awk -v change="$change" -f "$OLDPWD/$mutate" small.c | diff small.c - >difference
    grep -qx "${place#*:}c${place#*:}" difference || {
        echo "$place: $what: is no change of that line alone"
        bad=1
    }
done <listed
exit $bad
