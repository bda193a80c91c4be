#include "harness/need.h"

void need_capabilities(struct test *t)
{
    const char *unknown = caps_no_capabilities(t->caps);
    if (unknown)
        skip(t, "%s", unknown);
}
