#include "distance/flexible.h"

#include "base/memory.h"
#include "model/certificate.h"
#include "model/cost.h"

#include <stdlib.h>
#include <string.h>

void sc_flexible_init(sc_flexible_claim *out)
{
    memset(out, 0, sizeof *out);
    sc_ratio_init(&out->alpha);
    sc_ratio_init(&out->beta);
    sc_ratio_init(&out->gamma);
    sc_ratio_init(&out->eta);
    out->distortion = SC_DISTORTION_DROP;
    out->metric = SC_METRIC_ABSOLUTE;
}

void sc_flexible_clear(sc_flexible_claim *x)
{
    sc_ratio_clear(&x->eta);
    sc_ratio_clear(&x->gamma);
    sc_ratio_clear(&x->beta);
    sc_ratio_clear(&x->alpha);
}

void sc_flexible_set(sc_flexible_claim *out, const sc_flexible_claim *x)
{
    sc_ratio_set(&out->alpha, &x->alpha);
    sc_ratio_set(&out->beta, &x->beta);
    sc_ratio_set(&out->gamma, &x->gamma);
    sc_ratio_set(&out->eta, &x->eta);
    out->distortion = x->distortion;
    out->metric = x->metric;
    out->is_average = x->is_average;
    out->is_count = x->is_count;
    out->is_beta_unbounded = x->is_beta_unbounded;
}

static const char *const names[] = {"drop", "move", "drop-move"};

const char *sc_distortion_name(sc_distortion distortion)
{
    return names[distortion - SC_DISTORTION_DROP];
}

bool sc_distortion_parse(sc_text word, sc_distortion *out)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (sc_text_is(word, names[i])) {
            *out = (sc_distortion)(SC_DISTORTION_DROP + i);
            return true;
        }
    return false;
}

/* A name that reads as one word of a line. */
static bool is_word(const char *metric)
{
    return metric != NULL && metric[0] != '\0' &&
           metric[strcspn(metric, " \t\r\n=")] == '\0';
}

scrim_status sc_flexible_check(const sc_flexible_claim *x, scrim_error *error)
{
    if (x->distortion < SC_DISTORTION_DROP || x->distortion > SC_DISTORTION_DROP_MOVE)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "distortion",
                                 "use drop, move or drop-move");
    if (sc_ratio_sign(&x->alpha) < 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "alpha",
                                 "give a number of at least 0");
    if (sc_ratio_sign(&x->beta) < 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "beta",
                                 "give a number of at least 0");
    if (sc_ratio_sign(&x->gamma) < 0 || sc_ratio_compare_int64(&x->gamma, 1) > 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "gamma",
                                 "give a number from 0 to 1");
    if (sc_ratio_sign(&x->eta) < 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "eta",
                                 "give a number of at least 0");
    if (x->distortion != SC_DISTORTION_DROP_MOVE && sc_ratio_sign(&x->eta) != 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "eta",
                                 "belongs to drop-move alone");
    if (x->is_count &&
        (x->distortion != SC_DISTORTION_DROP || !sc_ratio_is_integer(&x->alpha)))
        return sc_fail_parameter(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "alpha",
            "a number of elements must be whole, and only drop takes it");
    if (x->is_beta_unbounded && sc_ratio_sign(&x->beta) != 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "beta",
                                 "give a number or no bound, not both");
    if (!is_word(x->metric))
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_SYNTAX, "metric",
                                 "give one word");
    return SCRIM_OK;
}

static void put(sc_text_sink *sink, const char *text)
{
    sc_text_put(sink, sc_text_of(text));
}

static void put_number(sc_text_sink *sink, const char *name, const sc_ratio *value)
{
    char text[SCRIM_NUMBER_BYTES];
    sc_cost_put_upper(value, text);
    put(sink, name);
    put(sink, text);
}

size_t sc_flexible_format(const sc_flexible_claim *x, char *text, size_t capacity)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, capacity);
    put_number(&sink, x->is_count ? "dropped=" : "alpha=", &x->alpha);
    if (x->is_beta_unbounded)
        put(&sink, " beta=unbounded");
    else
        put_number(&sink, " beta=", &x->beta);
    put_number(&sink, " gamma=", &x->gamma);
    put(&sink, " distortion=");
    put(&sink, sc_distortion_name(x->distortion));
    if (x->distortion == SC_DISTORTION_DROP_MOVE)
        put_number(&sink, " eta=", &x->eta);
    put(&sink, " metric=");
    put(&sink, x->metric);
    put(&sink, x->is_average ? " case=average" : " case=worst");
    return sink.length;
}

