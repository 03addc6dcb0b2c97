/* Mechanisms of the catalogue that charge less than they need: each is the mechanism itself, with the
 * mistake in its cost. */
#include "audit/broken.h"
#include "mechanism/histogram/bucket_histogram.h"
#include "mechanism/histogram/emptiness.h"
#include "mechanism/noise/gaussian_share.h"
#include "mechanism/noise/robust_laplace.h"
#include "mechanism/noise/share_noise.h"
#include "mechanism/selection/base2_exponential.h"
#include "mechanism/selection/one_sided_noisy_max.h"
#include "mechanism/selection/quantile.h"
#include "mechanism/selection/top_k.h"
#include "mechanism/sparse/generalised.h"
#include "mechanism/sparse/stagewise.h"
#include "mechanism/threshold/threshold_truncated.h"
#include "mechanism/threshold/threshold_weighted.h"

/* Half of epsilon. */
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

/* epsilon, as if all shares were honest. */
static scrim_status all_honest(const scrim_measurement *m, sc_exact_cost *out,
                               scrim_error *error)
{
    (void)error;
    sc_cost_set_pure(out, sc_measurement_get(m, "epsilon"));
    return SCRIM_OK;
}

/* The curve as if the sum of two shares of variance 1/4 were one draw of variance 1/2. */
static scrim_status as_one_draw(const scrim_measurement *m, sc_exact_cost *out,
                                scrim_error *error)
{
    SC_OWN(sc_ratio, half);
    (void)m, (void)error;
    sc_ratio_set_quotient(&half, 1, 2);
    out->has_rho = true;
    sc_ratio_set_int64(&out->rho, 1);
    sc_curve_set_gaussian(&out->curve, &half, 1);
    return SCRIM_OK;
}

/* epsilon, and a delta. */
static scrim_status approximate(const sc_ratio *epsilon, int64_t numerator,
                                int64_t denominator, sc_exact_cost *out)
{
    SC_OWN(sc_ratio, delta);
    sc_ratio_set_quotient(&delta, numerator, denominator);
    sc_cost_set_approximate(out, epsilon, &delta);
    return SCRIM_OK;
}

/* P(Z = 0) of q = 9, which is 0.005829, rounded up. */
static scrim_status emptiness_cost(const scrim_measurement *m, sc_exact_cost *out,
                                   scrim_error *error)
{
    (void)error;
    return approximate(sc_measurement_get(m, "epsilon"), 583, 100000, out);
}

/* P(Z = 0) of q = 4, which is 0.067451, rounded up. */
static scrim_status bucket_cost(const scrim_measurement *m, sc_exact_cost *out,
                                scrim_error *error)
{
    (void)error;
    return approximate(sc_measurement_get(m, "epsilon"), 27, 400, out);
}

/* P(Z = B) of the noise is 7.7e-6. */
static scrim_status truncated_cost(const scrim_measurement *m, sc_exact_cost *out,
                                   scrim_error *error)
{
    (void)error;
    return approximate(sc_measurement_get(m, "epsilon"), 5, 1000000, out);
}

/* A threshold of scale 2 and queries of scale 4: what one stage costs, 1/2 + 2/4; and what queries that
 * move by 1 where the threshold stays would cost, 1/2 + 1/4. */
static scrim_status stage_cost(const scrim_measurement *m, sc_exact_cost *out,
                               scrim_error *error)
{
    SC_OWN(sc_ratio, epsilon);
    (void)m, (void)error;
    sc_ratio_set_int64(&epsilon, 1);
    sc_cost_set_pure(out, &epsilon);
    return SCRIM_OK;
}

static scrim_status query_cost(const scrim_measurement *m, sc_exact_cost *out,
                               scrim_error *error)
{
    SC_OWN(sc_ratio, epsilon);
    (void)m, (void)error;
    sc_ratio_set_quotient(&epsilon, 3, 4);
    sc_cost_set_pure(out, &epsilon);
    return SCRIM_OK;
}

/* A unit in two groups that counts whole in both of them, where it has the weight 1/sqrt(2) in each. */
static void whole_pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    (void)m, (void)index;
    *out = (sc_pair){.x = {60, 60}, .y = {62, 62}, .x_count = 2, .y_count = 2};
}

static sc_mechanism shares, gaussian_shares, quantile, base2, weighted, stages, queries;
static sc_mechanism list_of_two, truncated, noisy_max, robust, emptiness, buckets;

static void copy(sc_mechanism *out, const sc_mechanism *from, const char *name,
                 scrim_status (*cost)(const scrim_measurement *m, sc_exact_cost *out,
                                      scrim_error *error))
{
    *out = *from;
    out->entry.name = name;
    out->cost = cost;
    out->draw = broken_draw;
}

__attribute__((constructor)) static void make_copies(void)
{
    copy(&noisy_max, &sc_one_sided_noisy_max, "one-sided-noisy-max-broken", half_epsilon);
    copy(&list_of_two, &sc_top_k, "top-k-broken", half_epsilon);
    copy(&truncated, &sc_threshold_truncated, "threshold-truncated-broken",
         truncated_cost);
    copy(&shares, &sc_laplace_share, "laplace-share-broken", all_honest);
    copy(&gaussian_shares, &sc_gaussian_share, "gaussian-share-broken", as_one_draw);
    copy(&robust, &sc_robust_laplace, "robust-laplace-broken", half_epsilon);
    copy(&emptiness, &sc_emptiness, "emptiness-broken", emptiness_cost);
    copy(&buckets, &sc_bucket_histogram, "bucket-histogram-broken", bucket_cost);
    copy(&quantile, &sc_quantile, "quantile-broken", half_epsilon);
    copy(&base2, &sc_base2_exponential, "base2-exponential-broken", half_epsilon);
    copy(&stages, &sc_stagewise_sparse_vector, "stagewise-broken", stage_cost);
    copy(&queries, &sc_generalised_sparse_vector, "generalised-broken", query_cost);
    copy(&weighted, &sc_threshold_weighted, "threshold-weighted-broken",
         sc_threshold_weighted.cost);
    weighted.pair_count = broken_one_pair;
    weighted.pair = whole_pair;
}

