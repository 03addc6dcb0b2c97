#include "query/estimate/estimate.h"

#include "base/memory.h"
#include "query/estimate/estimator.h"
#include "query/estimate/moment_interval.h"
#include "query/estimate/range_choice.h"
#include "query/estimate/real_digits.h"
#include "query/estimate/shown.h"
#include "sampling/law_sum.h"

#include <math.h>

/* Digits suffice for groups of this many rows. */
#define MANY_ROWS 1e6
#define RADIUS_MAX 0x1p100

void sc_estimate_init(sc_estimate *estimate)
{
    sc_ratio_init(&estimate->value);
    sc_ratio_init(&estimate->low);
    sc_ratio_init(&estimate->high);
    estimate->is_open = estimate->is_beyond = false;
}

void sc_estimate_clear(sc_estimate *estimate)
{
    sc_ratio_clear(&estimate->value);
    sc_ratio_clear(&estimate->low);
    sc_ratio_clear(&estimate->high);
}

/* Making one. */

scrim_status sc_estimator_refuse(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_INTERNAL,
                   "an aggregate lacks a number that it is computed from");
}

scrim_status sc_estimator_noise(const scrim_measurement *measurement, sc_noise *out,
                                scrim_error *error)
{
    const sc_law *law = measurement == NULL ? NULL : sc_noise_law(measurement);
    if (law == NULL)
        return sc_estimator_refuse(error);
    sc_noise_init(out, law);
    return SCRIM_OK;
}

static size_t draws_of(const sc_estimate_sources *sources)
{
    return sources->draws == 0 ? 1 : (size_t)sources->draws;
}

/* The radius of the noise of a sum of several draws. */
static scrim_status radius_of_sum(const sc_law *law, size_t draws, const sc_ratio *beta,
                                  sc_int128 *out, scrim_error *error)
{
    uint64_t times[SC_LAW_SUM_MAX] = {0};
    sc_law_sum *sum = NULL;
    times[draws - 1] = 1;
    scrim_status status = sc_law_sum_new(law, draws, &sum, error);
    if (status == SCRIM_OK)
        status = sc_law_sum_radius(sum, times, beta, out, error);
    sc_law_sum_free(sum);
    return status;
}

/* The half-width about one number: its bound, or the radius at the confidence. */
static scrim_status radius_of_one(const sc_estimate_sources *sources,
                                  const scrim_measurement *measurement, bool with_range,
                                  const sc_ratio *beta, sc_int128 *out,
                                  scrim_error *error)
{
    sc_noise noise;
    const size_t draws = draws_of(sources);
    if (draws > SC_NOISE_SUM_MAX / 2 || (draws > 1 && with_range))
        return sc_estimator_refuse(error);
    if (measurement != NULL && with_range && sc_range_bound(measurement, out))
        return SCRIM_OK;
    SC_TRY(sc_estimator_noise(measurement, &noise, error));
    const sc_law *law = sc_noise_law(measurement);
    return draws == 1 ? sc_noise_law_radius(law, beta, out, error)
                      : radius_of_sum(law, draws, beta, out, error);
}

/* The radius of S + c N, an integer, at beta. */
static scrim_status radius_of_derived(sc_estimator *e, const sc_estimate_sources *sources,
                                      bool with_range, sc_int128 *out, scrim_error *error)
{
    const sc_law *sum = sc_noise_law(sources->sum), *rows = sc_noise_law(sources->rows);
    const sc_int128 weight = e->centre < 0 ? -(sc_int128)e->centre : e->centre;
    const size_t draws = draws_of(sources);
    if (with_range && sum->functions == &sc_truncated_laplace_law &&
        rows->functions == &sc_truncated_laplace_law) {
        *out = sum->bound + weight * rows->bound;
        return SCRIM_OK;
    }
    if (draws > SC_NOISE_SUM_MAX / 2)
        return sc_estimator_refuse(error);
    sc_noise_sum all = {.count = 2 * draws};
    for (size_t i = 0; i < draws; i++) {
        all.terms[2 * i] = &e->sum;
        all.terms[2 * i + 1] = &e->rows;
        all.weights[2 * i] = 1;
        all.weights[2 * i + 1] = (double)weight;
    }
    const double radius = ceil(sc_noise_sum_radius_upper(&all, e->beta)) - 1;
    if (radius > RADIUS_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "the noise of a sum goes beyond 1.2e30 steps; choose a coarser "
                       "step or a larger epsilon");
    *out = (sc_int128)radius;
    return SCRIM_OK;
}