void sc_flexible_certificate(const sc_flexible_claim *x, const char *excludes,
                             sc_certificate *out)
{
    sc_certificate_flexible(out, &x->alpha, x->is_beta_unbounded ? NULL : &x->beta,
                            &x->gamma, excludes);
}

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

/* beta = growth(at); unbounded if `at` has no bound, or growth has no bound there. */
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

/* 1 - (1 - a)(1 - b): dropping mass twice cannot drop more than all of it. */
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

static scrim_status check_distort(const sc_flexible_claim *first, const sc_ratio *eta,
                                  scrim_error *error)
{
    if (sc_ratio_sign(eta) <= 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "eta",
                           "eta must be above 0");
    if (strncmp(first->metric, SC_METRIC_MOVE, strlen(SC_METRIC_MOVE)) != 0 ||
        first->is_beta_unbounded)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "metric",
                           "beta must be how far elements move, in the metric move, "
                           "move-l1, move-l2 or move-max");
    if (first->is_average)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "average",
                           "a mean distance is no distortion; use a worst-case "
                           "statement");
    if (first->is_count)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "count",
                           "moves are added to a fraction of the elements; use alpha "
                           "instead of a number");
    if (first->distortion != SC_DISTORTION_DROP &&
        (first->distortion != SC_DISTORTION_DROP_MOVE ||
         sc_ratio_compare(&first->eta, eta) != 0))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "distortion",
                           "the statement must be of drop, or of drop-move with the same "
                           "eta");
    return SCRIM_OK;
}

scrim_status sc_flexible_distort(const sc_flexible_claim *first, const sc_ratio *eta,
                                 const char *output_metric, sc_flexible_claim *out,
                                 scrim_error *error)
{
    SC_OWN(sc_ratio, moved);
    SC_TRY(sc_flexible_check(first, error));
    SC_TRY(check_distort(first, eta, error));
    sc_flexible_claim result;
    sc_flexible_init(&result);
    sc_flexible_set(&result, first);
    result.distortion = SC_DISTORTION_DROP_MOVE;
    result.metric = output_metric;
    sc_ratio_set(&result.eta, eta);
    sc_ratio_mul(&moved, eta, &first->beta);
    sc_ratio_add(&result.alpha, &result.alpha, &moved);
    sc_ratio_set_int64(&result.beta, 0);
    const scrim_status status = sc_flexible_check(&result, error);
    if (status == SCRIM_OK)
        sc_flexible_set(out, &result);
    sc_flexible_clear(&result);
    return status;
}

void sc_evaluation_init(sc_evaluation *out)
{
    *out = (sc_evaluation){.beta = {.value = 0}};
    sc_ball_init(&out->mean);
    sc_ball_init(&out->average);
}

void sc_evaluation_clear(sc_evaluation *evaluation)
{
    sc_ball_clear(&evaluation->mean);
    sc_ball_clear(&evaluation->average);
}

/* An outcome by how far it is off. */
typedef struct miss {
    uint64_t err;
    size_t outcome;
} miss;

static int furthest_first(const void *a, const void *b)
{
    const uint64_t x = ((const miss *)a)->err, y = ((const miss *)b)->err;
    return (x < y) - (x > y);
}

static uint64_t apart(int64_t a, int64_t b)
{
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

static uint64_t nearest(const sc_masses *reachable, int64_t y)
{
    size_t low = 0, high = reachable->count;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (reachable->list[middle].place <= y)
            low = middle;
        else
            high = middle;
    }
    uint64_t best = apart(reachable->list[low].place, y);
    if (low + 1 < reachable->count && apart(reachable->list[low + 1].place, y) < best)
        best = apart(reachable->list[low + 1].place, y);
    return best;
}

/* Goes from the furthest outcome inwards: err is a bound as long as what lies further has not more
 * than gamma. is_certain: for all that the masses may be; else for some. */
