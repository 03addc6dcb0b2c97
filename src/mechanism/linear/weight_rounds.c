#include "mechanism/linear/weight_rounds.h"

#include "base/memory.h"
#include "mechanism/selection/permute_and_flip.h"
#include "model/domain.h"

#define PASSES 10

static const sc_parameter_rule parameters[] = {
    SC_WEIGHT_PARAMETERS,
    {.name = "rounds",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "1",
     .limit_high = "64",
     .domain = "an integer from 1 to 64"},
    SC_PARAMETER_NEIGHBOURS,
};

typedef struct state {
    sc_weight_queries queries;
    sc_scores scores;
    size_t rounds;
} state;

static const state *state_of(const scrim_measurement *m)
{
    return m->state;
}

/* Making one. */

/* epsilon/(2 T) for each selection, and for each value. */
static scrim_status set_shares(const scrim_measurement *m, state *s, scrim_error *error)
{
    SC_OWN(sc_ratio, each, twice);
    sc_ratio_set_int64(&twice, 2 * (int64_t)s->rounds);
    sc_ratio_div(&each, sc_measurement_get(m, "epsilon"), &twice);
    s->scores.choice = &sc_permute_and_flip_choice;
    s->scores.steps = (uint64_t)s->queries.move;
    s->scores.rounds = 1;
    s->scores.range = UINT64_MAX >> 2;
    sc_ratio_set_int64(&twice, 2 * s->queries.move);
    sc_ratio_div(&s->scores.rate, &each, &twice);
    const scrim_status status = sc_scores_prepare_weights(m, &s->scores, error);
    return status == SCRIM_OK ? sc_weight_queries_set_noise(&s->queries, &each, error)
                              : status;
}

static scrim_status set_domain(scrim_measurement *m, scrim_error *error)
{
    SC_OWN(sc_ratio, low, high);
    sc_ratio_set_int64(&high, sc_measurement_integer(m, "max-count", (int64_t)1 << 31));
    const scrim_status status = sc_domain_set_grid(&m->domain, NULL, &low, &high, error);
    m->domain.count_min = m->domain.count_max = state_of(m)->queries.matrix.bins;
    m->domain.is_whole = true;
    return status;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    state *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    sc_ratio_init(&s->scores.rate);
    s->rounds = (size_t)sc_measurement_integer(m, "rounds", 1);
    scrim_status status = sc_weight_queries_read(m, &s->queries, error);
    if (status == SCRIM_OK)
        status = set_shares(m, s, error);
    return status == SCRIM_OK ? set_domain(m, error) : status;
}

static void discard(scrim_measurement *m)
{
    state *s = m->state;
    if (s == NULL)
        return;
    sc_scores_discard_weights(s->scores.prepared);
    sc_ratio_clear(&s->scores.rate);
    sc_weight_queries_clear(&s->queries);
    sc_free(s);
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_cost_set_pure(out, sc_measurement_get(m, "epsilon"));
    return SCRIM_OK;
}

/* Each of T selections misses with probability beta/T. */
static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    const state *s = state_of(m);
    (void)count, (void)error;
    SC_OWN(sc_ratio, each, radius);
    SC_OWN(sc_ball, miss);
    sc_ratio_set_int64(&each, (int64_t)s->rounds);
    sc_ratio_div(&each, beta, &each);
    sc_ball_set_ratio(&miss, &each, 256);
    const uint64_t gap = sc_scores_rare_gap(&s->scores, s->queries.matrix.queries, &miss);
    sc_ratio_set_int128(&radius, (sc_int128)gap - 1);
    sc_ratio_set_int64(&each, s->queries.steps);
    sc_ratio_div(&radius, &radius, &each);
    sc_certificate_pac(out, &radius, beta,
                       "the noise of what is measured, and how far the counts are from "
                       "it");
    return SCRIM_OK;
}

/* Rounds. */

static void start(const state *s, sc_fixed_weights *weights)
{
    const sc_weight_queries *w = &s->queries;
    sc_fixed_weights_start(weights, w->matrix.bins, w->total, w->steps);
}

