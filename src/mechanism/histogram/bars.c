#include "mechanism/histogram/bars.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

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