static scrim_status set_rows(sc_estimator *e, const sc_estimate_sources *sources,
                             const sc_ratio *beta, scrim_error *error)
{
    /* Both cells have noise of the same law, each its own. */
    sc_estimate_sources both = *sources;
    if (sources->missing != NULL)
        both.draws = 2 * draws_of(sources);
    return radius_of_one(&both, sources->rows, e->aggregate->with_range, beta, &e->within,
                         error);
}

static scrim_status set_units(sc_estimator *e, const sc_estimate_sources *sources,
                              const sc_ratio *beta, scrim_error *error)
{
    return radius_of_one(sources, sources->units, false, beta, &e->within, error);
}

static scrim_status set_sum(sc_estimator *e, const sc_estimate_sources *sources,
                            const sc_ratio *beta, scrim_error *error)
{
    const bool with_range = e->aggregate->with_range;
    e->is_derived = sources->rows != NULL && e->centre != 0;
    if (!e->is_derived)
        return radius_of_one(sources, sources->sum, with_range, beta, &e->within, error);
    SC_TRY(sc_estimator_noise(sources->sum, &e->sum, error));
    SC_TRY(sc_estimator_noise(sources->rows, &e->rows, error));
    return radius_of_derived(e, sources, with_range, &e->within, error);
}

static scrim_status set_quotient(sc_estimator *e, const sc_estimate_sources *sources,
                                 const sc_ratio *beta, scrim_error *error)
{
    (void)beta;
    scrim_status status = sc_estimator_noise(sources->rows, &e->rows, error);
    if (status == SCRIM_OK)
        status = sc_estimator_noise(sources->sum, &e->sum, error);
    if (status == SCRIM_OK && e->aggregate->kind->reads & SC_READS_SQUARES)
        status = sc_estimator_noise(sources->squares, &e->squares, error);
    e->setting =
        (sc_variance_setting){.mean = {.sum = &e->sum,
                                       .rows = &e->rows,
                                       .low = (double)(e->extent.low - e->centre),
                                       .high = (double)(e->extent.high - e->centre)},
                              .squares = &e->squares,
                              .offset = (double)e->offset,
                              .is_sample = e->aggregate->kind->is_sample};
    return status;
}

static scrim_status check_confidence(const sc_ratio *confidence, sc_ratio *beta,
                                     scrim_error *error)
{
    sc_ratio_set_int64(beta, 1);
    sc_ratio_sub(beta, beta, confidence);
    if (sc_ratio_sign(confidence) > 0 && sc_ratio_sign(beta) > 0)
        return SCRIM_OK;
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "confidence",
                       "confidence must be above 0 and below 1, such as 0.95");
}

static void set_value(sc_estimator *e, const sc_query_aggregate *aggregate,
                      const sc_group_statistic *sum_statistic)
{
    e->aggregate = aggregate;
    e->extent = (sc_extent){0, SC_EXTENT_MAX, {1, 1}};
    if (aggregate->value != NULL)
        e->extent = aggregate->value->extent;
    if (aggregate->kind->reads == SC_READS_VALUES &&
        !sc_typed_is_text(aggregate->present))
        e->most = (uint64_t)aggregate->present->extent.high -
                  (uint64_t)aggregate->present->extent.low + 1;
    sc_extent_value(e->extent.step, 1, &e->step);
    e->offset = aggregate->offset;
    e->centre = sum_statistic == NULL ? 0 : sum_statistic->centre;
}

