#include "choices.h"
#include "exact.h"
#include "mechanism/selection/exponential.h"
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
    size_t index = 0;
    scrim_status status = sc_exponential_reference(bits, p->g, p->count, &index, error);
    *out = (sc_int128)index;
    return status;
}

TEST(exponential_reference_draws_the_transcript)
{
    CLAIM("exponential.exact");
    json_t *all = vectors_load("mechanisms", "sampler_transcripts");
    json_t *one = json_object_get(all, "exp_mech_reject");
    plain p = {.count = 0};
    p.count = choices_fractions(json_object_get(json_object_get(one, "params"), "gamma"),
                                p.g, CANDIDATES_MAX);
    transcript_check("exp_mech_reject", draw_plain, &p);
    for (size_t i = 0; i < p.count; i++)
        sc_fraction_clear(&p.g[i]);
}

/* The law. */

static sc_ball mass[CANDIDATES_MAX];

TEST(exponential_law_is_the_printed_one)
{
    CLAIM("exponential.exact");
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
        REQUIRE_OK(sc_exponential_probabilities(&(sc_scores){.rate = rate}, scores, count,
                                                EXACT_BITS, mass, NULL));
        sc_ball_init(&mean);
        sc_ball_init(&part);
        for (size_t i = 0; i < count; i++) {
            json_t *printed = json_array_get(json_object_get(row, "exponential"), i);
            CHECK_PRINTED(&mass[i], json_string_value(printed));
            sc_ball_set_ratio(&part, &rate, EXACT_BITS + 32);
            sc_ball_mul_int64(&part, &part, scores[i], EXACT_BITS + 32);
            sc_ball_mul(&part, &part, &mass[i], EXACT_BITS + 32);
            sc_ball_add(&mean, &mean, &part, EXACT_BITS + 32);
        }
        CHECK_PRINTED(&mean, json_string_value(json_object_get(
                                 row, "expected_minus_gamma_exponential")));
        sc_ball_clear(&part);
        sc_ball_clear(&mean);
        sc_ratio_clear(&rate);
    }
    CHECK(json_array_size(rows) >= 6);
    for (size_t i = 0; i < CANDIDATES_MAX; i++)
        sc_ball_clear(&mass[i]);
}

TEST(exponential_errs_between_two_as_printed)
{
    json_t *rows = vectors_load("mechanisms", "two_type_wrong_probability"), *row;
    size_t r;
    json_array_foreach(rows, r, row)
    {
        choices_check_wrong("exponential epsilon=1 sensitivity=1 neighbours=add-remove",
                            json_integer_value(json_object_get(row, "c")),
                            json_string_value(json_object_get(row, "exponential_exact")));
        choices_check_wrong(
            "exponential epsilon=1 sensitivity=1 monotone=yes neighbours=add-remove",
            json_integer_value(json_object_get(row, "c")),
            json_string_value(json_object_get(row, "exponential_monotone")));
    }
    CHECK_INT(json_array_size(rows), 5);
}

/* The fast implementation. */

/* Scores of all kinds of spread, more of them than there are parts to add up in. */
#define MANY 150
static int64_t many[MANY];

static void fill_many(void)
{
    for (int i = 0; i < MANY; i++)
        many[i] = i % 7 == 0 ? -5000 - i : -(i * i % 101);
    many[17] = 0;
}

/* The candidate that is drawn from these words. */
static size_t chosen(sc_gap_weights *weights, const uint64_t *words, size_t count,
                     uint64_t *used)
{
    size_t index = SIZE_MAX;
    sc_tape *tape = NULL;
    if (CHECK_STATUS(sc_tape_words(words, count, &tape, NULL), SCRIM_OK)) {
        CHECK_STATUS(sc_exponential_choose(&(sc_scores){.prepared = weights},
                                           sc_tape_bits_of(tape), many, MANY, &index,
                                           NULL),
                     SCRIM_OK);
        *used = sc_tape_words_used(tape);
    }
    sc_tape_free(tape);
    return index;
}

/* Every border between two candidates lies where their weights say, and far ones are kept as
 * rarely as they should be. */
