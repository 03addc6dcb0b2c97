#include "choices.h"
#include "exact.h"
#include "goodness.h"
#include "laws.h"
#include "mechanism/threshold/kept_size.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "mechanism/threshold/threshold_truncated.h"
#include "mechanism_lines.h"
#include "noise_checks.h"
#include "random/bits_tape.h"
#include "summation.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define LINE "threshold-truncated epsilon=1 delta=0.02 neighbours=add-remove"

static scrim_measurement *made(const char *epsilon, const char *delta, int64_t groups,
                               const char *neighbours)
{
    char line[200];
    snprintf(line, sizeof line,
             "threshold-truncated epsilon=%s delta=%s max-groups=%lld neighbours=%s",
             epsilon, delta, (long long)groups, neighbours);
    return choices_new(line);
}

static void keep_of(const scrim_measurement *m, int64_t n, sc_ball *out)
{
    const sc_noisy_threshold *s = sc_noisy_threshold_of(m);
    sc_law_at_least(&s->noise, (sc_int128)s->threshold - n, EXACT_BITS, out);
}

/* The bound, the delta and how often groups are kept, as printed. */
TEST(threshold_truncated_has_the_printed_numbers)
{
    CLAIM("threshold-truncated.privacy");
    CLAIM("threshold-truncated.exact");
    json_t *rows = vectors_load("thresholding", "truncated_geometric_threshold"), *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        const char *eps = json_string_value(json_object_get(row, "eps"));
        scrim_measurement *m =
            made(eps, json_string_value(json_object_get(row, "delta")), 1, "add-remove");
        REQUIRE(m != NULL);
        const sc_noisy_threshold *s = sc_noisy_threshold_of(m);
        CHECK_INT(s->noise.bound, json_integer_value(json_object_get(row, "k")));
        CHECK_INT(s->threshold, s->noise.bound + 1);
        sc_ball x;
        sc_ratio epsilon;
        exact_ratio(eps, &epsilon);
        sc_ball_init(&x);
        sc_law_pmf(&s->noise, 0, EXACT_BITS, &x);
        CHECK_PRINTED(&x, json_string_value(json_object_get(row, "norm_c")));
        sc_curve_delta_upper(&m->cost.curve, &epsilon, EXACT_BITS, &x);
        CHECK_PRINTED(&x, json_string_value(json_object_get(row, "delta_exact")));
        const char *n;
        json_t *printed;
        json_object_foreach(json_object_get(row, "keep_prob"), n, printed)
        {
            keep_of(m, strtoll(n, NULL, 10), &x);
            CHECK_PRINTED(&x, json_string_value(printed));
        }
        sc_ball_clear(&x);
        sc_ratio_clear(&epsilon);
        scrim_measurement_free(m);
    }
    CHECK_INT(r, 3);
}

/* 1 - (1 - b)^k within delta, and a bound of one less is not. */
TEST(threshold_truncated_shares_delta_among_groups)
{
    CLAIM("threshold-truncated.privacy");
    static const int64_t groups[] = {1, 2, 7};
    for (size_t i = 0; i < 6; i++) {
        const bool is_replace = i % 2;
        const size_t which = i / 2;
        const double k = (double)groups[which] * (is_replace ? 2 : 1), w = 0.5 / k;
        scrim_measurement *m =
            made("1/2", "1e-3", groups[i / 2], is_replace ? "replace" : "add-remove");
        REQUIRE(m != NULL);
        const int64_t bound = sc_threshold_of(m) - 1;
        for (int64_t b = bound - 1; b <= bound; b++) {
            const double x = exp(-w);
            const double mass = (1 - x) / (1 + x - 2 * pow(x, (double)b + 1));
            const double all = -expm1(k * log1p(-mass * pow(x, (double)b)));
            CHECK((all <= 1e-3) == (b == bound));
        }
        scrim_measurement_free(m);
    }
}

/* Sums over all answers: of one group the curve itself, of two a bound that is attained at
 * epsilon. */
TEST(threshold_truncated_curve_is_that_of_its_law)
{
    CLAIM("threshold-truncated.privacy");
    static const struct {
        const char *line;
        sc_pair pair;
        bool is_exact;
    } list[] = {
        {"threshold-truncated epsilon=1 delta=1e-2", {{40}, {41}, 1, 1}, true},
        {"threshold-truncated epsilon=1 delta=1e-2", {{0}, {1}, 1, 1}, false},
        {"threshold-truncated epsilon=1 delta=1e-2", {{5}, {6}, 1, 1}, false},
        {"threshold-truncated epsilon=2 delta=1e-2 max-groups=2",
         {{0, 0}, {1, 1}, 2, 2},
         false},
        {"threshold-truncated epsilon=2 delta=1e-2 max-groups=2",
         {{40, 0}, {41, 1}, 2, 2},
         false},
        {"threshold-truncated epsilon=2 delta=1e-2 neighbours=replace",
         {{40, 1}, {41, 0}, 2, 2},
         false},
    };
    for (size_t i = 0; i < COUNT(list); i++)
        noise_check_curve(list[i].line, &list[i].pair, list[i].is_exact);
    /* attained by new groups, and by a large one that is left for a large one */
    static const sc_pair pairs[] = {{{0, 0}, {1, 1}, 2, 2}, {{40, 40}, {41, 41}, 2, 2}};
    for (size_t i = 0; i < COUNT(pairs); i++) {
        summation sum;
        sc_ball delta, claimed;
        sc_ratio two;
        REQUIRE(summation_open(&sum, &sc_threshold_truncated,
                               "epsilon=2 delta=1e-2 max-groups=2", &pairs[i]));
        exact_ratio("2", &two);
        sc_ball_init(&delta);
        sc_ball_init(&claimed);
        summation_delta_back(&sum, &two, &delta);
        sc_curve_delta_upper(&sum.measurement->cost.curve, &two, EXACT_BITS, &claimed);
        CHECK_NEAR(sc_ball_upper(&delta), sc_ball_upper(&claimed), 1e-14);
        sc_ball_clear(&claimed);
        sc_ball_clear(&delta);
        sc_ratio_clear(&two);
        summation_close(&sum);
    }
}