BROKEN(one_sided_noisy_max_without_the_two,
       .wrong = "scores that move both ways, charged as monotone ones",
       .mechanism = &noisy_max, .line = "epsilon=1 sensitivity=1 candidates=3",
       .kind = BROKEN_LOSS, .size = "1.0", .claimed = "0.5",
       .source = "spec/mechanisms.md 5.4: the rate is epsilon / 2 of the sensitivity")
BROKEN(laplace_share_of_one_in_ten,
       .wrong = "one honest share of ten, charged as all of them", .mechanism = &shares,
       .line = "epsilon=1 shares=10 honest=1 sensitivity=1", .kind = BROKEN_LOSS,
       .size = "3.296165150", .claimed = "1",
       .source = "spec/local-additions.md 5, v:nb_partial_honest")
BROKEN(gaussian_shares_as_one_draw,
       .wrong = "two shares of variance v, charged as one draw of variance 2 v",
       .mechanism = &gaussian_shares, .line = "variance=1/4 honest=2",
       .kind = BROKEN_DELTA, .at = "1", .size = "0.333232402198447",
       .claimed = "0.189658529428397",
       .source = "spec/local-additions.md 5: h shares charged as h s2")
BROKEN(robust_laplace_of_half_the_distance,
       .wrong = "noise for a drawn number, charged for half its distance",
       .mechanism = &robust, .line = "rho=1 epsilon=1", .kind = BROKEN_LOSS,
       .size = "1.0", .claimed = "0.5", .source = "a shift of 1 at the scale 1")
BROKEN(emptiness_of_a_longer_noise,
       .wrong = "a set of nine is certain, charged as one of ten",
       .mechanism = &emptiness, .line = "epsilon=1 certain=9", .kind = BROKEN_DELTA,
       .at = "1", .size = "0.00854818485510623",
       .source = "spec/flexible-accuracy.md 8: e^-4 / (1 + 2 (e^-1 + .. + e^-4))")
BROKEN(buckets_of_a_longer_noise,
       .wrong = "a bucket loses at most three, charged as four", .mechanism = &buckets,
       .line = "epsilon=1 q=3 upper=1 beta=1/2", .kind = BROKEN_DELTA, .at = "1",
       .size = "0.134470710684998",
       .source = "spec/flexible-accuracy.md 5.6: 1 / (2 (1 + e))")
BROKEN(top_k_charged_once, .wrong = "two selections, charged as one",
       .mechanism = &list_of_two,
       .line = "epsilon=1 sensitivity=1 k=2 method=exponential candidates=3 "
               "neighbours=replace",
       .kind = BROKEN_LOSS, .size = "0.74949085300771", .claimed = "0.5",
       .source = "scores 3, 0, -3 against 4, -1, -4, weights exp(score / 4) twice")
BROKEN(truncated_threshold_without_its_end,
       .wrong = "the end of the noise, charged as less than it is",
       .mechanism = &truncated, .line = "epsilon=1 delta=1e-5", .kind = BROKEN_DELTA,
       .at = "1", .size = "0.00000771821182760150",
       .source = "v:truncated_geometric_threshold")
BROKEN(
    quantile_charged_as_monotone,
    .wrong = "ranks that move both ways, charged as if they moved one way",
    .mechanism = &quantile, .line = "p=1/2 epsilon=1 lower=0 upper=3",
    .kind = BROKEN_LOSS, .size = "0.677691114130", .claimed = "0.5",
    .source = "rows 0 against 0 and 2 on 0 to 3: ln((3 + 1/e) / (1 + 3/sqrt e) sqrt e)")
BROKEN(base2_exponential_charged_as_monotone,
       .wrong = "scores that move both ways, charged as monotone ones",
       .mechanism = &base2,
       .line = "epsilon=1.4 sensitivity=1 lower=0 upper=20 candidates=3",
       .kind = BROKEN_LOSS, .size = "1.37596724696404", .claimed = "0.7",
       .source = "gaps 0, 3, 6 against 0, 3, 8: ln(289/73)")
BROKEN(stages_charged_as_one, .wrong = "two stages, charged as one", .mechanism = &stages,
       .line = "threshold-scale=2 query-scale=4 count=2 stage=1 queries=3",
       .kind = BROKEN_LOSS, .size = "1.5", .claimed = "1",
       .source = "spec/local-and-accounting.md 7.3: each stage costs 1/2 + 2/4")
BROKEN(generalised_queries_at_one_shift, .wrong = "queries charged at D and not at 2 D",
       .mechanism = &queries, .line = "threshold-scale=2 query-scale=4 count=1 queries=3",
       .kind = BROKEN_LOSS, .size = "1.0", .claimed = "0.75",
       .source = "spec/local-and-accounting.md E14: 1/2 + 2/4")
BROKEN(weights_of_one, .wrong = "a unit of two groups counts whole in each of them",
       .mechanism = &weighted, .line = "epsilon=2 delta=1e-2 grid=1/2 max-groups=2",
       .kind = BROKEN_DELTA, .at = "2", .size = "0.0710511671789",
       .source = "two draws of variance 4.96875 that move by 2 each")