scrim_status sc_estimator_new(const sc_query_aggregate *aggregate,
                              const sc_group_statistic *sum_statistic,
                              const sc_estimate_sources *sources,
                              const sc_ratio *confidence, sc_estimator **out,
                              scrim_error *error)
{
    const sc_estimate_rule *rule = aggregate->kind->numbers;
    sc_ball_scope scope;
    sc_ratio beta;
    if (rule == NULL)
        return sc_estimator_refuse(error);
    sc_ball_enter(&scope);
    sc_ratio_init(&beta);
    sc_estimator *e = NULL;
    scrim_status status = check_confidence(confidence, &beta, error);
    if (status == SCRIM_OK) {
        e = sc_allocate(1, sizeof *e);
        if (e == NULL)
            status = sc_no_memory(error, "an estimate");
    }
    if (status != SCRIM_OK)
        goto done;
    sc_ratio_init(&e->step);
    set_value(e, aggregate, sum_statistic);
    e->beta = sc_ratio_upper(&beta) * (1 - 0x1p-50);
    status = rule->prepare(e, sources, &beta, error);
    if (status == SCRIM_OK) {
        e->digits = rule->digits(e);
        *out = e;
        e = NULL;
    }
done:
    sc_estimator_free(e);
    sc_ratio_clear(&beta);
    sc_ball_leave(&scope);
    return status;
}

void sc_estimator_free(sc_estimator *estimator)
{
    if (estimator == NULL)
        return;
    sc_rank_room_free(estimator->ranks);
    sc_ratio_clear(&estimator->step);
    sc_free(estimator);
}

unsigned sc_estimator_digits(const sc_estimator *estimator)
{
    return estimator->digits;
}

/* Estimates. All of them in steps first, and last in the unit of the column, rounded. */

static void clamp(sc_ratio *x, const sc_ratio *low, const sc_ratio *high)
{
    if (sc_ratio_compare(x, low) < 0)
        sc_ratio_set(x, low);
    if (sc_ratio_compare(x, high) > 0)
        sc_ratio_set(x, high);
}

/* Extends the interval to contain the value. */
static void hold_value(sc_estimate *out)
{
    if (sc_ratio_compare(&out->low, &out->value) > 0)
        sc_ratio_set(&out->low, &out->value);
    if (sc_ratio_compare(&out->high, &out->value) < 0)
        sc_ratio_set(&out->high, &out->value);
}

void sc_estimator_finish(const sc_estimator *e, const sc_ratio *unit, sc_estimate *out)
{
    sc_ratio_mul(&out->value, &out->value, unit);
    sc_ratio_mul(&out->low, &out->low, unit);
    sc_ratio_mul(&out->high, &out->high, unit);
    sc_shown_round(&out->value, e->digits, SC_SHOWN_NEAREST, &out->value);
    sc_shown_round(&out->low, e->digits, SC_SHOWN_DOWN, &out->low);
    sc_shown_round(&out->high, e->digits, SC_SHOWN_UP, &out->high);
}

/* Moves an end that is beyond 0, or beyond all values that there are, where the truth cannot be, to there. */
static void cut(const sc_estimator *e, sc_ratio *end)
{
    const int sign = sc_ratio_sign(end);
    if ((e->extent.low >= 0 && sign < 0) || (e->extent.high <= 0 && sign > 0))
        sc_ratio_set_int64(end, 0);
    SC_OWN(sc_ratio, most);
    sc_ratio_set_int128(&most, (sc_int128)e->most);
    if (e->most > 0 && sc_ratio_compare(end, &most) > 0)
        sc_ratio_set(end, &most);
}

/* The interval of half-width `within` around the value, cut at 0 if everything that is counted or summed
 * lies on one side of 0, and a count of different values at as many as there can be. The value stays as drawn, so it has no bias; if it is beyond 0 itself, the
 * interval is extended to it. It contains the cut interval, and so holds the truth as often. */
static void surround_by(const sc_estimator *e, sc_int128 half, sc_estimate *out)
{
    SC_OWN(sc_ratio, within);
    sc_ratio_set_int128(&within, half);
    sc_ratio_sub(&out->low, &out->value, &within);
    sc_ratio_add(&out->high, &out->value, &within);
    cut(e, &out->low);
    cut(e, &out->high);
    out->is_beyond = sc_ratio_compare(&out->low, &out->value) > 0 ||
                     sc_ratio_compare(&out->high, &out->value) < 0;
    hold_value(out);
}