static sc_distance quantile(const sc_outcomes *law, const miss *misses,
                            const sc_ball *gamma, bool is_certain, long bits)
{
    sc_distance found = {.value = 0};
    size_t i = 0;
    SC_OWN(sc_ball, beyond);
    if (is_certain)
        sc_ball_set(&beyond, &law->rest);
    const bool has_tail = is_certain && !sc_ball_is_less_equal(&beyond, gamma);
    while (!has_tail && i < law->count) {
        const uint64_t err = misses[i].err;
        found.value = err;
        for (; i < law->count && misses[i].err == err; i++)
            sc_ball_add(&beyond, &beyond, &law->mass[misses[i].outcome], bits);
        if (is_certain ? !sc_ball_is_less_equal(&beyond, gamma)
                       : sc_ball_is_less(gamma, &beyond))
            break;
        found.value = 0;
    }
    found.is_infinite = has_tail;
    return found;
}

static void set_mean(const sc_outcomes *law, const miss *misses, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, term, zero);
    sc_ball_set_int64(out, 0);
    for (size_t i = 0; i < law->count; i++) {
        sc_ball_set_int128(&term, misses[i].err);
        sc_ball_mul(&term, &term, &law->mass[misses[i].outcome], bits);
        sc_ball_add(out, out, &term, bits);
    }
    if (!sc_ball_is_less_equal(&law->rest, &zero))
        sc_ball_set_infinite(out);
}

/* The mean of err where outcomes are not listed: at most the root of the mean of err^2 times their mass. */
static void set_rest(const sc_outcomes *law, const sc_ball *square, long bits,
                     sc_ball *out)
{
    if (square == NULL) {
        sc_ball_set_infinite(out);
        return;
    }
    sc_ball_mul(out, &law->rest, square, bits);
    sc_ball_sqrt(out, out, bits);
}

/* Drops what is not listed and then the largest errors, up to gamma. */
static void set_average(const sc_outcomes *law, const miss *misses, const sc_ball *gamma,
                        const sc_ball *square, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, left, term, kept);
    const bool has_rest = !sc_ball_is_less_equal(&law->rest, gamma);
    sc_ball_set_int64(out, 0);
    if (has_rest)
        set_rest(law, square, bits, out);
    else
        sc_ball_sub(&left, gamma, &law->rest, bits);
    for (size_t i = 0; i < law->count; i++) {
        const sc_ball *mass = &law->mass[misses[i].outcome];
        if (sc_ball_is_less_equal(mass, &left)) {
            sc_ball_sub(&left, &left, mass, bits);
            continue;
        }
        sc_ball_sub(&kept, mass, &left, bits);
        sc_ball_set_int64(&left, 0);
        sc_ball_set_int128(&term, misses[i].err);
        sc_ball_mul(&term, &term, &kept, bits);
        sc_ball_add(out, out, &term, bits);
    }
}

scrim_status sc_evaluate(const sc_outcomes *law, const sc_masses *reachable,
                         const sc_ratio *gamma, const sc_ball *square, long bits,
                         sc_evaluation *out, scrim_error *error)
{
    if (law->width != 1 || reachable->count == 0 || !reachable->is_sorted)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "input",
            "an evaluation takes outcomes of one number and the values that "
            "can be reached, at least one");
    if (sc_ratio_sign(gamma) < 0 || sc_ratio_compare_int64(gamma, 1) > 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "gamma",
                                 "give a number from 0 to 1");
    miss *misses = sc_allocate(law->count, sizeof *misses);
    if (misses == NULL)
        return sc_no_memory(error, "an evaluation");
    for (size_t i = 0; i < law->count; i++)
        misses[i] = (miss){.err = nearest(reachable, law->keys[i]), .outcome = i};
    qsort(misses, law->count, sizeof *misses, furthest_first);
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, level);
    sc_ball_set_ratio(&level, gamma, bits);
    out->beta = quantile(law, misses, &level, true, bits);
    out->beta_lower = quantile(law, misses, &level, false, bits);
    set_mean(law, misses, bits, &out->mean);
    set_average(law, misses, &level, square, bits, &out->average);
    sc_free(misses);
    return SCRIM_OK;
}