/* After each round: by all of them so far. */
static void learn(const state *s, const sc_weight_round *rounds, size_t count,
                  sc_fixed_weights *weights)
{
    for (int pass = 0; pass < PASSES; pass++)
        for (size_t i = 0; i < count; i++)
            sc_fixed_weights_learn(weights, &s->queries.matrix, rounds[i].query,
                                   rounds[i].value);
}

static void learn_all(const state *s, const sc_weight_round *rounds, size_t count,
                      sc_fixed_weights *weights)
{
    start(s, weights);
    for (size_t known = 1; known <= count; known++)
        learn(s, rounds, known, weights);
}

static void score(const state *s, const int64_t *truth, const sc_fixed_weights *weights,
                  int64_t *out)
{
    for (size_t q = 0; q < s->queries.matrix.queries; q++) {
        const int64_t by =
            truth[q] - sc_fixed_weights_answer(weights, &s->queries.matrix, q);
        out[q] = by < 0 ? -by : by;
    }
}

static void put_counts(const sc_fixed_weights *weights, int64_t *out)
{
    for (size_t i = 0; i < weights->bins; i++)
        out[i] = sc_fixed_weights_count(weights, i);
}

void sc_weight_rounds_counts(const scrim_measurement *m, const sc_weight_round *rounds,
                             size_t count, int64_t *out)
{
    sc_fixed_weights weights;
    learn_all(state_of(m), rounds, count, &weights);
    put_counts(&weights, out);
}

static size_t answer_count(const scrim_measurement *m, size_t count)
{
    (void)count;
    return state_of(m)->queries.matrix.bins;
}

typedef struct work {
    int64_t truth[SC_LINEAR_QUERIES], scores[SC_LINEAR_QUERIES];
    sc_int128 noise[SC_WEIGHT_ROUNDS_MAX];
} work;

/* The noise first, with no data near. */
static scrim_status run(const state *s, sc_bits *bits, const sc_private_input *input,
                        work *w, sc_fixed_weights *weights, scrim_error *error)
{
    const sc_weight_queries *queries = &s->queries;
    sc_weight_round rounds[SC_WEIGHT_ROUNDS_MAX];
    scrim_status status =
        sc_blocks_fill_wide(bits, &queries->noise.blocks, s->rounds, w->noise, error);
    sc_weight_queries_answer(queries, input, w->truth);
    start(s, weights);
    for (size_t i = 0; status == SCRIM_OK && i < s->rounds; i++) {
        size_t chosen = 0;
        score(s, w->truth, weights, w->scores);
        status = sc_permute_and_flip_choose(&s->scores, bits, w->scores,
                                            queries->matrix.queries, &chosen, error);
        rounds[i] = (sc_weight_round){
            chosen, sc_weight_queries_value(queries, w->truth[chosen], w->noise[i])};
        learn(s, rounds, i + 1, weights);
    }
    return status;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    const state *s = state_of(m);
    sc_fixed_weights weights;
    int64_t counts[SC_LINEAR_BINS];
    work *w = sc_allocate(1, sizeof *w);
    if (w == NULL)
        return sc_no_memory(error, "a release");
    const scrim_status status = run(s, bits, input, w, &weights, error);
    sc_free_wiped(w, sizeof *w);
    if (status != SCRIM_OK)
        return status;
    put_counts(&weights, counts);
    for (size_t i = 0; i < weights.bins; i++) {
        out->values[i] = counts[i];
        out->marks[i] = SC_MARK_VALUE;
    }
    out->count = weights.bins;
    return SCRIM_OK;
}

/* The law: all that can be released, round by round. */

#define LAW_QUERIES 16

static size_t width(const scrim_measurement *m, size_t count)
{
    (void)count;
    return 2 * state_of(m)->rounds;
}

/* The number of outcomes; 0 if there are more than `most`. */
static size_t listed(const state *s, size_t most)
{
    const sc_int128 each =
        (sc_int128)s->queries.matrix.queries * sc_weight_queries_values(&s->queries);
    sc_int128 all = 1;
    if (s->queries.matrix.queries > LAW_QUERIES)
        return 0;
    for (size_t i = 0; i < s->rounds && all <= (sc_int128)most; i++)
        all *= each;
    return all <= (sc_int128)most ? (size_t)all : 0;
}

