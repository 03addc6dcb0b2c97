#include "mechanism/histogram/buckets.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t cells_max = (uint64_t)1 << SC_BUCKETS_BITS;

/* Checks the limits that hold for every question. */
static scrim_status check_question(const sc_buckets_question *q, scrim_error *error)
{
    const bool is_above = q->lower == NULL ? sc_ratio_sign(q->upper) > 0
                                           : sc_ratio_compare(q->lower, q->upper) < 0;
    if (!is_above)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "upper",
                                 "must be above lower%s",
                                 q->lower == NULL ? ", which is 0" : "");
    if (sc_ratio_sign(q->beta) <= 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "beta",
                                 "must be above 0; it is how far a number may be from "
                                 "the centre of its bucket");
    if (q->dimensions == 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "dimensions",
                                 "there is at least one");
    if (q->dimensions > SC_BUCKETS_DIMENSIONS)
        return sc_fail(error, SCRIM_E_LIMIT, "dimensions: there are at most %d",
                       SC_BUCKETS_DIMENSIONS);
    if ((q->lower != NULL && sc_ratio_bits(q->lower) > SC_RATIO_BITS) ||
        sc_ratio_bits(q->upper) > SC_RATIO_BITS || sc_ratio_bits(q->beta) > SC_RATIO_BITS)
        return sc_fail(
            error, SCRIM_E_LIMIT,
            "lower, upper and beta have at most %d bits in its numerator and denominator",
            SC_RATIO_BITS);
    return SCRIM_OK;
}

/* The least T >= 1 with length/T <= 2 beta / d^(1/p): T >= x = length d^(1/p) / (2 beta). For
 * p = 2 that is T^2 >= x^2, whose least solution is the root of ceil(x^2) - 1, and one. */
static void set_per_axis(const sc_buckets_question *q, const sc_ratio *length,
                         sc_integer *out)
{
    SC_OWN(sc_ratio, x, d);
    SC_OWN(sc_integer, one);
    sc_integer_set_int128(&one, 1);
    sc_ratio_div(&x, length, q->beta);
    sc_ratio_set_int64(&d, 2);
    sc_ratio_div(&x, &x, &d);
    sc_ratio_set_int64(&d, (int64_t)q->dimensions);
    if (q->norm == SC_BUCKET_NORM_L2)
        sc_ratio_mul(&x, &x, &x);
    if (q->norm != SC_BUCKET_NORM_MAX)
        sc_ratio_mul(&x, &x, &d);
    sc_ratio_ceil(&x, out);
    if (q->norm == SC_BUCKET_NORM_L2) {
        sc_integer_sub(out, out, &one);
        sc_integer_sqrt(out, out);
        sc_integer_add(out, out, &one);
    }
}

/* T^d, or 0 beyond the limit. */
static uint64_t power(uint64_t per_axis, size_t dimensions)
{
    uint64_t cells = 1;
    for (size_t i = 0; i < dimensions; i++)
        if (!sc_uint64_mul(cells, per_axis, &cells) || cells > cells_max)
            return 0;
    return cells;
}

static void init_numbers(sc_buckets *buckets)
{
    sc_ratio_init(&buckets->lower);
    sc_ratio_init(&buckets->upper);
    sc_ratio_init(&buckets->width);
    sc_ratio_init(&buckets->error);
}

/* w/2 on one axis or in the largest coordinate, w d/2 in the sum; the Euclidean w sqrt(d)/2 has
 * no exact number in general, and beta is not below it. */
static void set_error(sc_buckets *buckets, const sc_ratio *beta)
{
    if (buckets->norm == SC_BUCKET_NORM_L2 && buckets->dimensions > 1) {
        sc_ratio_set(&buckets->error, beta);
        return;
    }
    SC_OWN(sc_ratio, factor);
    sc_ratio_set_int64(&factor, 2);
    sc_ratio_div(&buckets->error, &buckets->width, &factor);
    if (buckets->norm == SC_BUCKET_NORM_L1) {
        sc_ratio_set_int64(&factor, (int64_t)buckets->dimensions);
        sc_ratio_mul(&buckets->error, &buckets->error, &factor);
    }
}

scrim_status sc_buckets_init(sc_buckets *buckets, const sc_buckets_question *q,
                             scrim_error *error)
{
    sc_ratio length, cells;
    sc_integer per_axis;
    uint64_t narrow = 0, count = 0;
    scrim_status status = check_question(q, error);
    if (status != SCRIM_OK)
        return status;
    sc_ratio_init(&length);
    sc_ratio_init(&cells);
    sc_integer_init(&per_axis);
    sc_ratio_set(&length, q->upper);
    if (q->lower != NULL)
        sc_ratio_sub(&length, q->upper, q->lower);
    set_per_axis(q, &length, &per_axis);
    if (sc_integer_get_uint64(&per_axis, &narrow))
        count = power(narrow, q->dimensions);
    if (q->is_labelled)
        count = count <= cells_max / 2 ? 2 * count : 0;
    if (count == 0) {
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "beta: it takes more than %" PRIu64
                         " buckets; a larger beta takes fewer",
                         cells_max);
        goto done;
    }
    *buckets = (sc_buckets){.dimensions = q->dimensions,
                            .norm = q->norm,
                            .per_axis = narrow,
                            .count = count,
                            .is_labelled = q->is_labelled};
    init_numbers(buckets);
    if (q->lower != NULL)
        sc_ratio_set(&buckets->lower, q->lower);
    sc_ratio_set(&buckets->upper, q->upper);
    sc_ratio_set_integer(&cells, &per_axis);
    sc_ratio_div(&buckets->width, &length, &cells);
    set_error(buckets, q->beta);
