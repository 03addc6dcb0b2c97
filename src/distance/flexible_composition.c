#include "distance/flexible_composition.h"

#include <string.h>

static bool same(const void *context, const sc_ratio *at, sc_ratio *out)
{
    (void)context;
    sc_ratio_set(out, at);
    return true;
}

static bool only_at_zero(const void *context, const sc_ratio *at, sc_ratio *out)
{
    (void)context;
    sc_ratio_set_int64(out, 0);
    return sc_ratio_sign(at) == 0;
}

const sc_modulus sc_modulus_same = {.bound = same, .is_linear = true};
const sc_modulus sc_modulus_unbounded = {.bound = only_at_zero};

static scrim_status check_metric(const sc_flexible_claim *first, const char *input_metric,
                                 scrim_error *error)
{
    if (input_metric != NULL && strcmp(first->metric, input_metric) == 0)
        return SCRIM_OK;
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "metric",
                       "the second stage takes %s, and the first is within beta in %s",
                       input_metric == NULL ? "no metric" : input_metric, first->metric);
}

static scrim_status check_growth(const sc_flexible_claim *first, const sc_modulus *growth,
                                 scrim_error *error)
{
    if (!first->is_average || growth->is_linear)
        return SCRIM_OK;
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "average",
                       "an average cannot be composed with a stage that does not grow "
                       "linearly; use worst-case statements");
}

/* beta = growth(at) or none; an at without a bound has none. */
static void grow(const sc_modulus *growth, const sc_ratio *at, bool has_bound,
                 sc_flexible_claim *out)
{
    SC_OWN(sc_ratio, grown);
    out->is_beta_unbounded = !has_bound || !growth->bound(growth->context, at, &grown);
    if (out->is_beta_unbounded)
        sc_ratio_set_int64(&out->beta, 0);
    else
        sc_ratio_set(&out->beta, &grown);
}

scrim_status sc_flexible_apply(const sc_flexible_claim *first,
                               const sc_flexible_statistic *statistic,
                               sc_flexible_claim *out, scrim_error *error)
{
    scrim_status status = sc_flexible_check(first, error);
    if (status == SCRIM_OK)
        status = check_metric(first, statistic->input_metric, error);
    if (status == SCRIM_OK)
        status = check_growth(first, statistic->growth, error);
    if (status != SCRIM_OK)
        return status;
    sc_flexible_claim result;
    sc_flexible_init(&result);
    sc_flexible_set(&result, first);
    result.metric = statistic->output_metric;
    grow(statistic->growth, &first->beta, !first->is_beta_unbounded, &result);
    status = sc_flexible_check(&result, error);
    if (status == SCRIM_OK)
        sc_flexible_set(out, &result);
    sc_flexible_clear(&result);
    return status;
}

static scrim_status check_stage(const sc_flexible_claim *first,
                                const sc_flexible_stage *stage, scrim_error *error)
{
    scrim_status status = sc_flexible_check(first, error);
    if (status == SCRIM_OK)
        status = sc_flexible_check(stage->second, error);
    if (status != SCRIM_OK)
        return status;
    if (stage->sigma_from != stage->second->distortion ||
        stage->sigma_to != first->distortion)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "distortion",
            "sigma leads from %s to %s, and the statements are of %s after %s",
            sc_distortion_name(stage->sigma_from), sc_distortion_name(stage->sigma_to),
            sc_distortion_name(stage->second->distortion),
            sc_distortion_name(first->distortion));
    if (first->distortion == stage->second->distortion &&
        sc_ratio_compare(&first->eta, &stage->second->eta) != 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "eta",
                           "the two statements have different eta");
    if (first->is_average != stage->second->is_average)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "average",
            "one statement is about the worst case and the other about the average");
    if (first->is_count != stage->second->is_count)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "count",
            "one statement counts elements and the other gives their share");
    return SCRIM_OK;
}

/* 1 - (1 - a)(1 - b); whoever drops all of it cannot drop more. */
static void drop_twice(sc_ratio *a, const sc_ratio *b)
{
    SC_OWN(sc_ratio, one, kept, rest);
    sc_ratio_set_int64(&one, 1);
    if (sc_ratio_compare(a, &one) >= 0 || sc_ratio_compare(b, &one) >= 0) {
        sc_ratio_set(a, &one);
    } else {
        sc_ratio_sub(&kept, &one, a);
        sc_ratio_sub(&rest, &one, b);
        sc_ratio_mul(&kept, &kept, &rest);
        sc_ratio_sub(a, &one, &kept);
    }
}

static scrim_status add_alpha(const sc_flexible_stage *stage, sc_flexible_claim *result,
                              scrim_error *error)
{
    const bool is_share = result->distortion == SC_DISTORTION_DROP && !result->is_count;
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, more);
    if (!stage->sigma->bound(stage->sigma->context, &stage->second->alpha, &more))
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "sigma",
                             "the distortion sensitivity of the first stage is infinite, "
                             "so the stages cannot be composed");
    else if (is_share && stage->sigma_from == SC_DISTORTION_DROP)
        drop_twice(&result->alpha, &more);
    else
        sc_ratio_add(&result->alpha, &result->alpha, &more);
    return status;
}

static void add_gamma(sc_flexible_claim *result, const sc_ratio *gamma)
{
    sc_ratio_add(&result->gamma, &result->gamma, gamma);
    if (sc_ratio_compare_int64(&result->gamma, 1) > 0)
        sc_ratio_set_int64(&result->gamma, 1);
}

static void add_beta(const sc_flexible_claim *first, const sc_flexible_stage *stage,
                     sc_flexible_claim *result)
{
    const sc_flexible_claim *second = stage->second;
    SC_OWN(sc_ratio, at);
    sc_ratio_set(&at, &first->beta);
    if (stage->omega != NULL)
        sc_ratio_add(&at, &at, stage->omega);
    grow(stage->growth, &at, !first->is_beta_unbounded && !second->is_beta_unbounded,
         result);
    if (!result->is_beta_unbounded)
        sc_ratio_add(&result->beta, &result->beta, &second->beta);
}

scrim_status sc_flexible_then(const sc_flexible_claim *first,
                              const sc_flexible_stage *stage, sc_flexible_claim *out,
                              scrim_error *error)
{
    scrim_status status = check_stage(first, stage, error);
    if (status == SCRIM_OK)
        status = check_metric(first, stage->input_metric, error);
    if (status == SCRIM_OK)
        status = check_growth(first, stage->growth, error);
    if (status != SCRIM_OK)
        return status;
    sc_flexible_claim result;
    sc_flexible_init(&result);
    sc_flexible_set(&result, first);
    result.metric = stage->second->metric;
    status = add_alpha(stage, &result, error);
    add_beta(first, stage, &result);
    add_gamma(&result, &stage->second->gamma);
    if (stage->sigma_gamma != NULL)
        add_gamma(&result, stage->sigma_gamma);
    if (status == SCRIM_OK)
        sc_flexible_set(out, &result);
    sc_flexible_clear(&result);
    return status;
}