static scrim_status surround(const sc_estimator *e, sc_estimate *out)
{
    surround_by(e, e->within, out);
    sc_estimator_finish(e, &e->step, out);
    return SCRIM_OK;
}

void sc_estimate_whole(const sc_estimator *e, sc_int128 value, sc_int128 half,
                       sc_estimate *out)
{
    sc_ratio_set_int128(&out->value, value);
    surround_by(e, half, out);
    sc_ratio_mul(&out->value, &out->value, &e->step);
    sc_ratio_mul(&out->low, &out->low, &e->step);
    sc_ratio_mul(&out->high, &out->high, &e->step);
}

unsigned sc_estimator_whole_digits(const sc_estimator *e)
{
    return sc_digits_of_step(&e->step);
}

void sc_estimator_weights(const sc_estimator *e, int64_t *rows, int64_t *sum)
{
    const bool is_sum = e->aggregate->kind->reads & SC_READS_SUM;
    *sum = is_sum ? 1 : 0;
    *rows = !is_sum ? 1 : e->is_derived ? e->centre : 0;
}

static scrim_status estimate_rows(const sc_estimator *e,
                                  const sc_estimate_numbers *numbers, sc_estimate *out,
                                  scrim_error *error)
{
    (void)error;
    sc_ratio_set_int128(&out->value, numbers->rows);
    return surround(e, out);
}

static scrim_status estimate_units(const sc_estimator *e,
                                   const sc_estimate_numbers *numbers, sc_estimate *out,
                                   scrim_error *error)
{
    (void)error;
    sc_ratio_set_int128(&out->value, numbers->units);
    return surround(e, out);
}

/* S^ + c N^. */
static scrim_status estimate_sum(const sc_estimator *e,
                                 const sc_estimate_numbers *numbers, sc_estimate *out,
                                 scrim_error *error)
{
    (void)error;
    SC_OWN(sc_ratio, rows, centre);
    sc_ratio_set_int128(&out->value, numbers->sum);
    if (e->is_derived) {
        sc_ratio_set_int128(&rows, numbers->rows);
        sc_ratio_set_int64(&centre, e->centre);
        sc_ratio_mul(&rows, &rows, &centre);
        sc_ratio_add(&out->value, &out->value, &rows);
    }
    return surround(e, out);
}

/* S^ / max(1, N^). */
static void quotient(sc_int128 number, sc_int128 rows, sc_ratio *out)
{
    SC_OWN(sc_ratio, divisor);
    sc_ratio_set_int128(&divisor, rows < 1 ? 1 : rows);
    sc_ratio_set_int128(out, number);
    sc_ratio_div(out, out, &divisor);
}

/* The ends come from doubles, and what they surround does not leave them. */
static void set_ends(const sc_real_interval *interval, sc_estimate *out)
{
    sc_real_to_ratio(interval->low, &out->low);
    sc_real_to_ratio(interval->high, &out->high);
    out->is_open = interval->is_open;
}

static scrim_status estimate_mean(const sc_estimator *e,
                                  const sc_estimate_numbers *numbers, sc_estimate *out,
                                  scrim_error *error)
{
    (void)error;
    const sc_real_interval interval = sc_mean_interval(
        &e->setting.mean, (double)numbers->sum, (double)numbers->rows, e->beta);
    SC_OWN(sc_ratio, low, high, centre);
    sc_ratio_set_int64(&low, e->extent.low);
    sc_ratio_set_int64(&high, e->extent.high);
    sc_ratio_set_int64(&centre, e->centre);
    quotient(numbers->sum, numbers->rows, &out->value);
    set_ends(&interval, out);
    sc_ratio_add(&out->value, &out->value, &centre);
    sc_ratio_add(&out->low, &out->low, &centre);
    sc_ratio_add(&out->high, &out->high, &centre);
    clamp(&out->value, &low, &high);
    clamp(&out->low, &low, &out->value);
    clamp(&out->high, &out->value, &high);
    sc_estimator_finish(e, &e->step, out);
    return SCRIM_OK;
}