done:
    sc_integer_clear(&per_axis);
    sc_ratio_clear(&cells);
    sc_ratio_clear(&length);
    return status;
}

scrim_status sc_buckets_init_points(sc_buckets *buckets, const sc_ratio *lower,
                                    const sc_ratio *step, uint64_t count,
                                    scrim_error *error)
{
    if (sc_ratio_sign(step) <= 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "step",
                                 "must be above 0");
    if (count == 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "points",
                                 "there is at least one");
    if (count > cells_max)
        return sc_fail(error, SCRIM_E_LIMIT, "points: there are more than %" PRIu64,
                       cells_max);
    *buckets = (sc_buckets){.dimensions = 1,
                            .norm = SC_BUCKET_NORM_MAX,
                            .per_axis = count,
                            .count = count,
                            .is_points = true};
    init_numbers(buckets);
    SC_OWN(sc_ratio, last);
    sc_ratio_set_int64(&last, (int64_t)(count - 1));
    sc_ratio_mul(&last, &last, step);
    sc_ratio_set(&buckets->lower, lower);
    sc_ratio_add(&buckets->upper, lower, &last);
    sc_ratio_set(&buckets->width, step);
    return SCRIM_OK;
}

void sc_buckets_clear(sc_buckets *buckets)
{
    sc_ratio_clear(&buckets->lower);
    sc_ratio_clear(&buckets->upper);
    sc_ratio_clear(&buckets->width);
    sc_ratio_clear(&buckets->error);
}

/* An index as it was computed, brought into 0..last. */
static uint64_t bring_inside(const sc_integer *index, uint64_t last)
{
    uint64_t narrow;
    if (sc_integer_sign(index) < 0)
        return 0;
    return sc_integer_get_uint64(index, &narrow) && narrow < last ? narrow : last;
}

uint64_t sc_buckets_index(const sc_buckets *buckets, const sc_ratio *value)
{
    SC_OWN(sc_ratio, from);
    SC_OWN(sc_integer, index);
    sc_ratio_sub(&from, value, &buckets->lower);
    sc_ratio_div(&from, &from, &buckets->width);
    sc_ratio_floor(&from, &index);
    return bring_inside(&index, buckets->per_axis - 1);
}

bool sc_buckets_is_inside(const sc_buckets *buckets, const sc_ratio *value)
{
    const int above = sc_ratio_compare(value, &buckets->upper);
    return sc_ratio_compare(value, &buckets->lower) >= 0 &&
           (above < 0 || (above == 0 && buckets->is_points));
}

uint64_t sc_buckets_place(const sc_buckets *buckets, const uint64_t *indices,
                          bool has_plus)
{
    uint64_t place = 0;
    for (size_t i = 0; i < buckets->dimensions; i++)
        place = place * buckets->per_axis + indices[i];
    return buckets->is_labelled && has_plus ? place + buckets->count / 2 : place;
}

bool sc_buckets_has_plus(const sc_buckets *buckets, uint64_t place)
{
    return buckets->is_labelled && place >= buckets->count / 2;
}

uint64_t sc_buckets_axis(const sc_buckets *buckets, uint64_t place, size_t axis)
{
    if (sc_buckets_has_plus(buckets, place))
        place -= buckets->count / 2;
    for (size_t i = axis + 1; i < buckets->dimensions; i++)
        place /= buckets->per_axis;
    return place % buckets->per_axis;
}

void sc_buckets_edge(const sc_buckets *buckets, uint64_t index, sc_ratio *out)
{
    sc_ratio_set_int64(out, (int64_t)index);
    sc_ratio_mul(out, out, &buckets->width);
    sc_ratio_add(out, out, &buckets->lower);
}

void sc_buckets_centre(const sc_buckets *buckets, uint64_t index, sc_ratio *out)
{
    if (buckets->is_points) {
        sc_buckets_edge(buckets, index, out);
        return;
    }
    SC_OWN(sc_ratio, half);
    sc_ratio_set_int64(&half, 2);
    sc_ratio_div(&half, &buckets->width, &half);
    sc_buckets_edge(buckets, index, out);
    sc_ratio_add(out, out, &half);
}

