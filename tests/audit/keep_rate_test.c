/* THREATS A27: 10^5 keys of one person each, scale 1, shown from 5 on. The rate at which they are
 * shown is that of >=, 1.339 %, and the interval of Clopper and Pearson shuts out 0.493 %. */
#include "audit/bounds.h"
#include "check.h"
#include "exact.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "mechanism/threshold/partition_selection.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/measurement.h"
#include "random/bits_tape.h"
#include "sampling/discrete_gaussian.h"
#include "sampling/discrete_laplace.h"

typedef struct keys {
    const sc_law_functions *law;
    const char *shape;
    int64_t threshold;
} keys;

static bool draw(const keys *k, sc_bits *bits, const sc_fraction *shape,
                 const sc_gaussian *gaussian, sc_int128 *out)
{
    if (k->law == &sc_discrete_laplace_law)
        return CHECK_STATUS(sc_discrete_laplace_reference(bits, shape, out, NULL),
                            SCRIM_OK);
    return CHECK_STATUS(sc_discrete_gaussian_reference(bits, gaussian, out, NULL),
                        SCRIM_OK);
}

static void check_rate(const keys *k)
{
    sc_tape *tape;
    sc_fraction shape;
    sc_gaussian gaussian;
    sc_law law;
    sc_ball at, above;
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    exact_fraction(k->shape, &shape);
    exact_law(k->law, k->shape, 0, &law);
    sc_gaussian_init(&gaussian, &law.shape);
    sc_ball_init(&at);
    sc_ball_init(&above);
    sc_law_at_least(&law, k->threshold - 1, EXACT_BITS, &at); /* 1 + Z >= T */
    sc_law_at_least(&law, k->threshold, EXACT_BITS, &above);  /* 1 + Z > T */
    const uint64_t count = check_count_whole(20000, 10000000);
    uint64_t shown = 0;
    for (uint64_t i = 0; i < count; i++) {
        sc_int128 noise = 0;
        if (!draw(k, sc_tape_bits_of(tape), &shape, &gaussian, &noise))
            break;
        shown += 1 + noise >= k->threshold;
    }
    const double low = sc_binomial_lower(shown, count, 0.5e-9);
    const double high = sc_binomial_upper(shown, count, 0.5e-9);
    CHECK(low <= sc_ball_lower(&at) && sc_ball_upper(&at) <= high);
    CHECK(sc_ball_upper(&above) < low);
    if (k->law == &sc_discrete_laplace_law) {
        CHECK_NEAR(sc_ball_upper(&at), 0.01339, 3e-4);
        CHECK_NEAR(sc_ball_upper(&above), 0.00493, 1e-3);
    }
    sc_ball_clear(&above);
    sc_ball_clear(&at);
    sc_law_clear(&law);
    sc_gaussian_clear(&gaussian);
    sc_fraction_clear(&shape);
    sc_tape_free(tape);
}

TEST(A27_keep_rate_is_that_of_at_least)
{
    check_rate(&(keys){&sc_discrete_laplace_law, "1", 5});
    check_rate(&(keys){&sc_discrete_gaussian_law, "4", 5});
}

/* The same for the groups of partition selection: units of one person each, which are in groups
 * that nobody else is in. How often any of a person's groups is kept is the delta that is
 * charged, whatever their number; where each group had it all, it would be groups times that. */
static void check_units(const char *line, uint64_t groups, double delta)
{
    scrim_measurement *m = NULL;
    sc_tape *tape = NULL;
    REQUIRE_OK(scrim_measurement_parse(line, &m, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const uint64_t count = check_count_whole(100000, 10000000) / groups;
    uint64_t shown = 0;
    for (uint64_t i = 0; i < count; i++) {
        bool any = false;
        for (uint64_t k = 0; k < groups; k++) {
            bool kept = false;
            CHECK_STATUS(sc_keep_table_draw(sc_tape_bits_of(tape), sc_partition_table(m),
                                            1, &kept, NULL),
                         SCRIM_OK);
            any = any || kept;
        }
        shown += any;
    }
    CHECK(sc_binomial_lower(shown, count, 0.5e-9) <= delta);
    CHECK(sc_binomial_upper(shown, count, 0.5e-9) >= delta);
    /* Shut out: a group of one kept as if it were one of two, and a delta for each group. */
    CHECK(sc_binomial_upper(shown, count, 0.5e-9) < 2 * delta);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

TEST(A27_keep_rate_of_new_groups_is_delta)
{
    CLAIM("partition-selection.privacy");
    check_units("partition-selection epsilon=1 delta=0.02 neighbours=add-remove", 1,
                0.02);
    check_units("partition-selection epsilon=1 delta=0.02 max-groups=4 "
                "neighbours=add-remove",
                4, 0.02);
}

/* And for counts with noise: how often any group of a person is shown is the mass of the header,
 * and neither that of a threshold a unit lower, of > instead of >=, nor that of one group. */
static void check_counts(const char *line)
{
    enum { GROUPS = 4 };
    const int64_t units[GROUPS] = {1, 1, 1, 1};
    scrim_measurement *m = NULL;
    sc_tape *tape = NULL;
    sc_ball mass[3];
    REQUIRE_OK(scrim_measurement_parse(line, &m, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const uint64_t groups = sc_unit_counts_groups(m);
    const uint64_t count = check_count_whole(100000, 10000000) / groups;
    uint64_t shown = 0;
    for (uint64_t i = 0; i < count; i++) {
        sc_int128 values[GROUPS];
        sc_mark marks[GROUPS];
        sc_draw draw = {.values = values, .marks = marks, .capacity = GROUPS};
        const sc_private_input input = {.values = units, .count = groups};
        bool any = false;
        CHECK_STATUS(m->mechanism->draw(m, sc_tape_bits_of(tape), &input, &draw, NULL),
                     SCRIM_OK);
        for (uint64_t k = 0; k < groups; k++)
            any = any || marks[k] == SC_MARK_ABOVE_VALUE;
        shown += any;
    }
    for (int i = 0; i < 3; i++) {
        sc_ball_init(&mass[i]);
        sc_noisy_threshold_mass(&sc_noisy_threshold_of(m)->noise,
                                sc_threshold_of(m) + i - 1, groups, EXACT_BITS, &mass[i]);
    }
    CHECK(sc_ball_upper(&mass[1]) <= 0.02);
    CHECK(sc_binomial_lower(shown, count, 0.5e-9) <= sc_ball_lower(&mass[1]));
    CHECK(sc_binomial_upper(shown, count, 0.5e-9) >= sc_ball_upper(&mass[1]));
    CHECK(sc_binomial_upper(shown, count, 0.5e-9) < sc_ball_lower(&mass[0]));
    CHECK(sc_binomial_lower(shown, count, 0.5e-9) > sc_ball_upper(&mass[2]));
    for (int i = 0; i < 3; i++)
        sc_ball_clear(&mass[i]);
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

TEST(A27_keep_rate_of_new_counts_is_the_tail)
{
    CLAIM("threshold-laplace.privacy");
    CLAIM("threshold-gaussian.privacy");
    check_counts("threshold-laplace epsilon=1 delta=0.02 neighbours=add-remove");
    check_counts("threshold-laplace epsilon=2 delta=0.02 max-groups=4 "
                 "neighbours=add-remove");
    check_counts("threshold-gaussian epsilon=1 delta=0.02 neighbours=add-remove");
    check_counts("threshold-gaussian epsilon=2 delta=0.02 max-groups=4 "
                 "neighbours=add-remove");
}
