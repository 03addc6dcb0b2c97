#include "balls.h"
#include "exact.h"
#include "mechanism/catalogue.h"
#include "mechanism/noise/additive.h"
#include "mechanism/noise/laplace.h"
#include "noise_checks.h"

#include <stdio.h>

#define FAR (INT64_C(1) << 62)

/* Domains. */

TEST(additive_domain_is_what_was_declared)
{
    static const struct {
        const char *line;
        size_t count_min, count_max;
        int64_t low, high;
        bool is_of_one;
    } list[] = {
        {"laplace epsilon=1", 1, SIZE_MAX, -FAR, FAR, true},
        {"laplace epsilon=1 size=3", 3, 3, -FAR, FAR, true},
        {"laplace epsilon=1 lower=-2 upper=5", 1, SIZE_MAX, -2, 5, true},
        {"laplace epsilon=1 grid=0.1", 1, 1, -FAR, FAR, false},
        {"laplace epsilon=1 grid=1", 1, 1, -FAR, FAR, false},
        {"laplace epsilon=1 grid=0.1 lower=0 upper=1 size=7", 7, 7, 0, 10, false}};
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_measurement *m = noise_modelled(list[i].line);
        REQUIRE(m != NULL);
        CHECK(m->domain.count_min == list[i].count_min);
        CHECK(m->domain.count_max == list[i].count_max);
        CHECK_INT(m->domain.grid.low, list[i].low);
        CHECK_INT(m->domain.grid.high, list[i].high);
        CHECK((m->domain.rounding == SC_ROUNDING_OF_ONE) == list[i].is_of_one);
        CHECK(!m->domain.is_whole);
        scrim_measurement_free(m);
    }
}

/* A18: the sensitivity in steps is never below what rounding can do. All pairs of vectors with
 * coordinates in sixteenths, whose distance is at most D. */

#define FARTHEST 64 /* sixteenths to either side */

/* The places of -FARTHEST/16 .. FARTHEST/16. */
static void round_all(const sc_domain *domain, int64_t place[2 * FARTHEST + 1])
{
    char text[16];
    for (int i = -FARTHEST; i <= FARTHEST; i++) {
        snprintf(text, sizeof text, "%d/16", i);
        place[i + FARTHEST] = sc_domain_of_text(domain, sc_text_of(text));
    }
}

TEST(additive_sensitivity_covers_every_rounding_of_two_values)
{
    static const char *const steps[] = {"1/4", "1/2", "1", "2"};
    for (size_t s = 0; s < COUNT(steps); s++)
        for (int distance = 1; distance <= 24; distance += 5) {
            char line[128];
            sc_ratio l1, l2;
            int64_t worst_l1 = 0, worst_square = 0, place[2 * FARTHEST + 1];
            snprintf(line, sizeof line,
                     "laplace sensitivity=%d/16 epsilon=1 grid=%s size=2", distance,
                     steps[s]);
            scrim_measurement *m = noise_modelled(line);
            REQUIRE(m != NULL);
            sc_ratio_init(&l1);
            sc_ratio_init(&l2);
            sc_additive_sensitivity_upper(m, SC_NORM_L1, &l1);
            sc_additive_sensitivity_upper(m, SC_NORM_L2, &l2);
            round_all(&m->domain, place);
            const int64_t *const at = place + FARTHEST;
            for (int x = 0; x < 32; x++)
                for (int y = 0; y < 32; y++)
                    for (int dx = -distance; dx <= distance; dx++)
                        for (int dy = -distance; dy <= distance; dy++) {
                            if (dx * dx + dy * dy > distance * distance)
                                continue;
                            int64_t a = at[x + dx] - at[x], b = at[y + dy] - at[y];
                            if (a * a + b * b > worst_square)
                                worst_square = a * a + b * b;
                            if (abs(dx) + abs(dy) <= distance &&
                                llabs(a) + llabs(b) > worst_l1)
                                worst_l1 = llabs(a) + llabs(b);
                        }
            CHECK(sc_ratio_compare_int64(&l1, worst_l1) >= 0);
            sc_ratio_mul(&l2, &l2, &l2);
            CHECK(sc_ratio_compare_int64(&l2, worst_square) >= 0);
            CHECK(worst_l1 > 0);
            sc_ratio_clear(&l2);
            sc_ratio_clear(&l1);
            scrim_measurement_free(m);
        }
}

