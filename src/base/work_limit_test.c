#include "base/number/ball.h"
#include "base/work_limit.h"
#include "check.h"

TEST(work_limit_ends_what_computes)
{
    CLAIM("work-limit.inner");
    sc_work_limit outer, inner;
    sc_work_add_each(UINT64_MAX,
                     UINT64_MAX); /* outside of any limit it does not matter */
    CHECK(!sc_work_limit_is_over());
    sc_work_limit_enter(&outer, 20);
    CHECK(!sc_work_limit_is_over());
    sc_work_limit_enter(&inner, 1000000); /* no later than the outer one */
    sc_work_add(19);
    CHECK(!sc_work_limit_is_over());
    sc_work_add(1);
    CHECK(sc_work_limit_is_over());
    sc_work_limit_leave(&inner);
    CHECK(sc_work_limit_is_over());
    sc_work_limit_leave(&outer);
    CHECK(!sc_work_limit_is_over());
    sc_work_limit_enter(&outer, 1000000);
    sc_work_limit_enter(&inner, 0);
    CHECK(sc_work_limit_is_over());
    sc_work_limit_leave(&inner);
    CHECK(!sc_work_limit_is_over());
    sc_work_add_each(UINT64_MAX / 2, 3);
    CHECK(sc_work_limit_is_over());
    sc_work_limit_leave(&outer);
}

/* Every operation on balls counts, so that a search made of them ends. */
TEST(A104_operations_on_balls_count_as_work)
{
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, x);
    uint64_t turns[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        sc_work_limit limit;
        sc_work_limit_enter(&limit, 1000000);
        for (; !sc_work_limit_is_over() && turns[i] < 1000000; turns[i]++) {
            sc_ball_set_int64(&x, 2);
            sc_ball_log(&x, &x, 128);
        }
        sc_work_limit_leave(&limit);
    }
    CHECK(turns[0] > 100 && turns[0] < 100000);
    CHECK(turns[0] == turns[1]);
}
