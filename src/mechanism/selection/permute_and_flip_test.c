#include "choices.h"
#include "exact.h"
#include "mechanism/selection/permute_and_flip.h"
#include "random/bits_tape.h"
#include "transcript.h"

#define CANDIDATES_MAX 16

/* The plain implementation. */

typedef struct plain {
    sc_fraction g[CANDIDATES_MAX];
    size_t count;
} plain;

static scrim_status draw_plain(const void *sampler, sc_bits *bits, sc_int128 *out,
                               scrim_error *error)
{
    const plain *p = sampler;
    uint64_t order[CANDIDATES_MAX];
    size_t index = 0;
    scrim_status status =
        sc_permute_and_flip_reference(bits, p->g, p->count, order, &index, error);
    *out = (sc_int128)index;
    return status;
}

TEST(permute_and_flip_reference_draws_the_transcript)
{
    CLAIM("permute-and-flip.exact");
    json_t *all = vectors_load("mechanisms", "sampler_transcripts");
    json_t *one = json_object_get(all, "permute_and_flip");
    plain p = {.count = 0};
    p.count = choices_fractions(json_object_get(json_object_get(one, "params"), "gamma"),
                                p.g, CANDIDATES_MAX);
    transcript_check("permute_and_flip", draw_plain, &p);
    for (size_t i = 0; i < p.count; i++)
        sc_fraction_clear(&p.g[i]);
}

/* The law. */

static sc_ball mass[CANDIDATES_MAX];

TEST(permute_and_flip_law_is_the_printed_one)
{
    CLAIM("permute-and-flip.exact");
    json_t *rows = vectors_load("mechanisms", "selection"), *row;
    size_t r;
    for (size_t i = 0; i < CANDIDATES_MAX; i++)
        sc_ball_init(&mass[i]);
    json_array_foreach(rows, r, row)
    {
        int64_t scores[CANDIDATES_MAX];
        sc_ratio rate;
        sc_ball mean, part;
        size_t count =
            choices_scores(json_object_get(row, "gamma"), scores, CANDIDATES_MAX, &rate);
        REQUIRE_OK(sc_permute_and_flip_probabilities(&(sc_scores){.rate = rate}, scores,
                                                     count, EXACT_BITS, mass, NULL));
        sc_ball_init(&mean);
        sc_ball_init(&part);
        for (size_t i = 0; i < count; i++) {
            json_t *printed = json_array_get(json_object_get(row, "permute_and_flip"), i);
            CHECK_PRINTED(&mass[i], json_string_value(printed));
            sc_ball_set_ratio(&part, &rate, EXACT_BITS + 32);
            sc_ball_mul_int64(&part, &part, scores[i], EXACT_BITS + 32);
            sc_ball_mul(&part, &part, &mass[i], EXACT_BITS + 32);
            sc_ball_add(&mean, &mean, &part, EXACT_BITS + 32);
        }
        CHECK_PRINTED(&mean,
                      json_string_value(json_object_get(row, "expected_minus_gamma_pf")));
        sc_ball_clear(&part);
        sc_ball_clear(&mean);
        sc_ratio_clear(&rate);
    }
    CHECK(json_array_size(rows) >= 6);
    for (size_t i = 0; i < CANDIDATES_MAX; i++)
        sc_ball_clear(&mass[i]);
}

TEST(permute_and_flip_errs_between_two_as_printed)
{
    json_t *rows = vectors_load("mechanisms", "two_type_wrong_probability"), *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        choices_check_wrong(
            "permute-and-flip epsilon=1 sensitivity=1 neighbours=add-remove",
            json_integer_value(json_object_get(row, "c")),
            json_string_value(json_object_get(row, "pf_exact")));
        choices_check_wrong(
            "permute-and-flip epsilon=1 sensitivity=1 monotone=yes neighbours=add-remove",
            json_integer_value(json_object_get(row, "c")),
            json_string_value(json_object_get(row, "pf_monotone")));
    }
    CHECK_INT(json_array_size(rows), 5);
}