TEST(additive_shift_is_the_floor)
{
    static const struct {
        const char *line;
        uint64_t shift;
        bool is_whole;
    } list[] = {
        {"gaussian sensitivity=1/2 sigma=1 size=2 whole=yes", 0, false},
        {"gaussian sensitivity=7/2 sigma=1 size=2 whole=yes", 3, false},
        {"gaussian sensitivity=7/2 sigma=1", 4, true},
        {"laplace sensitivity=1/2 epsilon=1", 1, true},
        {"laplace sensitivity=7 epsilon=1", 7, true},
        {"laplace sensitivity=2^60 scale=1 grid=2^-1", UINT64_C(1) << 61, true},
        {"laplace sensitivity=2^60 scale=1 grid=2^-2", (UINT64_C(1) << 62) - 1, false},
        {"laplace sensitivity=2^60 scale=1 grid=2^-50", (UINT64_C(1) << 62) - 1, false}};
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_measurement *m = NULL;
        REQUIRE_OK(scrim_measurement_parse_model(list[i].line, &m, NULL));
        CHECK_INT(sc_additive_of(m)->shift, list[i].shift);
        CHECK(sc_additive_is_whole(sc_additive_of(m)) == list[i].is_whole);
        scrim_measurement_free(m);
    }
}

/* Laws. */

/* All masses and the rest are 1, each mass is that of the noise, and vectors are products. */
TEST(additive_law_is_complete)
{
    static const struct {
        const char *line;
        int64_t x[2];
        size_t count;
    } list[] = {{"laplace epsilon=1", {5}, 1},
                {"laplace epsilon=3", {0, -2}, 2},
                {"laplace epsilon=1/4 lower=-3 upper=4", {1}, 1},
                {"laplace epsilon=2 lower=-3 upper=400", {-3}, 1},
                {"truncated-laplace epsilon=1 bound=9", {5}, 1},
                {"gaussian sigma=3", {-7}, 1}};
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_measurement *m = noise_modelled(list[i].line);
        sc_outcomes law;
        sc_ball total, one;
        REQUIRE(m != NULL);
        sc_ball_init(&total);
        sc_ball_init(&one);
        sc_ball_set_int64(&one, 1);
        sc_outcomes_init(&law, m->mechanism->width(m, list[i].count));
        CHECK_INT(law.width, list[i].count);
        REQUIRE_OK(m->mechanism->law(
            m, &(sc_private_input){.values = list[i].x, .count = list[i].count}, 128,
            &law, NULL));
        /* The masses fall short of 1 by at most the rest, which is at most 2^-60. */
        sc_outcomes_total(&law, 128, &total);
        CHECK(sc_ball_upper(&total) >= 1 && sc_ball_upper(&law.rest) < 0x1p-60);
        sc_ball_sub(&total, &total, &law.rest, 128);
        CHECK(sc_ball_lower(&total) <= 1 && sc_ball_upper(&total) > 1 - 0x1p-50);
        CHECK(law.count > 7);
        sc_outcomes_clear(&law);
        sc_ball_clear(&one);
        sc_ball_clear(&total);
        scrim_measurement_free(m);
    }
}

TEST(additive_law_of_two_values_is_a_product)
{
    scrim_measurement *m = noise_modelled("laplace epsilon=2");
    sc_outcomes single, pair;
    const int64_t x[2] = {3, -4};
    sc_ball a, b, both;
    REQUIRE(m != NULL);
    sc_ball_init(&a);
    sc_ball_init(&b);
    sc_ball_init(&both);
    sc_outcomes_init(&single, 1);
    sc_outcomes_init(&pair, 2);
    REQUIRE_OK(
        sc_laplace.law(m, &(sc_private_input){.values = (const int64_t[]){0}, .count = 1},
                       128, &single, NULL));
    REQUIRE_OK(sc_laplace.law(m, &(sc_private_input){.values = x, .count = 2}, 128, &pair,
                              NULL));
    for (int64_t i = -5; i <= 5; i++)
        for (int64_t j = -5; j <= 5; j++) {
            const int64_t key[2] = {x[0] + i, x[1] + j};
            outcomes_mass(&single, &i, &a);
            outcomes_mass(&single, &j, &b);
            sc_ball_mul(&a, &a, &b, 128);
            outcomes_mass(&pair, key, &both);
            CHECK_SAME(&both, &a, 100);
        }
    sc_outcomes_clear(&pair);
    sc_outcomes_clear(&single);
    sc_ball_clear(&both);
    sc_ball_clear(&b);
    sc_ball_clear(&a);
    scrim_measurement_free(m);
}