static int compare_places(const void *a, const void *b)
{
    const sc_bar *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

uint64_t sc_bars_add(uint64_t sum, uint64_t count)
{
    if (sum >= SC_BARS_COUNT_MAX || count >= SC_BARS_COUNT_MAX - sum)
        return SC_BARS_COUNT_MAX;
    return sum + count;
}

static scrim_status check(const sc_bars_facts *facts, const sc_bar *bars, size_t count,
                          scrim_error *error)
{
    if (facts->q > SC_BARS_Q_MAX)
        return sc_fail(error, SCRIM_E_LIMIT, "q must be at most 2147483647");
    for (size_t i = 0; i < count; i++)
        if (bars[i].place >= facts->buckets->count)
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "bar",
                               "a bar is outside the buckets");
    return SCRIM_OK;
}

static size_t keep_shown(sc_bar *out, const sc_bar *bars, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++)
        if (bars[i].count > 0) {
            out[kept] = bars[i];
            if (out[kept].count > SC_BARS_COUNT_MAX)
                out[kept].count = SC_BARS_COUNT_MAX;
            kept++;
        }
    return kept;
}

scrim_status sc_bars_init(sc_bars *out, const sc_bars_facts *facts, const sc_bar *bars,
                          size_t count, scrim_error *error)
{
    scrim_status status = check(facts, bars, count, error);
    if (status != SCRIM_OK)
        return status;
    sc_bar *sorted = sc_allocate(count, sizeof *sorted);
    if (sorted == NULL)
        return sc_no_memory(error, "a histogram");
    const size_t shown = keep_shown(sorted, bars, count);
    if (shown > 1)
        qsort(sorted, shown, sizeof *sorted, compare_places);
    uint64_t total = 0;
    for (size_t i = 0; i < shown; i++) {
        if (i > 0 && sorted[i].place == sorted[i - 1].place) {
            sc_free(sorted);
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_REPEATED, "bar",
                               "two bars at one place");
        }
        total = sc_bars_add(total, sorted[i].count);
    }
    uint64_t most = facts->buckets->count;
    if (facts->bars_max > 0 && facts->bars_max < most)
        most = facts->bars_max;
    if (facts->has_size && facts->size < most)
        most = facts->size;
    *out = (sc_bars){.buckets = facts->buckets,
                     .q = facts->q,
                     .bars_max = most < shown ? shown : most,
                     .has_size = facts->has_size,
                     .size = facts->size,
                     .bars = sorted,
                     .count = shown,
                     .total = total};
    return SCRIM_OK;
}

void sc_bars_clear(sc_bars *bars)
{
    sc_free(bars->bars);
    bars->bars = NULL;
    bars->count = 0;
}

uint64_t sc_bars_at(const sc_bars *bars, uint64_t place)
{
    const sc_bar key = {.place = place};
    if (bars->count == 0)
        return 0;
    const sc_bar *found =
        bsearch(&key, bars->bars, bars->count, sizeof key, compare_places);
    return found == NULL ? 0 : found->count;
}

sc_uint128 sc_bars_left_out_upper(const sc_bars *bars, uint64_t places, size_t elsewhere)
{
    const uint64_t most = bars->bars_max > elsewhere ? bars->bars_max - elsewhere : 0;
    return (sc_uint128)bars->q * (places < most ? places : most);
}

sc_uint128 sc_bars_dropped_upper(const sc_bars *bars)
{
    const sc_uint128 most = sc_bars_left_out_upper(bars, bars->buckets->count, 0);
    return bars->has_size && most > bars->size ? bars->size : most;
}

/* As a share of a public size, or as a number. */
static void set_alpha(const sc_bars *bars, sc_flexible_claim *out)
{
    SC_OWN(sc_integer, dropped, size);
    sc_integer_set_uint128(&dropped, sc_bars_dropped_upper(bars));
    sc_integer_set_uint128(&size, bars->has_size && bars->size > 0 ? bars->size : 1);
    sc_ratio_set_fraction(&out->alpha, &dropped, &size);
    out->is_count = !bars->has_size;
}

static const char *move_metric(const sc_buckets *buckets)
{
    if (buckets->dimensions == 1)
        return SC_METRIC_MOVE;
    switch (buckets->norm) {
    case SC_BUCKET_NORM_L1:
        return SC_METRIC_MOVE_L1;
    case SC_BUCKET_NORM_L2:
        return SC_METRIC_MOVE_L2;
    case SC_BUCKET_NORM_MAX:
    default:
        return SC_METRIC_MOVE_MAX;
    }
}

void sc_bars_flexible(const sc_bars *bars, sc_flexible_claim *out)
{
    set_alpha(bars, out);
    sc_ratio_set(&out->beta, &bars->buckets->error);
    sc_ratio_set_int64(&out->gamma, 0);
    sc_ratio_set_int64(&out->eta, 0);
    out->distortion = SC_DISTORTION_DROP;
    out->metric = move_metric(bars->buckets);
    out->is_average = false;
    out->is_beta_unbounded = false;
}

void sc_bars_debiased(const sc_bars *bars, uint64_t place, sc_ratio *out)
{
    const uint64_t shown = sc_bars_at(bars, place);
    sc_ratio_set_int64(out, (int64_t)shown);
    if (shown == 0)
        return;
    SC_OWN(sc_ratio, half, two);
    sc_ratio_set_int64(&half, (int64_t)bars->q);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_div(&half, &half, &two);
    sc_ratio_add(out, out, &half);
}