/* The spec's form: w_i sum_k e_k(1 - w_j : j != i) k! (N-1-k)! / N!. */
static void by_symmetric_polynomials(const sc_ratio *rate, const int64_t *scores,
                                     size_t count, size_t i, sc_ball *out)
{
    const long bits = EXACT_BITS + 64;
    const int64_t best = sc_scores_best(scores, count);
    sc_ball e[CANDIDATES_MAX + 1], w, part;
    sc_ball_init(&w);
    sc_ball_init(&part);
    for (size_t k = 0; k <= count; k++)
        sc_ball_init(&e[k]);
    sc_ball_set_int64(&e[0], 1);
    for (size_t j = 0; j < count; j++) {
        sc_ball_set_ratio(&w, rate, bits);
        sc_ball_mul_int64(&w, &w, scores[j] - best, bits);
        sc_ball_expm1(&w, &w, bits);
        sc_ball_neg(&w, &w);
        for (size_t k = j == i ? 0 : count; k > 0; k--) {
            sc_ball_mul(&part, &e[k - 1], &w, bits);
            sc_ball_add(&e[k], &e[k], &part, bits);
        }
    }
    sc_ball_set_int64(out, 0);
    for (size_t k = 0; k < count; k++) {
        sc_ball_factorial(&part, k, bits);
        sc_ball_mul(&e[k], &e[k], &part, bits);
        sc_ball_factorial(&part, count - 1 - k, bits);
        sc_ball_mul(&e[k], &e[k], &part, bits);
        sc_ball_factorial(&part, count, bits);
        sc_ball_div(&e[k], &e[k], &part, bits);
        sc_ball_add(out, out, &e[k], bits);
    }
    sc_ball_set_ratio(&w, rate, bits);
    sc_ball_mul_int64(&w, &w, scores[i] - best, bits);
    sc_ball_exp(&w, &w, bits);
    sc_ball_mul(out, out, &w, bits);
    for (size_t k = 0; k <= count; k++)
        sc_ball_clear(&e[k]);
    sc_ball_clear(&part);
    sc_ball_clear(&w);
}

