#include "mechanism/histogram/extremes.h"

scrim_status sc_bars_check_order(const sc_bars *bars, sc_finding_kind kind,
                                 scrim_error *error)
{
    if (bars->buckets->dimensions == 1 && !bars->buckets->is_labelled)
        return SCRIM_OK;
    return sc_fail_for(
        error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "dimensions",
        "%s: it needs one dimension without labels; other places have no order",
        sc_finding_name(kind));
}

/* Places that are not shown, on the side of a bar where none is shown: so many at most hold
 * anything, beside all that are. */
static sc_uint128 beyond(const sc_bars *bars, uint64_t places)
{
    return sc_bars_left_out_upper(bars, places, bars->count);
}

scrim_status sc_bars_max(const sc_bars *bars, sc_exact_finding *out, scrim_error *error)
{
    scrim_status status = sc_bars_check_order(bars, SC_FINDING_MAX, error);
    if (status != SCRIM_OK)
        return status;
    sc_finding_init(out, SC_FINDING_MAX, bars);
    if (bars->count == 0) {
        sc_finding_set_empty(out, bars);
        return SCRIM_OK;
    }
    const sc_bar *last = &bars->bars[bars->count - 1];
    sc_finding_set_place(out, bars, last);
    out->beyond_most = beyond(bars, bars->buckets->count - 1 - last->place);
    return SCRIM_OK;
}

scrim_status sc_bars_min(const sc_bars *bars, sc_exact_finding *out, scrim_error *error)
{
    scrim_status status = sc_bars_check_order(bars, SC_FINDING_MIN, error);
    if (status != SCRIM_OK)
        return status;
    sc_finding_init(out, SC_FINDING_MIN, bars);
    if (bars->count == 0) {
        sc_finding_set_empty(out, bars);
        return SCRIM_OK;
    }
    sc_finding_set_place(out, bars, &bars->bars[0]);
    out->beyond_most = beyond(bars, bars->bars[0].place);
    return SCRIM_OK;
}

/* Both ends, and what is outside of them. */
static scrim_status set_ends(const sc_bars *bars, sc_finding_kind kind,
                             sc_exact_finding *out, scrim_error *error)
{
    scrim_status status = sc_bars_check_order(bars, kind, error);
    if (status != SCRIM_OK)
        return status;
    sc_finding_init(out, kind, bars);
    if (bars->count == 0) {
        sc_finding_set_empty(out, bars);
        return SCRIM_OK;
    }
    const sc_bar *first = &bars->bars[0], *last = &bars->bars[bars->count - 1];
    sc_finding_set_place(out, bars, first);
    out->here_least = first->count < last->count ? first->count : last->count;
    sc_buckets_centre(bars->buckets, last->place, &out->high);
    sc_ratio_sub(&out->value, &out->high, &out->low);
    out->beyond_most =
        beyond(bars, first->place + (bars->buckets->count - 1 - last->place));
    return SCRIM_OK;
}

scrim_status sc_bars_interval(const sc_bars *bars, sc_exact_finding *out,
                              scrim_error *error)
{
    SC_TRY(set_ends(bars, SC_FINDING_INTERVAL, out, error));
    out->flexible.metric = SC_METRIC_SUP;
    return SCRIM_OK;
}

/* Each end moves by beta, and they may do so in opposite directions. */
scrim_status sc_bars_range(const sc_bars *bars, sc_exact_finding *out, scrim_error *error)
{
    SC_TRY(set_ends(bars, SC_FINDING_RANGE, out, error));
    sc_ratio_add(&out->flexible.beta, &bars->buckets->error, &bars->buckets->error);
    return SCRIM_OK;
}

void sc_bars_support(const sc_bars *bars, sc_exact_finding *out)
{
    sc_finding_init(out, SC_FINDING_SUPPORT, bars);
    out->flexible.metric = SC_METRIC_HAUSDORFF;
    if (bars->count == 0) {
        sc_finding_set_empty(out, bars);
        return;
    }
    out->here_least = SC_BARS_COUNT_MAX;
    for (size_t i = 0; i < bars->count; i++)
        if (bars->bars[i].count < out->here_least)
            out->here_least = bars->bars[i].count;
    sc_ratio_set_int64(&out->value, (int64_t)bars->count);
    sc_ratio_set(&out->low, &out->value);
    sc_ratio_set(&out->high, &out->value);
    out->beyond_most = beyond(bars, bars->buckets->count - bars->count);
}

void sc_bars_total(const sc_bars *bars, sc_exact_finding *out)
{
    sc_finding_init(out, SC_FINDING_TOTAL, bars);
    sc_ratio_set_int64(&out->value, (int64_t)bars->total);
    sc_ratio_set(&out->low, &out->value);
    sc_ratio_set(&out->high, &out->value);
    out->beyond_most = out->dropped_most;
    out->rank_low = bars->total;
    out->rank_high = bars->total + out->dropped_most;
    /* No bar holds more than the largest that is shown and what was left out of it. */
    for (size_t i = 0; i < bars->count; i++)
        if (bars->bars[i].count + bars->q > out->bar_most)
            out->bar_most = bars->bars[i].count + bars->q;
    if (!bars->has_size)
        return;
    out->rank_low = bars->size;
    out->rank_high = bars->size;
}
