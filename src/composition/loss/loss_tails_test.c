#include "balls.h"
#include "composition/loss/loss_tails.h"
#include "losses.h"

#include <stdio.h>

/* The table and the law, at points of the lattice, between them and far out, to the last bits. */
TEST(loss_tails_of_the_table_are_those_of_the_law)
{
    CLAIM("loss-tails.table");
    static const struct {
        const char *kind, *shape, *rate;
        uint64_t shift;
    } cases[] = {{"gaussian", "1/5", NULL, 1},   {"gaussian", "1", NULL, 3},
                 {"gaussian", "30", NULL, 1},    {"gaussian", "1000", NULL, 7},
                 {"gaussian", "2", "1/10", 1},   {"gaussian", "90", "0.3", 2},
                 {"laplace", "1/5", NULL, 1},    {"laplace", "7/3", NULL, 40},
                 {"laplace", "900", NULL, 4096}, {"laplace", "2", "1/10", 6},
                 {"laplace", "1/90", NULL, 3}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_loss_pair pair;
        sc_loss_tails table, law;
        if (cases[i].rate != NULL)
            losses_sampled(cases[i].kind, cases[i].shape, cases[i].shift, cases[i].rate,
                           SC_DIRECTION_REMOVE, &pair);
        else
            losses_pair(cases[i].kind, cases[i].shape, cases[i].shift, &pair);
        sc_loss_tails_init(&table, &pair, 256);
        sc_loss_tails_init(&law, &pair, 256);
        sc_loss_tails_prepare(&table);
        CHECK(table.above != NULL || table.has_powers);
        CHECK(law.above == NULL && !law.has_powers);
        for (int k = -12; k <= 12; k++) {
            char text[32];
            sc_ratio e;
            sc_ball p, q, want_p, want_q;
            sc_ball *const balls[] = {&p, &q, &want_p, &want_q};
            for (size_t b = 0; b < COUNT(balls); b++)
                sc_ball_init(balls[b]);
            snprintf(text, sizeof text, "%d/%d", k * (k > 6 ? 40 : 1),
                     k % 2 == 0 ? 2 : 7);
            exact_ratio(text, &e);
            sc_loss_tails_at(&table, &e, &p, &q);
            sc_loss_tails_at(&law, &e, &want_p, &want_q);
            CHECK(ball_overlaps(&p, &want_p) && ball_overlaps(&q, &want_q));
            if (k <= 6)
                CHECK(sc_ball_is_accurate(&p, 150) && sc_ball_is_accurate(&q, 150));
            sc_ratio_clear(&e);
            for (size_t b = 0; b < COUNT(balls); b++)
                sc_ball_clear(balls[b]);
        }
        sc_loss_tails_clear(&law);
        sc_loss_tails_clear(&table);
        sc_loss_pair_clear(&pair);
    }
}

/* At a point where mass lies, "above" leaves it out and "from" takes it in; elsewhere both agree. */
TEST(loss_tails_take_a_point_in_or_leave_it_out)
{
    static const struct {
        const char *kind, *shape, *at;
        double above, from;
    } cases[] = {
        {"pure", "0.1", "0.1", 0, 0.52497918747894},
        {"pure", "0.1", "0", 0.52497918747894, 0.52497918747894},
        {"pure", "0.1", "-0.1", 0.52497918747894, 1},
        {"continuous-laplace", "2", "1/2", 0, 0.5},
        {"continuous-laplace", "2", "-1/2", 0.696734670143683, 1},
        {"continuous-laplace", "2", "0", 0.610599608464297, 0.610599608464297},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        sc_loss_pair pair;
        sc_loss_tails tails;
        sc_ratio e;
        sc_ball p, q;
        sc_ball_init(&p);
        sc_ball_init(&q);
        exact_ratio(cases[i].at, &e);
        losses_pair(cases[i].kind, cases[i].shape, 1, &pair);
        sc_loss_tails_init(&tails, &pair, 128);
        sc_loss_tails_at(&tails, &e, &p, &q);
        CHECK_NEAR(sc_ball_upper(&p), cases[i].above, 1e-8);
        sc_loss_tails_from(&tails, &e, &p, &q);
        CHECK_NEAR(sc_ball_upper(&p), cases[i].from, 1e-8);
        sc_loss_tails_clear(&tails);
        sc_loss_pair_clear(&pair);
        sc_ratio_clear(&e);
        sc_ball_clear(&q);
        sc_ball_clear(&p);
    }
}