/* K + Q^/N^ - (S^/N^)^2 within its range, and of a sample N^/(N^ - 1) times that. */
static void variance_value(const sc_estimator *e, const sc_estimate_numbers *numbers,
                           sc_ratio *out)
{
    SC_OWN(sc_ratio, low, high, part);
    quotient(numbers->squares, numbers->rows, out);
    sc_ratio_set_int64(&part, e->offset);
    sc_ratio_add(out, out, &part);
    quotient(numbers->sum, numbers->rows, &part);
    sc_ratio_mul(&part, &part, &part);
    sc_ratio_sub(out, out, &part);
    sc_ratio_set_int128(&high, (sc_int128)e->extent.high - e->extent.low);
    sc_ratio_mul(&high, &high, &high);
    sc_ratio_set_int64(&part, 4);
    sc_ratio_div(&high, &high, &part);
    clamp(out, &low, &high);
    if (e->aggregate->kind->is_sample && numbers->rows > 1) {
        quotient(numbers->rows, numbers->rows - 1, &part);
        sc_ratio_mul(out, out, &part);
    }
}

/* Rounding of a root is far below the digits that are shown; ends go outwards by it, but not
 * out of the range. */
static void take_roots(const sc_variance_setting *setting, sc_real_interval *interval,
                       sc_ratio *value)
{
    interval->low = sqrt(interval->low) * (1 - 0x1p-50);
    interval->high =
        fmin(sqrt(interval->high) * (1 + 0x1p-50), sqrt(sc_variance_most(setting)));
    sc_real_to_ratio(sqrt(sc_ratio_upper(value)), value);
}

static scrim_status estimate_variance(const sc_estimator *e,
                                      const sc_estimate_numbers *numbers,
                                      sc_estimate *out, scrim_error *error)
{
    (void)error;
    sc_real_interval interval =
        sc_variance_interval(&e->setting, (double)numbers->sum, (double)numbers->squares,
                             (double)numbers->rows, e->beta);
    SC_OWN(sc_ratio, unit);
    sc_ratio_set(&unit, &e->step);
    variance_value(e, numbers, &out->value);
    if (e->aggregate->kind->is_root)
        take_roots(&e->setting, &interval, &out->value);
    else
        sc_ratio_mul(&unit, &unit, &unit);
    set_ends(&interval, out);
    hold_value(out);
    sc_estimator_finish(e, &unit, out);
    return SCRIM_OK;
}

scrim_status sc_estimate_of(const sc_estimator *e, const sc_estimate_numbers *numbers,
                            sc_estimate *out, scrim_error *error)
{
    out->is_open = false;
    return e->aggregate->kind->numbers->estimate(e, numbers, out, error);
}

/* Predictions: the interval of a group whose numbers have no noise. */

static double half_of(const sc_real_interval *interval, bool as_roots)
{
    if (as_roots)
        return (sqrt(interval->high) - sqrt(interval->low)) / 2;
    return (interval->high - interval->low) / 2;
}

/* Guessed moments of the values of a group, in steps. */
typedef struct moments {
    double mean, variance;
} moments;

static moments moments_of(const sc_estimator *e, const sc_column_guess *guess)
{
    SC_OWN(sc_ratio, mean, variance);
    sc_column_guess_moments(guess, e->aggregate, &mean, &variance);
    return (moments){sc_ratio_upper(&mean), sc_ratio_upper(&variance)};
}

static double mean_half(const sc_estimator *e, double rows, const sc_column_guess *guess)
{
    const sc_real_interval interval = sc_mean_interval(
        &e->setting.mean, moments_of(e, guess).mean * rows, rows, e->beta);
    return half_of(&interval, false) * sc_ratio_upper(&e->step);
}

