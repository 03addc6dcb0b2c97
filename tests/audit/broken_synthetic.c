/* Selections and measurements of synthesisers that give away more than they say: spec/synthetic.md 1 and 9. */
#include "audit/broken.h"
#include "mechanism/linear/marginals.h"
#include "mechanism/linear/smalldb.h"
#include "mechanism/linear/weight_rounds.h"
#include "model/domain.h"

static const sc_parameter_rule parameters[] = {
    BROKEN_PARAMETER("epsilon"), BROKEN_PARAMETER("cells"), SC_PARAMETER_NEIGHBOURS};

/* The exponential mechanism between two scores, at rate epsilon/(2 D), D = top/bottom. */
static scrim_status choose(const scrim_measurement *m, const int64_t score[2],
                           int64_t top, int64_t bottom, long bits, sc_outcomes *out,
                           scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, g, p);
    for (int64_t key = 0; status == SCRIM_OK && key < 2; key++) {
        sc_ball_set_ratio(&g, sc_measurement_get(m, "epsilon"), bits);
        sc_ball_mul_int64(&g, &g, (score[1 - key] - score[key]) * bottom, bits);
        sc_ball_div_int64(&g, &g, 2 * top, bits);
        sc_ball_exp(&g, &g, bits);
        sc_ball_add_int64(&g, &g, 1, bits);
        sc_ball_set_int64(&p, 1);
        sc_ball_div(&p, &p, &g, bits);
        status = sc_outcomes_add(out, &key, &p, error);
    }
    return status;
}

#define SYNTHETIC(title, its_law, its_pair)                                              \
    {                                                                                    \
        BROKEN_COMMON(title, parameters), .cost = broken_cost_pure, .law = (its_law),    \
                                          .pair_count = broken_one_pair,                 \
                                          .pair = (its_pair)                             \
    }

/* The uniform model of a marginal scaled by the true number of rows, which are all in one cell; beside it a
 * score that falls by 1. */
static scrim_status true_n_law(const scrim_measurement *m, const sc_private_input *input,
                               long bits, sc_outcomes *out, scrim_error *error)
{
    const int64_t cells = sc_measurement_integer(m, "cells", 8), n = input->values[0];
    const int64_t each = (2 * n + cells) / (2 * cells);
    const int64_t score[] = {(n > each ? n - each : each - n) + (cells - 1) * each,
                             input->values[1]};
    return choose(m, score, 1, 1, bits, out, error);
}

static void half_a_row_each(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const int64_t half = sc_measurement_integer(m, "cells", 8) / 2;
    (void)index;
    *out = (sc_pair){
        .x = {half - 1, half - 1}, .y = {half, half - 2}, .x_count = 2, .y_count = 2};
}

static const sc_mechanism true_n =
    SYNTHETIC("model-of-true-rows", true_n_law, half_a_row_each);

BROKEN(model_of_true_rows, .wrong = "a model scaled by the true number of rows",
       .mechanism = &true_n, .line = "epsilon=1 cells=8", .kind = BROKEN_LOSS,
       .size = "3.32500274736", .claimed = "1",
       .source = "spec/synthetic.md 1, v:true_n_rounded")
BROKEN(model_of_true_rows_630, .wrong = "a model scaled by the true number of rows",
       .mechanism = &true_n, .line = "epsilon=1 cells=630", .kind = BROKEN_LOSS,
       .size = "314.306852819", .claimed = "1",
       .source = "spec/synthetic.md 1, v:true_n_rounded")

/* Distances under replace, with the sensitivity of add-remove: one moves by 2, the other by -2. */
static scrim_status distance_law(const scrim_measurement *m,
                                 const sc_private_input *input, long bits,
                                 sc_outcomes *out, scrim_error *error)
{
    return choose(m, input->values, 1, 1, bits, out, error);
}

static void by_two(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)m;
    (void)index;
    *out = (sc_pair){.y = {2, -2}, .x_count = 2, .y_count = 2};
}

static const sc_mechanism distance = SYNTHETIC("distance-of-one", distance_law, by_two);

BROKEN(distance_of_one, .wrong = "D = 1 for a distance when a row is replaced",
       .mechanism = &distance, .line = "epsilon=1", .kind = BROKEN_LOSS,
       .size = "1.43378083048", .claimed = "1",
       .source = "spec/synthetic.md 1.2, v:replace_with_D_1")

/* The distance of a count from a model of 3/2, rounded half to even: 1.5 and 0.5 become 2 and 0. Beside it a
 * count that rises by 1. */
static scrim_status even_law(const scrim_measurement *m, const sc_private_input *input,
                             long bits, sc_outcomes *out, scrim_error *error)
{
    const int64_t halves = 3 - 2 * input->values[0], whole = halves / 2;
    const int64_t score[] = {whole + (whole % 2 != 0), input->values[1]};
    return choose(m, score, 1, 1, bits, out, error);
}

