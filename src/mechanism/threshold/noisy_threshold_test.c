#include "choices.h"
#include "mechanism/threshold/noisy_threshold.h"

#define LINE "threshold-laplace epsilon=2 delta=0.05 max-groups=2 neighbours=add-remove"

/* The law of three groups is the product of the laws of each, and nobody's is never shown. */
TEST(noisy_threshold_groups_are_independent)
{
    CLAIM("noisy-threshold.exact");
    scrim_measurement *m = choices_new(LINE);
    REQUIRE(m != NULL);
    const int64_t t = sc_threshold_of(m), units[] = {t - 1, 0, t + 1};
    const int64_t values[] = {SC_THRESHOLD_UNSEEN, t, t + 1, t + 4};
    sc_outcomes all, first, last;
    REQUIRE(choices_law(m, units, 3, 64, &all));
    REQUIRE(choices_law(m, &units[0], 1, 64, &first));
    REQUIRE(choices_law(m, &units[2], 1, 64, &last));
    choices_check_total(&all, 60);
    CHECK_INT(all.count, (sc_int128)first.count * last.count);
    for (size_t i = 0; i < COUNT(values); i++)
        for (size_t k = 0; k < COUNT(values); k++) {
            const int64_t key[] = {values[i], SC_THRESHOLD_UNSEEN, values[k]};
            CHECK_NEAR(choices_mass(&all, key),
                       choices_mass(&first, &values[i]) * choices_mass(&last, &values[k]),
                       1e-12);
        }
    sc_outcomes_clear(&last);
    sc_outcomes_clear(&first);
    sc_outcomes_clear(&all);
    scrim_measurement_free(m);
}

/* A law that is too long to list is refused before it is begun. */
TEST(noisy_threshold_lists_no_endless_law)
{
    scrim_measurement *m = choices_new(LINE);
    REQUIRE(m != NULL);
    static const int64_t units[SC_PAIR_VALUES + 1] = {40, 40, 40, 40, 40, 40};
    static const int64_t far[] = {INT64_MAX};
    static const struct {
        const int64_t *values;
        size_t count;
    } cases[] = {{units, 6}, {units, SC_PAIR_VALUES + 1}, {far, 1}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const sc_private_input input = {.values = cases[i].values,
                                        .count = cases[i].count};
        sc_outcomes law;
        sc_outcomes_init(&law, cases[i].count);
        CHECK_STATUS(m->mechanism->law(m, &input, 128, &law, NULL), SCRIM_E_LIMIT);
        CHECK_INT(law.count, 0);
        sc_outcomes_clear(&law);
    }
    scrim_measurement_free(m);
}

/* Neighbours differ by one unit in each of the groups that it may be in, and in no more. */
static void check_pairs(const char *line, bool is_replace, size_t counts)
{
    scrim_measurement *m = choices_new(line);
    REQUIRE(m != NULL);
    const size_t pairs = m->mechanism->pair_count(m);
    size_t most = 0, fresh = 0;
    for (size_t i = 0; i < pairs; i++) {
        sc_pair pair;
        int64_t up = 0, down = 0;
        m->mechanism->pair(m, i, &pair);
        CHECK_INT(pair.x_count, pair.y_count);
        most = pair.x_count > most ? pair.x_count : most;
        for (size_t k = 0; k < pair.x_count; k++) {
            const int64_t change = pair.y[k] - pair.x[k];
            CHECK((change == 1 || change == -1) && pair.x[k] >= 0 && pair.y[k] >= 0);
            up += change > 0;
            down += change < 0;
            fresh += pair.x[k] == 0 && pair.x_count == counts;
        }
        CHECK(is_replace ? up <= 1 && down <= 1 : down == 0);
    }
    CHECK_INT(most, counts);
    CHECK(fresh > 0);
    scrim_measurement_free(m);
}

TEST(noisy_threshold_pairs_are_neighbours)
{
    check_pairs(LINE, false, 2);
    check_pairs("threshold-laplace epsilon=2 delta=0.05 neighbours=add-remove", false, 1);
    check_pairs("threshold-laplace epsilon=2 delta=0.05 neighbours=replace", true, 2);
    check_pairs("threshold-laplace epsilon=1/9 delta=0.05 neighbours=replace", true, 1);
}

static bool is_from(const void *context, int64_t threshold)
{
    return threshold >= *(const int64_t *)context;
}

TEST(noisy_threshold_search_finds_the_first)
{
    static const int64_t firsts[] = {
        1, 2, 3, 7, 8, 9, 1000, SC_THRESHOLD_MAX - 1, SC_THRESHOLD_MAX};
    for (size_t i = 0; i < COUNT(firsts); i++)
        for (size_t k = 0; k <= i; k++)
            CHECK_INT(sc_noisy_threshold_search(is_from, &firsts[i], firsts[k]),
                      firsts[i]);
    CHECK_INT(sc_noisy_threshold_search(is_from, &firsts[2], 50), 50);
}
