#include "base/number/ball.h"
#include "check.h"
#include "local/device/fixed_log.h"
#include "local_device.h"

static void set_whole(sc_ball *out, uint64_t n)
{
    sc_ball_set_int64(out, (int64_t)(n >> 32));
    sc_ball_mul_power2(out, out, 32);
    sc_ball_add_int64(out, out, (int64_t)(n & UINT32_MAX), 200);
}

/* ln(over/under) 2^32 as a ball, and integers beside it. */
static void check_logarithm(uint64_t over, uint64_t under)
{
    sc_ball truth, part, limit;
    sc_ball_init(&truth);
    sc_ball_init(&part);
    sc_ball_init(&limit);
    set_whole(&truth, over);
    set_whole(&part, under);
    sc_ball_div(&truth, &truth, &part, 200);
    sc_ball_log(&truth, &truth, 200);
    sc_ball_mul_power2(&truth, &truth, 32);
    const uint64_t upper = sl_log_upper(over, under), lower = sl_log_lower(over, under);
    set_whole(&limit, upper);
    CHECK(!sc_ball_is_less(&limit, &truth));
    set_whole(&limit, lower);
    CHECK(!sc_ball_is_less(&truth, &limit));
    CHECK(upper >= lower && upper - lower <= 2);
    sc_ball_clear(&limit);
    sc_ball_clear(&part);
    sc_ball_clear(&truth);
}

TEST(device_logarithms_bound_the_truth)
{
    uint64_t seed = 3, words[2];
    const scrim_local_source source = device_seeded(&seed);
    static const uint64_t pairs[][2] = {{1, 1},
                                        {2, 1},
                                        {3, 2},
                                        {UINT64_MAX, 1},
                                        {UINT32_MAX, 1},
                                        {20, 1},
                                        {UINT64_MAX, UINT64_MAX - 1},
                                        {8, 4}};
    for (size_t i = 0; i < COUNT(pairs); i++)
        check_logarithm(pairs[i][0], pairs[i][1]);
    CHECK_INT(sl_log_upper(7, 7), 0);
    CHECK_INT(sl_log_upper(2, 1), 2977044472); /* 2^32 ln 2 = 2977044471.82 */
    CHECK_INT(sl_log_lower(2, 1), 2977044471);
    for (size_t i = 0; i < 500; i++) {
        CHECK_INT(source.fill(source.context, words, sizeof words), 0);
        const uint64_t a = (words[0] >> (i % 60)) + 1, b = (words[1] >> (i * 7 % 60)) + 1;
        check_logarithm(a > b ? a : b, a > b ? b : a);
    }
}