TEST(exponential_draws_by_its_weights)
{
    CLAIM("exponential.exact");
    static sc_gap_weights weights;
    sc_ratio rate;
    sc_uint128 end = 0, total = 0;
    uint64_t used = 0;
    fill_many();
    exact_ratio("1/20", &rate);
    REQUIRE_OK(sc_gap_weights_init(&weights, &rate, NULL));
    for (size_t i = 0; i < MANY; i++)
        total += sc_gap_ceiling(&weights, (uint64_t)-many[i]);
    for (size_t i = 0; i < MANY; i++) {
        const uint64_t weight = sc_gap_ceiling(&weights, (uint64_t)-many[i]);
        uint64_t first[3] = {0},
                 last[3] = {0}; /* the third word keeps what can be kept */
        choices_words(end, total, first);
        choices_words(end + weight - 1, total, last);
        end += weight;
        if (weight < SC_GAP_SLACK)
            continue; /* hopeless, and refused below */
        CHECK_INT(chosen(&weights, first, 3, &used), i);
        CHECK_INT(used, 3);
        CHECK_INT(chosen(&weights, last, 3, &used), i);
    }
    CHECK(end == total);
    /* Candidate 0 weighs exp(-250): refused by a word that is not 0, and all begins anew. */
    uint64_t again[6] = {0};
    choices_words(0, total, again);
    again[2] = 1;
    choices_words(total - 1, total, again + 3);
    CHECK_INT(chosen(&weights, again, 6, &used), MANY - 1);
    CHECK_INT(used, 6);
    sc_gap_weights_clear(&weights);
    sc_ratio_clear(&rate);
}

TEST(exponential_frequencies_fit_the_law)
{
    CLAIM("exponential.exact");
    static const int64_t four[] = {10, 9, 7, 0}, ties[] = {3, 3, 1, 3, 1},
                         wide[] = {-1000000, 1000000, 0, 999999};
    const uint64_t draws = check_count(100000, 1000000);
    fill_many();
    choices_fit("exponential epsilon=1 sensitivity=1 neighbours=replace", four, 4, draws);
    choices_fit("exponential epsilon=1 sensitivity=1 monotone=yes neighbours=add-remove",
                ties, 5, draws);
    choices_fit("exponential epsilon=0.001 sensitivity=700 neighbours=replace", wide, 4,
                draws);
    choices_fit("exponential epsilon=1/10 sensitivity=1 neighbours=replace", many, MANY,
                draws);
}

TEST(exponential_takes_every_score_there_is)
{
    static sc_gap_weights weights;
    const int64_t ends[] = {INT64_MIN, INT64_MAX, INT64_MIN + 1, -1};
    sc_ratio rate;
    sc_tape *tape = NULL;
    size_t index = 9;
    exact_ratio("1/2", &rate);
    REQUIRE_OK(sc_gap_weights_init(&weights, &rate, NULL));
    REQUIRE_OK(sc_tape_seeded(check_seed(), &tape, NULL));
    REQUIRE_OK(sc_exponential_choose(&(sc_scores){.prepared = &weights},
                                     sc_tape_bits_of(tape), ends, 4, &index, NULL));
    CHECK_INT(index, 1);
    REQUIRE_OK(sc_exponential_choose(&(sc_scores){.prepared = &weights},
                                     sc_tape_bits_of(tape), ends, 1, &index, NULL));
    CHECK_INT(index, 0);
    sc_tape_free(tape);
    sc_gap_weights_clear(&weights);
    sc_ratio_clear(&rate);
}

/* The mechanism. */

TEST(exponential_refuses_what_is_not_private)
{
    choices_check_refusals("exponential", "");
}

TEST(exponential_fails_closed_without_bits)
{
    static const int64_t scores[] = {3, 0, -4, 3};
    choices_check_entropy("exponential epsilon=1 sensitivity=1 neighbours=replace",
                          scores, 4);
}

TEST(exponential_costs_what_bounded_range_costs)
{
    scrim_cost cost;
    scrim_measurement *m =
        choices_new("exponential epsilon=1/2 sensitivity=3 neighbours=replace");
    REQUIRE(m != NULL);
    REQUIRE_OK(scrim_measurement_cost(m, &cost, NULL));
    CHECK_STR(cost.epsilon, "0.5");
    CHECK_STR(cost.delta, "0");
    CHECK_STR(cost.rho, "0.03125");
    CHECK_INT(cost.neighbours, SCRIM_REPLACE);
    scrim_measurement_free(m);
}

TEST(exponential_accuracy_is_attained)
{
    CLAIM("exponential.accuracy");
    const char *const line = "exponential epsilon=1 sensitivity=1 neighbours=replace";
    for (size_t count = 1; count <= 64; count = 2 * count + 1)
        choices_check_accuracy(line, count, "0.95", true);
    choices_check_accuracy(line, 10, "0.999999", true);
    choices_check_accuracy(line, 3, "0.1", true);
    choices_check_accuracy("exponential epsilon=3 sensitivity=1/5 grid=0.1 monotone=yes "
                           "neighbours=add-remove",
                           5, "0.99", true);
}