/* The loss at y is 1/2 - y: "above 1/2" is y < 0, "from 1/2" is y <= 0. */
TEST(loss_tails_of_a_discrete_gaussian_count_its_points)
{
    sc_loss_pair pair;
    sc_loss_tails tails;
    sc_law law;
    sc_ratio half;
    sc_ball p, q, want;
    sc_ball_init(&p);
    sc_ball_init(&q);
    sc_ball_init(&want);
    exact_ratio("1/2", &half);
    exact_law(&sc_discrete_gaussian_law, "1", 0, &law);
    losses_pair("gaussian", "1", 1, &pair);
    sc_loss_tails_init(&tails, &pair, EXACT_BITS);
    sc_loss_tails_at(&tails, &half, &p, &q);
    sc_law_at_most(&law, -1, EXACT_BITS, &want);
    CHECK_SAME(&p, &want, 200);
    sc_law_at_most(&law, -2, EXACT_BITS, &want);
    CHECK_SAME(&q, &want, 200);
    sc_loss_tails_from(&tails, &half, &p, &q);
    sc_law_at_most(&law, 0, EXACT_BITS, &want);
    CHECK_SAME(&p, &want, 200);
    sc_law_at_most(&law, -1, EXACT_BITS, &want);
    CHECK_SAME(&q, &want, 200);
    CHECK_INT(sc_loss_tails_index(&tails, &half), 0);
    sc_loss_tails_clear(&tails);
    sc_loss_pair_clear(&pair);
    sc_law_clear(&law);
    sc_ratio_clear(&half);
    sc_ball_clear(&want);
    sc_ball_clear(&q);
    sc_ball_clear(&p);
}

/* At the points of a table and between them, near it and far from it. */
static void check_grid(sc_loss_tails_places places, int64_t count)
{
    sc_loss_pair pair;
    sc_loss_tails table, single;
    sc_ratio step, half, e;
    sc_ball p, q, wanted_p, wanted_q;
    sc_ball *const balls[] = {&p, &q, &wanted_p, &wanted_q};
    for (size_t i = 0; i < COUNT(balls); i++)
        sc_ball_init(balls[i]);
    exact_ratio("3/2", &e);
    exact_ratio("1/7", &step);
    exact_ratio("1/14", &half);
    sc_loss_pair_init(&pair);
    sc_loss_pair_set_continuous_gaussian(&pair, &e);
    sc_loss_tails_init(&table, &pair, 160);
    sc_loss_tails_init(&single, &pair, 400);
    sc_loss_tails_tabulate(&table, &step, -40, 50, places);
    CHECK_INT(table.count, count);
    for (int64_t k = -110; k <= 110; k++) {
        sc_ratio_set_int64(&e, k);
        sc_ratio_mul(&e, &e, &half);
        sc_loss_tails_at(&table, &e, &p, &q);
        sc_loss_tails_at(&single, &e, &wanted_p, &wanted_q);
        CHECK(sc_ball_contains(&p, &wanted_p) && sc_ball_is_accurate(&p, 140));
        CHECK(sc_ball_contains(&q, &wanted_q) && sc_ball_is_accurate(&q, 140));
    }
    sc_loss_tails_clear(&single);
    sc_loss_tails_clear(&table);
    sc_loss_pair_clear(&pair);
    sc_ratio_clear(&half);
    sc_ratio_clear(&step);
    sc_ratio_clear(&e);
    for (size_t i = 0; i < COUNT(balls); i++)
        sc_ball_clear(balls[i]);
}

TEST(loss_tails_of_a_grid_are_those_of_single_points)
{
    CLAIM("loss-tails.table");
    check_grid(SC_LOSS_TAILS_POINTS, 101);
    check_grid(SC_LOSS_TAILS_MIDDLES, 102);
    check_grid(SC_LOSS_TAILS_BOTH, 201);
}