/* Shown counts are within the bound, and drawn by the law. */
TEST(threshold_truncated_draws_stay_in_their_range)
{
    CLAIM("threshold-truncated.range");
    CLAIM("threshold-truncated.exact");
    enum { CELLS = 16, PORTION = 1024 };
    static int64_t input[PORTION];
    static sc_int128 values[PORTION];
    static sc_mark marks[PORTION];
    scrim_measurement *m = choices_new(LINE);
    sc_tape *tape = NULL;
    REQUIRE(m != NULL);
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    const int64_t bound = sc_threshold_of(m) - 1;
    const uint64_t draws = check_count_whole(20000, 10000000);
    REQUIRE(2 * bound + 2 <= CELLS);
    for (int64_t n = 0; n <= 2 * bound + 1; n += bound) {
        uint64_t seen[CELLS] = {0}, wrong = 0;
        double expected[CELLS] = {0};
        sc_ball mass;
        for (size_t i = 0; i < PORTION; i++)
            input[i] = n;
        for (uint64_t done = 0; done < draws; done += PORTION) {
            sc_draw room = {.values = values, .marks = marks, .capacity = PORTION};
            REQUIRE_OK(m->mechanism->draw(
                m, sc_tape_bits_of(tape),
                &(sc_private_input){.values = input, .count = PORTION}, &room, NULL));
            for (size_t i = 0; i < PORTION; i++) {
                const bool is_shown = marks[i] == SC_MARK_ABOVE_VALUE;
                const sc_int128 away = values[i] - n;
                const bool is_right =
                    !is_shown || (values[i] > bound && away >= -bound && away <= bound);
                wrong += !is_right;
                seen[is_shown && is_right ? away + bound + 1 : 0]++;
            }
        }
        CHECK_INT(wrong, 0);
        sc_ball_init(&mass);
        expected[0] = 1;
        for (int64_t z = -bound; n > 0 && z <= bound; z++) {
            sc_law_pmf(&sc_noisy_threshold_of(m)->noise, z, 128, &mass);
            if (n + z > bound) {
                expected[z + bound + 1] = goodness_middle(&mass);
                expected[0] -= goodness_middle(&mass);
            }
        }
        expected[0] = fmax(expected[0], 0);
        if (n == 0)
            CHECK_INT(seen[0] > 0, 1);
        else
            CHECK(laws_chi_square(seen, expected, CELLS) > LAWS_FALSE_ALARM);
        sc_ball_clear(&mass);
    }
    sc_tape_free(tape);
    scrim_measurement_free(m);
}

TEST(threshold_truncated_certifies_groups_and_values)
{
    CLAIM("threshold-truncated.accuracy");
    CLAIM("threshold-truncated.range");
    CLAIM("noisy-threshold.accuracy");
    CLAIM("kept-size.smallest");
    scrim_measurement *m = choices_new(LINE);
    REQUIRE(m != NULL);
    const int64_t bound = sc_threshold_of(m) - 1;
    static const char *const confidences[] = {"0.3", "0.5", "0.95", "0.999"};
    char want[24];
    snprintf(want, sizeof want, "%lld", (long long)bound);
    for (size_t i = 0; i < 4; i++) {
        scrim_certificate c;
        sc_ball keep;
        REQUIRE_OK(scrim_measurement_certify(m, confidences[i], 3, &c, NULL));
        CHECK_INT(c.form, SCRIM_CERTIFICATE_PAC);
        CHECK_STR(c.value_radius, want); /* always, whatever the confidence */
        const int64_t units = strtoll(c.radius, NULL, 10);
        sc_ball_init(&keep);
        for (int64_t n = units - 1; n <= units; n++) {
            keep_of(m, n, &keep);
            CHECK((sc_ball_upper(&keep) >= strtod(confidences[i], NULL)) == (n == units));
        }
        sc_ball_clear(&keep);
    }
    uint64_t units = 0;
    sc_ratio one;
    exact_ratio("1", &one);
    CHECK(sc_threshold_kept_size(m, &one, &units));
    CHECK_INT(units, 2 * bound + 1);
    sc_ratio_clear(&one);
    scrim_measurement_free(m);
}

TEST(threshold_truncated_refuses_what_is_none)
{
    choices_refused("threshold-truncated epsilon=1 neighbours=replace", SCRIM_E_PARAM,
                    "delta");
    choices_refused("threshold-truncated epsilon=1 delta=0 neighbours=replace",
                    SCRIM_E_PARAM, "delta");
    choices_refused("threshold-truncated epsilon=1 delta=1e-5", SCRIM_E_PARAM,
                    "neighbours");
    static const int64_t units[] = {11, 0, 12};
    choices_check_entropy(LINE, units, 3);
    mechanism_check_faults(LINE);
}
