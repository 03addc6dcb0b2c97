#include "check.h"
#include "composition/loss/loss_work.h"

TEST(loss_work_is_spent_once)
{
    CLAIM("loss-work.ends");
    sc_loss_work work = {100};
    CHECK(sc_loss_work_spend(&work, 40));
    CHECK(sc_loss_work_spend_each(&work, 3, 20));
    CHECK_INT(work.left, 0);
    CHECK(sc_loss_work_spend(&work, 0));
    CHECK(!sc_loss_work_spend(&work, 1));
}

/* What is too much leaves nothing, so that smaller questions are not asked for ever. */
TEST(loss_work_that_is_too_much_is_the_last)
{
    CLAIM("loss-work.ends");
    sc_loss_work work = {100};
    CHECK(!sc_loss_work_spend(&work, 101));
    CHECK_INT(work.left, 0);
    work.left = 100;
    CHECK(!sc_loss_work_spend_each(&work, UINT64_MAX / 2, 4));
    CHECK_INT(work.left, 0);
    CHECK(sc_loss_work_spend(NULL, UINT64_MAX));
}

TEST(loss_work_grows_with_bits)
{
    CHECK_INT(sc_loss_work_at(100, 0), 100);
    CHECK_INT(sc_loss_work_at(100, 256), 100 + 100 + 50);
    CHECK(sc_loss_work_at(100, 2048) > 3 * sc_loss_work_at(100, 1024));
}