TEST(permute_and_flip_law_is_that_of_the_symmetric_polynomials)
{
    CLAIM("permute-and-flip.exact");
    static const int64_t cases[][CANDIDATES_MAX] = {
        {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
        {0, -1, -2, -3, -4, -5, -6, -7, -8, -9, -10, -11},
        {5, 5, 5, -1, -1, -90, -90, 4, 3, 2, 5, -1000},
        {0, -1000, -1000, -1000, -1000, -1000, -1000, -1, -1000, -1000, -1000, -1000},
    };
    const char *const rates[] = {"1/2", "1/100", "7", "0.69314718055994530941"};
    enum { COUNT = 12 };
    sc_ball other;
    sc_ball_init(&other);
    for (size_t i = 0; i < COUNT; i++)
        sc_ball_init(&mass[i]);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (size_t r = 0; r < sizeof rates / sizeof *rates; r++) {
            sc_ratio rate;
            exact_ratio(rates[r], &rate);
            REQUIRE_OK(sc_permute_and_flip_probabilities(
                &(sc_scores){.rate = rate}, cases[c], COUNT, EXACT_BITS, mass, NULL));
            for (size_t i = 0; i < COUNT; i++) {
                by_symmetric_polynomials(&rate, cases[c], COUNT, i, &other);
                CHECK_SAME(&mass[i], &other, 200);
            }
            sc_ratio_clear(&rate);
        }
    for (size_t i = 0; i < COUNT; i++)
        sc_ball_clear(&mass[i]);
    sc_ball_clear(&other);
}

TEST(permute_and_flip_law_of_many_adds_up)
{
    CLAIM("permute-and-flip.exact");
    enum { COUNT = 600 };
    static int64_t scores[COUNT];
    sc_outcomes law;
    scrim_measurement *m =
        choices_new("permute-and-flip epsilon=1/10 sensitivity=1 neighbours=replace");
    REQUIRE(m != NULL);
    for (int i = 0; i < COUNT; i++)
        scores[i] = i * 37 % 83;
    if (choices_law(m, scores, COUNT, 128, &law))
        choices_check_total(&law, 100);
    sc_outcomes_clear(&law);
    scrim_measurement_free(m);
}

/* The fast implementation. */

#define MANY 150
static int64_t many[MANY];

static void fill_many(void)
{
    for (int i = 0; i < MANY; i++)
        many[i] = i % 7 == 0 ? -5000 - i : -(i * i % 101);
    many[17] = 0;
}

SLOW_TEST(permute_and_flip_frequencies_fit_the_law)
{
    CLAIM("permute-and-flip.exact");
    static const int64_t four[] = {10, 9, 7, 0}, ties[] = {3, 3, 1, 3, 1},
                         wide[] = {-1000000, 1000000, 0, 999999};
    const uint64_t draws = check_count(100000, 1000000);
    fill_many();
    choices_fit("permute-and-flip epsilon=1 sensitivity=1 neighbours=replace", four, 4,
                draws);
    choices_fit(
        "permute-and-flip epsilon=1 sensitivity=1 monotone=yes neighbours=add-remove",
        ties, 5, draws);
    choices_fit("permute-and-flip epsilon=0.001 sensitivity=700 neighbours=replace", wide,
                4, draws);
    choices_fit("permute-and-flip epsilon=1/10 sensitivity=1 neighbours=replace", many,
                MANY, draws);
}

TEST(permute_and_flip_takes_every_score_there_is)
{
    static sc_gap_weights weights;
    const int64_t ends[] = {INT64_MIN, INT64_MAX, INT64_MIN + 1, -1};
    sc_ratio rate;
    sc_tape *tape = NULL;
    size_t index = 9;
    exact_ratio("1/2", &rate);
    REQUIRE_OK(sc_gap_weights_init(&weights, &rate, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(sc_permute_and_flip_choose(&(sc_scores){.prepared = &weights},
                                          sc_tape_bits_of(tape), ends, 4, &index, NULL));
    CHECK_INT(index, 1);
    REQUIRE_OK(sc_permute_and_flip_choose(&(sc_scores){.prepared = &weights},
                                          sc_tape_bits_of(tape), ends, 1, &index, NULL));
    CHECK_INT(index, 0);
    sc_tape_free(tape);
    sc_gap_weights_clear(&weights);
    sc_ratio_clear(&rate);
}

/* The mechanism. */

TEST(permute_and_flip_refuses_what_is_not_private)
{
    choices_check_refusals("permute-and-flip", "");
}

TEST(permute_and_flip_fails_closed_without_bits)
{
    static const int64_t scores[] = {3, 0, -4, 3};
    choices_check_entropy("permute-and-flip epsilon=1 sensitivity=1 neighbours=replace",
                          scores, 4);
}

TEST(permute_and_flip_costs_what_a_pure_one_costs)
{
    scrim_cost cost;
    scrim_measurement *m =
        choices_new("permute-and-flip epsilon=1/2 sensitivity=3 neighbours=replace");
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_cost(m, &cost, NULL));
    CHECK_STR(cost.epsilon, "0.5");
    CHECK_STR(cost.delta, "0");
    CHECK_STR(cost.rho, "0.125");
    CHECK_INT(cost.neighbours, SCRIM_REPLACE);
    scrim_measurement_free(m);
}

TEST(permute_and_flip_accuracy_is_attained)
{
    CLAIM("permute-and-flip.accuracy");
    const char *const line =
        "permute-and-flip epsilon=1 sensitivity=1 neighbours=replace";
    for (size_t count = 1; count <= 64; count = 2 * count + 1)
        choices_check_accuracy(line, count, "0.95", true);
    choices_check_accuracy(line, 10, "0.999999", true);
    choices_check_accuracy(line, 3, "0.1", true);
    choices_check_accuracy(
        "permute-and-flip epsilon=3 sensitivity=1/5 grid=0.1 monotone=yes "
        "neighbours=add-remove",
        5, "0.99", true);
}