TEST(additive_law_is_limited)
{
    static int64_t many[SC_PAIR_VALUES + 1];
    scrim_measurement *m = noise_modelled("laplace epsilon=1"),
                      *wide = noise_modelled("laplace scale=1000000");
    sc_outcomes law;
    REQUIRE(m != NULL && wide != NULL);
    sc_outcomes_init(&law, 1);
    CHECK_STATUS(sc_laplace.law(wide, &(sc_private_input){.values = many, .count = 1},
                                128, &law, NULL),
                 SCRIM_E_LIMIT);
    CHECK_STATUS(sc_laplace.law(m, &(sc_private_input){.values = many, .count = 10}, 128,
                                &law, NULL),
                 SCRIM_E_LIMIT);
    CHECK_STATUS(sc_laplace.law(
                     m, &(sc_private_input){.values = many, .count = SC_PAIR_VALUES + 1},
                     128, &law, NULL),
                 SCRIM_E_LIMIT);
    sc_outcomes_clear(&law);
    scrim_measurement_free(wide);
    scrim_measurement_free(m);
}

/* Pairs lie in the domain, within the sensitivity, and one of them attains it; also where the
 * range is as wide as it can be. */
TEST(additive_pairs_are_neighbours)
{
    static const struct {
        const char *line;
        uint64_t shift;
    } list[] = {{"laplace epsilon=1", 1},
                {"laplace sensitivity=5 epsilon=1", 5},
                {"laplace sensitivity=40 epsilon=1", 40},
                {"laplace sensitivity=2^59 scale=2^60 lower=-4611686018427387904 "
                 "upper=4611686018427387904",
                 UINT64_C(1) << 59},
                {"laplace sensitivity=2^60 scale=2^50 grid=1/8", (UINT64_C(1) << 62) - 1},
                {"laplace sensitivity=9 epsilon=1 lower=0 upper=3", 3},
                {"laplace sensitivity=0.25 epsilon=1 grid=0.1", 3}};
    for (size_t i = 0; i < COUNT(list); i++) {
        scrim_measurement *m = noise_modelled(list[i].line);
        uint64_t most = 0;
        if (m == NULL)
            continue;
        size_t count = sc_laplace.pair_count(m);
        CHECK(count >= 3);
        for (size_t j = 0; j < count; j++) {
            sc_pair pair;
            sc_laplace.pair(m, j, &pair);
            CHECK(pair.x_count == 1 && pair.y_count == 1);
            CHECK(pair.x[0] >= m->domain.grid.low && pair.x[0] <= m->domain.grid.high);
            CHECK(pair.y[0] >= m->domain.grid.low && pair.y[0] <= m->domain.grid.high);
            sc_int128 apart = (sc_int128)pair.y[0] - pair.x[0];
            apart = apart < 0 ? -apart : apart;
            CHECK(apart <= (sc_int128)list[i].shift);
            most = (uint64_t)apart > most ? (uint64_t)apart : most;
        }
        CHECK_INT(most, list[i].shift);
        scrim_measurement_free(m);
    }
}

/* Read for its law, a measurement is held to all that one for data is, has the same law, and cannot be drawn. */
TEST(additive_noise_read_for_its_law_is_never_drawn)
{
    static const char line[] = "laplace sensitivity=1 epsilon=1/10 neighbours=add-remove";
    scrim_measurement *law = NULL, *data = NULL;
    int64_t input = 0;
    sc_int128 value = 0;
    sc_mark mark = SC_MARK_VALUE;
    sc_draw out = {.values = &value, .marks = &mark, .capacity = 1};
    REQUIRE_OK(sc_catalogue_parse(sc_text_of(line), SC_PURPOSE_LAW, &law, NULL));
    REQUIRE_OK(sc_catalogue_parse(sc_text_of(line), SC_PURPOSE_DATA, &data, NULL));
    CHECK_STR(law->text, data->text);
    CHECK(sc_ratio_compare(&sc_additive_noise(law)->shape,
                           &sc_additive_noise(data)->shape) == 0);
    CHECK(!law->is_for_data && data->is_for_data);
    CHECK_STATUS(law->mechanism->draw(law, NULL,
                                      &(sc_private_input){.values = &input, .count = 1},
                                      &out, NULL),
                 SCRIM_E_INTERNAL);
    scrim_measurement_free(law);
    scrim_measurement_free(data);
    law = NULL;
    CHECK_STATUS(sc_catalogue_parse(sc_text_of("laplace epsilon=1/10"), SC_PURPOSE_LAW,
                                    &law, NULL),
                 SCRIM_E_PARAM);
    CHECK_STATUS(sc_catalogue_parse(sc_text_of("laplace sensitivity=1e30 epsilon=1/10 "
                                               "neighbours=add-remove"),
                                    SC_PURPOSE_LAW, &law, NULL),
                 SCRIM_E_LIMIT);
}
