/* Floating bodies that give away more than they say. */
#include "audit/broken.h"
#include "mechanism/body/body_quantiles.h"
#include "mechanism/body/depth_median.h"
#include "model/domain.h"

/* The source calls a table typical by counts of rows near its quantile. Where rows are equal, neighbours are then both
 * typical with quantiles far apart: {0 x 5, 10 x 5} and {0 x 4, 10 x 6}, k = 5. The mechanism that trusts it draws t with
 * weight exp(-(epsilon/2) min(|t - x_(k)|, 3)) on -23 .. 23. */

enum { ROWS = 10, K = 5, REACH = 3, FIRST = -23, LAST = 23 };

static const sc_parameter_rule parameters[] = {BROKEN_PARAMETER("epsilon"),
                                               SC_PARAMETER_NEIGHBOURS};

static bool is_typical_by_counts(const int64_t *x, int64_t at)
{
    for (int64_t i = 1; i <= REACH; i++) {
        int64_t above = 0, below = 0;
        for (size_t j = 0; j < ROWS; j++) {
            above += x[j] >= at && x[j] <= at + i;
            below += x[j] <= at && x[j] >= at - i;
        }
        if (above < i || below < i)
            return false;
    }
    return true;
}

static scrim_status counts_law(const scrim_measurement *m, const sc_private_input *input,
                               long bits, sc_outcomes *out, scrim_error *error)
{
    const int64_t at = input->values[K - 1]; /* rows are sorted */
    const bool is_typical = is_typical_by_counts(input->values, at);
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, rate, mass, total);
    for (int turn = 0; turn < 2; turn++)
        for (int64_t t = FIRST; status == SCRIM_OK && t <= LAST; t++) {
            const int64_t far = t > at ? t - at : at - t;
            sc_ball_set_ratio(&rate, sc_measurement_get(m, "epsilon"), bits);
            sc_ball_mul_int64(&rate, &rate, is_typical ? -(far < REACH ? far : REACH) : 0,
                              bits);
            sc_ball_mul_power2(&rate, &rate, -1);
            sc_ball_exp(&mass, &rate, bits);
            if (turn == 0) {
                sc_ball_add(&total, &total, &mass, bits);
            } else {
                sc_ball_div(&mass, &mass, &total, bits);
                status = sc_outcomes_add(out, &t, &mass, error);
            }
        }
    return status;
}

static void tied_pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)m, (void)index;
    *out = (sc_pair){.x_count = ROWS, .y_count = ROWS};
    for (size_t i = 0; i < ROWS; i++) {
        out->x[i] = i < 5 ? 0 : 10;
        out->y[i] = i < 4 ? 0 : 10;
    }
}

static const sc_mechanism counts = {BROKEN_COMMON("typical-by-counts", parameters),
                                    .cost = broken_cost_pure, .law = counts_law,
                                    .pair_count = broken_one_pair, .pair = tied_pair};

BROKEN(typical_by_counts_with_ties,
       .wrong = "a typical table told by counts, where rows are equal",
       .mechanism = &counts, .line = "epsilon=1 neighbours=replace", .kind = BROKEN_LOSS,
       .size = "1.5", .claimed = "1", .source = "spec/floating-body.md 11, E5")

/* Charged as half of what they are. */

static scrim_status half_epsilon(const scrim_measurement *m, sc_exact_cost *out,
                                 scrim_error *error)
{
    SC_OWN(sc_ratio, half, two);
    (void)error;
    sc_ratio_set_int64(&two, 2);
    sc_ratio_div(&half, sc_measurement_get(m, "epsilon"), &two);
    sc_cost_set_pure(out, &half);
    return SCRIM_OK;
}

static sc_mechanism directions, depth;

__attribute__((constructor)) static void make_copies(void)
{
    directions = sc_body_mechanism;
    directions.entry.name = "body-broken";
    directions.cost = half_epsilon;
    directions.draw = broken_draw;
    depth = sc_depth_median;
    depth.entry.name = "depth-median-broken";
    depth.cost = half_epsilon;
    depth.draw = broken_draw;
}

BROKEN(two_directions_charged_as_one, .wrong = "two directions of a body, charged as one",
       .mechanism = &directions,
       .line = "q=3/4 epsilon=2 lower=0 upper=3 neighbours=replace records=3",
       .kind = BROKEN_LOSS, .size = "1.097025080572", .claimed = "1",
       .source = "rows 1 and 0 against 1 and 3 on 0 to 3, by enumeration")
BROKEN(
    depth_median_charged_as_monotone,
    .wrong = "depths that move both ways under replace, charged as if they moved one way",
    .mechanism = &depth,
    .line = "epsilon=2 expected=0 levels=6 lower=0 upper=5 neighbours=replace records=5",
    .kind = BROKEN_LOSS, .size = "1.917086805", .claimed = "1",
    .source = "spec/papers-additions.md 4.2")