static void one_more(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)m;
    (void)index;
    *out = (sc_pair){.x = {0, 2}, .y = {1, 3}, .x_count = 2, .y_count = 2};
}

static const sc_mechanism even = SYNTHETIC("score-half-to-even", even_law, one_more);

/* ln((1 + exp(3/2))/2) */
BROKEN(score_half_to_even, .wrong = "a finished score rounded half to even",
       .mechanism = &even, .line = "epsilon=1", .kind = BROKEN_LOSS,
       .size = "1.00826609742", .claimed = "1",
       .source = "spec/synthetic.md 1, v:score_rounding")

/* Distances times 5/4, rounded after that, with D = 5/4: from 1 to 2 is from 1 to 3. */
static int64_t late(int64_t distance_now)
{
    return (5 * distance_now + 2) / 4;
}

static scrim_status late_law(const scrim_measurement *m, const sc_private_input *input,
                             long bits, sc_outcomes *out, scrim_error *error)
{
    const int64_t score[] = {late(input->values[0]), late(input->values[1]) - 2};
    return choose(m, score, 5, 4, bits, out, error);
}

static void one_up_one_down(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)m;
    (void)index;
    *out = (sc_pair){.x = {1, 2}, .y = {2, 1}, .x_count = 2, .y_count = 2};
}

static const sc_mechanism late_weight =
    SYNTHETIC("weight-rounded-late", late_law, one_up_one_down);

/* ln((1 + exp(8/5))/2) */
BROKEN(weight_rounded_late, .wrong = "a weight of 5/4 that is rounded after multiplying",
       .mechanism = &late_weight, .line = "epsilon=1", .kind = BROKEN_LOSS,
       .size = "1.09075356033", .claimed = "1",
       .source = "spec/synthetic.md 3, v:weight_rounded_late")

/* Marginals under replace with the noise of add-remove. */
static scrim_status half_cost(const scrim_measurement *m, sc_exact_cost *out,
                              scrim_error *error)
{
    SC_OWN(sc_ratio, half, two);
    (void)error;
    sc_ratio_set_int64(&two, 2);
    sc_ratio_div(&half, sc_measurement_get(m, "epsilon"), &two);
    sc_cost_set_pure(out, &half);
    return SCRIM_OK;
}

static sc_mechanism one_sided;

__attribute__((constructor)) static void make_one_sided(void)
{
    one_sided = sc_marginals;
    one_sided.entry.name = "marginals-broken";
    one_sided.cost = half_cost;
    one_sided.draw = broken_draw;
}

BROKEN(marginals_of_one_cell,
       .wrong = "a row that is replaced is charged for one cell of two",
       .mechanism = &one_sided, .line = "tables=2,3 epsilon=2 neighbours=replace",
       .kind = BROKEN_LOSS, .size = "2", .claimed = "1",
       .source = "spec/synthetic.md 9: noise for add-remove under replace")

/* SmallDB as if scores were monotone: half of what it costs. */
static void one_moves(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)m;
    (void)index;
    *out = (sc_pair){.x = {3, 1, 0}, .y = {2, 2, 0}, .x_count = 3, .y_count = 3};
}

static sc_mechanism monotone;

__attribute__((constructor)) static void make_monotone(void)
{
    monotone = sc_smalldb;
    monotone.entry.name = "smalldb-broken";
    monotone.cost = half_cost;
    monotone.draw = broken_draw;
    monotone.pair_count = broken_one_pair;
    monotone.pair = one_moves;
}

BROKEN(smalldb_as_monotone, .wrong = "distances taken for monotone scores",
       .mechanism = &monotone,
       .line = "epsilon=1 bins=3 coefficients=1,0,0,0,1,0,1,1/2,0 grid=1/2 rows=2 "
               "neighbours=replace",
       .kind = BROKEN_LOSS, .size = "0.655986406534287", .claimed = "0.5",
       .source = "spec/mechanisms.md 10.2, v:smalldb")

/* MWEM that pays for its values and not for what it selects. */
static sc_mechanism unpaid;

__attribute__((constructor)) static void make_unpaid(void)
{
    unpaid = sc_mwem;
    unpaid.entry.name = "mwem-broken";
    unpaid.cost = half_cost;
    unpaid.draw = broken_draw;
}

BROKEN(mwem_selects_free_of_charge, .wrong = "selections of MWEM are not charged",
       .mechanism = &unpaid,
       .line = "epsilon=2 bins=2 coefficients=1,0,0,1 total=2 rounds=1 "
               "neighbours=replace",
       .kind = BROKEN_LOSS, .size = "2", .claimed = "1",
       .source = "spec/mechanisms.md 10.3")