typedef struct listing {
    const state *state;
    int64_t truth[LAW_QUERIES];
    long bits;
    sc_outcomes *out;
    sc_weight_round rounds[SC_WEIGHT_ROUNDS_MAX];
} listing;

static scrim_status add(listing *l, const sc_ball *mass, scrim_error *error)
{
    int64_t key[2 * SC_WEIGHT_ROUNDS_MAX];
    for (size_t i = 0; i < l->state->rounds; i++) {
        key[2 * i] = (int64_t)l->rounds[i].query;
        key[2 * i + 1] = l->rounds[i].value;
    }
    return sc_outcomes_add(l->out, key, mass, error);
}

static scrim_status list(listing *l, size_t round, const sc_ball *so_far,
                         scrim_error *error);

static scrim_status list_values(listing *l, size_t round, size_t query,
                                const sc_ball *so_far, scrim_error *error)
{
    const sc_weight_queries *w = &l->state->queries;
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, mass);
    for (int64_t y = 0; status == SCRIM_OK && y < sc_weight_queries_values(w); y++) {
        sc_weight_queries_mass(w, l->truth[query], y, l->bits, &mass);
        sc_ball_mul(&mass, &mass, so_far, l->bits);
        l->rounds[round] = (sc_weight_round){query, y};
        status = list(l, round + 1, &mass, error);
    }
    return status;
}

static scrim_status list(listing *l, size_t round, const sc_ball *so_far,
                         scrim_error *error)
{
    const state *s = l->state;
    const size_t queries = s->queries.matrix.queries;
    int64_t scores[LAW_QUERIES];
    sc_fixed_weights weights;
    if (round == s->rounds)
        return add(l, so_far, error);
    learn_all(s, l->rounds, round, &weights);
    score(s, l->truth, &weights, scores);
    sc_ball *chances = sc_balls_new(queries);
    if (chances == NULL)
        return sc_no_memory(error, "a law");
    scrim_status status = sc_permute_and_flip_probabilities(&s->scores, scores, queries,
                                                            l->bits, chances, error);
    for (size_t q = 0; status == SCRIM_OK && q < queries; q++) {
        sc_ball_mul(&chances[q], &chances[q], so_far, l->bits);
        status = list_values(l, round, q, &chances[q], error);
    }
    sc_balls_free(chances, queries);
    return status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const state *s = state_of(m);
    SC_OWN(sc_ball, one);
    if (listed(s, SC_OUTCOMES_MAX) == 0)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "a distribution is listed for at most %zu answers",
                       SC_OUTCOMES_MAX);
    listing l = {.state = s, .bits = bits + 64, .out = out};
    sc_weight_queries_answer(&s->queries, input, l.truth);
    sc_ball_set_int64(&one, 1);
    const scrim_status status = list(&l, 0, &one, error);
    return status == SCRIM_OK ? sc_outcomes_sort(out, bits, error) : status;
}

static size_t pair_count(const scrim_measurement *m)
{
    const state *s = state_of(m);
    return listed(s, 4096) > 0 ? sc_weight_queries_pairs(&s->queries) : 0;
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    sc_weight_queries_pair(m, &state_of(m)->queries, index, out);
}

const sc_mechanism sc_mwem = {
    .entry = {.name = "mwem",
              .parameters =
                  "epsilon=R bins=N coefficients=R,...|workload=W total=N "
                  "rounds=N [columns=N,... ways=N max-rows=N max-count=N grid=R]",
              .input = "numbers",
              .claim = "epsilon-DP, pure",
              .does = "Learns counts of all bins in rounds: each round measures the "
                      "query that the counts answer worst, and corrects them. The "
                      "number of rows must be public.",
              .example = "bins=3 workload=prefix total=740 rounds=3 epsilon=1 "
                         "neighbours=add-remove",
              .example_input = "120\n340\n280\n",
              .reference = "Hardt, Ligett, McSherry: A Simple and Practical Algorithm "
                           "for Differentially Private Data Release, 2012"},
    SC_MECHANISM_PARAMETERS,
    .answers_numbers = true,
    .law_is_folded = true,
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .answer_count = answer_count,
    .draw = draw,
    .width = width,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
};
