#include "composition/loss/loss_step.h"
#include "losses.h"

#include <string.h>

/* The step of one or two parts, as text. */
static void check_step(const sc_loss_item *items, size_t count, size_t points,
                       const char *want, bool lattice)
{
    char text[SC_RATIO_TEXT_BYTES];
    sc_ratio step;
    bool is_lattice = !lattice;
    sc_ratio_init(&step);
    CHECK_STATUS(sc_loss_step(items, count, points, &step, &is_lattice, NULL), SCRIM_OK);
    sc_ratio_format(&step, text, sizeof text);
    CHECK_STR(text, want);
    CHECK(is_lattice == lattice);
    sc_ratio_clear(&step);
}

TEST(loss_step_is_the_lattice_where_there_is_one)
{
    sc_loss_pair laplace, gaussian, pure, nothing;
    losses_pair("laplace", "4", 3, &laplace); /* -3/4, -1/4, 1/4, 3/4 */
    losses_pair("gaussian", "9", 1, &gaussian);
    losses_pair("pure", "0.1", 1, &pure);
    losses_pair("pure", "0", 1, &nothing);
    const sc_loss_item items[] = {{&laplace, NULL, 10},
                                  {&pure, NULL, 7},
                                  {&gaussian, NULL, 4},
                                  {&nothing, NULL, 1}};
    check_step(items, 1, 4096, "0.25", true);
    check_step(items, 2, 4096, "0.05", true);
    check_step(&items[2], 1, 4096, "1/18", true);
    check_step(items, 3, 1 << 16, "1/180", true);
    check_step(&items[3], 1, 4096, "1", true);
    sc_loss_pair_clear(&nothing);
    sc_loss_pair_clear(&pure);
    sc_loss_pair_clear(&gaussian);
    sc_loss_pair_clear(&laplace);
}

/* A lattice that is too fine, or none: some hundred points a deviation, and the edges of what has
 * any among them. */
TEST(loss_step_is_fine_against_the_deviation)
{
    sc_loss_pair gaussian, laplace, wide;
    losses_pair("continuous-gaussian", "2", 1, &gaussian);
    losses_pair("continuous-laplace", "5/2", 1, &laplace);
    losses_pair("gaussian", "1000003/997", 1, &wide);
    const sc_loss_item items[] = {
        {&gaussian, NULL, 100}, {&laplace, NULL, 100}, {&wide, NULL, 1}};
    check_step(items, 1, 1 << 16, "0.00390625", false);   /* 1/256 */
    check_step(&items[1], 1, 1 << 20, "0.003125", false); /* 0.4/128 */
    for (size_t i = 0; i < COUNT(items); i++)
        for (size_t points = 1 << 10; points <= 1 << 16; points *= 8) {
            scrim_error error;
            sc_ratio step;
            sc_loss loss;
            bool is_lattice;
            sc_ratio_init(&step);
            sc_loss_init(&loss);
            REQUIRE_OK(sc_loss_step(&items[i], 1, points, &step, &is_lattice, &error));
            REQUIRE_OK(sc_loss_from_pair(
                items[i].pair, SC_LOSS_UPPER,
                &(sc_loss_grid){&step, SC_LOSS_BITS, LOSSES_TAIL}, NULL, &loss, &error));
            if (items[i].count > 1 && points < 5000)
                REQUIRE_OK(
                    sc_loss_power(&loss, items[i].count, LOSSES_TAIL, &loss, &error));
            CHECK(loss.count <= 3 * points);
            sc_loss_clear(&loss);
            sc_ratio_clear(&step);
        }
    sc_loss_pair_clear(&wide);
    sc_loss_pair_clear(&laplace);
    sc_loss_pair_clear(&gaussian);
}

/* A step for thousands of wide noises would be looked for for a minute: that is too much work, and said soon. */
SLOW_TEST(loss_step_ends_by_its_work)
{
    CLAIM("loss-work.ends");
    static sc_loss_item items[6000];
    sc_loss_pair wide;
    sc_ratio step;
    bool is_lattice;
    losses_sampled("gaussian", "1000003/997", 1, "0.1", SC_DIRECTION_REMOVE, &wide);
    for (size_t i = 0; i < COUNT(items); i++)
        items[i] = (sc_loss_item){&wide, NULL, 1};
    sc_ratio_init(&step);
    CHECK_STATUS(sc_loss_step(items, 25, 1 << 14, &step, &is_lattice, NULL), SCRIM_OK);
    CHECK_STATUS(sc_loss_step(items, COUNT(items), 1 << 14, &step, &is_lattice, NULL),
                 SCRIM_E_LIMIT);
    sc_ratio_clear(&step);
    sc_loss_pair_clear(&wide);
}

TEST(loss_precision_follows_delta_and_count)
{
    static const struct {
        const char *delta;
        uint64_t count;
    } cases[] = {{"1e-6", 1}, {"1e-30", 1000000}, {"0", 1}, {"1e-300", 5}, {"0.5", 1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_ratio delta;
        sc_ball size;
        long bits = 0, tail = 0;
        sc_ball_init(&size);
        exact_ratio(cases[i].delta, &delta);
        sc_loss_precision(&delta, cases[i].count, &bits, &tail);
        CHECK(bits >= SC_LOSS_BITS && bits >= tail + 32);
        /* count tails are less than 2^-30 of delta */
        if (sc_ratio_sign(&delta) == 0) {
            sc_ratio_clear(&delta);
            exact_ratio(SC_LOSS_DELTA, &delta);
        }
        sc_ball_set_ratio(&size, &delta, 64);
        sc_ball_mul_power2(&size, &size, tail - 30);
        sc_ball_add_int64(&size, &size, -(int64_t)cases[i].count, 64);
        CHECK(sc_ball_is_positive(&size));
        sc_ratio_clear(&delta);
        sc_ball_clear(&size);
    }
}