static double variance_half(const sc_estimator *e, double rows,
                            const sc_column_guess *guess)
{
    const bool is_root = e->aggregate->kind->is_root;
    const double step = sc_ratio_upper(&e->step);
    const moments of = moments_of(e, guess);
    const double m = of.mean, v = of.variance;
    const sc_real_interval interval = sc_variance_interval(
        &e->setting, m * rows, (v + m * m - (double)e->offset) * rows, rows, e->beta);
    double half = half_of(&interval, is_root);
    /* An assumed variance near 0 must not make the predicted interval short. */
    if (guess == NULL)
        half = fmax(half, is_root ? sqrt(interval.high) - sqrt(v) : interval.high - v);
    return half * (is_root ? step : step * step);
}

static double within_half(const sc_estimator *e, double rows,
                          const sc_column_guess *guess)
{
    (void)rows;
    (void)guess;
    return (double)e->within * sc_ratio_upper(&e->step);
}

/* Digits. */

static unsigned no_digits(const sc_estimator *e)
{
    (void)e;
    return 0;
}

unsigned sc_estimator_digits_for(const sc_estimator *e, double size)
{
    const unsigned exact = sc_digits_of_step(&e->step),
                   enough = sc_digits_for(size / 100);
    return enough < exact ? enough : exact;
}

static unsigned sum_digits(const sc_estimator *e)
{
    return sc_estimator_digits_for(e, within_half(e, MANY_ROWS, NULL));
}

static unsigned moment_digits(const sc_estimator *e)
{
    return sc_digits_for(e->aggregate->kind->numbers->half_width(e, MANY_ROWS, NULL));
}

const sc_estimate_rule sc_rows_rule = {SC_ESTIMATE_SUM, set_rows, estimate_rows,
                                       within_half, no_digits};
const sc_estimate_rule sc_units_rule = {SC_ESTIMATE_SUM, set_units, estimate_units,
                                        within_half, no_digits};
const sc_estimate_rule sc_sum_rule = {SC_ESTIMATE_SUM, set_sum, estimate_sum, within_half,
                                      sum_digits};
const sc_estimate_rule sc_mean_rule = {SC_ESTIMATE_MEAN, set_quotient, estimate_mean,
                                       mean_half, moment_digits};
const sc_estimate_rule sc_variance_rule = {
    SC_ESTIMATE_APART, set_quotient, estimate_variance, variance_half, moment_digits};
sc_estimate_form sc_estimate_form_of(const sc_query_aggregate *aggregate)
{
    return aggregate->with_range || aggregate->kind->numbers == NULL
               ? SC_ESTIMATE_APART
               : aggregate->kind->numbers->form;
}

bool sc_estimate_is_summed(const sc_query *query)
{
    bool is = query->person == NULL;
    for (size_t i = 0; i < query->aggregate_count; i++)
        is &= sc_estimate_form_of(&query->aggregates[i]) == SC_ESTIMATE_SUM &&
              query->aggregates[i].kind->reads != SC_READS_VALUES;
    for (size_t i = 0; i < query->output_count; i++)
        is &= query->outputs[i].formula == NULL;
    return is;
}

static const scrim_measurement *
measurement_of(const scrim_measurement *const *measurements, size_t statistic)
{
    return statistic == SC_STATISTIC_NONE ? NULL : measurements[statistic];
}

sc_estimate_sources sc_estimate_sources_of(const sc_statistic_use *use,
                                           const scrim_measurement *const *measurements)
{
    return (sc_estimate_sources){
        .units = measurement_of(measurements, use->units),
        .rows = measurement_of(measurements, use->rows),
        .missing = measurement_of(measurements, use->missing),
        .sum = measurement_of(measurements, use->sum),
        .squares = measurement_of(measurements, use->squares),
        .quantiles = measurement_of(measurements, use->quantiles),
        .around = measurement_of(measurements, use->around),
    };
}

scrim_status sc_estimator_predict(const sc_estimator *e, const sc_group_guess *guess,
                                  sc_ratio *out, scrim_error *error)
{
    (void)error;
    sc_real_three_upper(e->aggregate->kind->numbers->half_width(
                            e, sc_ratio_upper(guess->rows), guess->column),
                        out);
    return SCRIM_OK;
}
