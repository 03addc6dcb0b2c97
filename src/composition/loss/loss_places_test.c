#include "composition/loss/loss_places.h"
#include "composition/loss/loss_tails.h"
#include "losses.h"

/* The mass of P above, and at or below, a multiple of the step. */
static double mass_beyond(const sc_loss_pair *pair, const sc_ratio *step, int64_t place,
                          bool is_high)
{
    sc_loss_tails tails;
    sc_ratio e;
    sc_ball p, q;
    sc_ratio_init(&e);
    sc_ball_init(&p);
    sc_ball_init(&q);
    sc_loss_tails_init(&tails, pair, 320);
    sc_ratio_set_int64(&e, place);
    sc_ratio_mul(&e, &e, step);
    sc_loss_tails_at(&tails, &e, &p, &q);
    if (!is_high) {
        sc_ball_neg(&p, &p);
        sc_ball_add_int64(&p, &p, 1, 320);
    }
    const double mass = sc_ball_upper(&p);
    sc_loss_tails_clear(&tails);
    sc_ball_clear(&q);
    sc_ball_clear(&p);
    sc_ratio_clear(&e);
    return mass;
}

/* The first and the last place are where the tails allow it, and no further out. */
SLOW_TEST(loss_places_end_where_the_tails_do)
{
    static const struct {
        const char *kind, *shape, *rate, *step;
    } cases[] = {{"continuous-gaussian", "2", NULL, "1/10"},
                 {"continuous-gaussian", "1", "0.01", "1/500"},
                 {"gaussian", "1/50", NULL, "3"},
                 {"laplace", "4", "1/7", "0.003"}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        scrim_error error;
        sc_loss_pair pair;
        sc_ratio step;
        sc_loss_places places;
        uint64_t span = 0;
        if (cases[i].rate != NULL)
            losses_sampled(cases[i].kind, cases[i].shape, 1, cases[i].rate,
                           SC_DIRECTION_REMOVE, &pair);
        else
            losses_pair(cases[i].kind, cases[i].shape, 1, &pair);
        exact_ratio(cases[i].step, &step);
        sc_loss_places_init(&places);
        REQUIRE_OK(sc_loss_places_find(&pair, &step, 140, false, NULL, &places, &error));
        const int64_t low = places.at[0], high = places.at[places.count - 1];
        CHECK(sc_loss_places_span(&pair, &step, 140, NULL, &span) &&
              (int64_t)span == high - low);
        sc_loss_work work = {SC_LOSS_WORK};
        CHECK(sc_loss_places_span(&pair, &step, 140, &work, &span));
        work.left = SC_LOSS_WORK - work.left - 1;
        CHECK(!sc_loss_places_span(&pair, &step, 140, &work, &span) && work.left == 0);
        CHECK(mass_beyond(&pair, &step, high, true) <= 0x1p-140);
        CHECK(mass_beyond(&pair, &step, high - 1, true) > 0x1p-140);
        CHECK(mass_beyond(&pair, &step, low, false) <= 0x1p-64);
        CHECK(mass_beyond(&pair, &step, low + 1, false) > 0x1p-64);
        for (size_t j = 1; j < places.count; j++)
            CHECK(places.at[j] > places.at[j - 1]);
        sc_loss_places_clear(&places);
        sc_ratio_clear(&step);
        sc_loss_pair_clear(&pair);
    }
}

/* Sampled noise that goes far with little mass needs few places, and loses next to nothing. */
TEST(loss_places_are_few_where_there_is_little)
{
    scrim_error error;
    sc_loss_pair pair;
    sc_ratio step;
    sc_loss_places all, few;
    exact_ratio("1/4000", &step);
    sc_loss_places_init(&all);
    sc_loss_places_init(&few);
    losses_sampled("gaussian", "1", 1, "0.01", SC_DIRECTION_REMOVE, &pair);
    REQUIRE_OK(sc_loss_places_find(&pair, &step, 140, true, NULL, &all, &error));
    REQUIRE_OK(sc_loss_places_find(&pair, &step, 140, false, NULL, &few, &error));
    CHECK(all.count > 30000 && few.count < 2000);
    CHECK(all.at[0] == few.at[0] && all.at[all.count - 1] == few.at[few.count - 1]);
    sc_loss_places_clear(&few);
    sc_loss_places_clear(&all);
    sc_loss_pair_clear(&pair);
    sc_ratio_clear(&step);
}
