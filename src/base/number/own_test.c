#include "base/number/own.h"
#include "check.h"

/* Something that counts how often it was initialised and cleared. */
typedef struct counted {
    int value;
} counted;

static int alive, cleared_last;

static void counted_init(counted *x)
{
    x->value = ++alive;
}

static void counted_clear(counted *x)
{
    cleared_last = x->value;
    alive--;
}

static int leave_early(bool early)
{
    SC_OWN(counted, a, b, c);
    CHECK_INT(alive, 3);
    if (early)
        return a.value;
    SC_OWN(counted, d);
    CHECK_INT(alive, 4);
    return d.value;
}

/* Each is cleared once, the last one first, after what is returned was computed. */
TEST(own_clears_where_the_block_ends)
{
    CHECK_INT(leave_early(true), 1);
    CHECK_INT(alive, 0);
    CHECK_INT(cleared_last, 1);
    CHECK_INT(leave_early(false), 4);
    CHECK_INT(alive, 0);
    for (int i = 0; i < 3; i++) {
        SC_OWN(counted, a, b, c, d, e, f);
        CHECK_INT(alive, 6);
        CHECK_INT(f.value - a.value - b.value - c.value, 0);
        if (i == 1)
            continue;
        CHECK_INT(d.value + e.value, 9);
    }
    CHECK_INT(alive, 0);
}
