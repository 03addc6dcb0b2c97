#include "mechanism/histogram/bar_quantile.h"

#include "mechanism/histogram/extremes.h"

/* ceil(phi total), from 1 to total; 0 < phi <= 1 and total > 0. */
static uint64_t rank_of(const sc_ratio *phi, uint64_t total)
{
    uint64_t rank = 0;
    SC_OWN(sc_ratio, at);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&at, (int64_t)total);
    sc_ratio_mul(&at, &at, phi);
    sc_ratio_ceil(&at, &whole);
    (void)sc_integer_get_uint64(&whole, &rank);
    return rank;
}

/* Fewer than r elements of y lie below the value, at least r not above it. In x, those below are
 * at most q more for each place that holds any; those not above are no fewer. */
static void set_rank(const sc_bars *bars, uint64_t rank, sc_exact_finding *out)
{
    uint64_t seen = 0;
    size_t i = 0;
    while (seen + bars->bars[i].count < rank)
        seen += bars->bars[i++].count;
    sc_finding_set_place(out, bars, &bars->bars[i]);
    out->rank_low = rank;
    out->rank_high =
        rank + sc_bars_left_out_upper(bars, bars->bars[i].place, bars->count - i);
    out->beyond_most = 0;
    out->bar_most = 0;
}

scrim_status sc_bars_quantile(const sc_bars *bars, const sc_ratio *phi,
                              sc_exact_finding *out, scrim_error *error)
{
    scrim_status status = sc_bars_check_order(bars, SC_FINDING_QUANTILE, error);
    if (status != SCRIM_OK)
        return status;
    if (sc_ratio_sign(phi) <= 0 || sc_ratio_compare_int64(phi, 1) > 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "quantile",
                                 "must be above 0 and at most 1");
    sc_finding_init(out, SC_FINDING_QUANTILE, bars);
    if (bars->count == 0)
        sc_finding_set_empty(out, bars);
    else
        set_rank(bars, rank_of(phi, bars->total), out);
    return SCRIM_OK;
}

scrim_status sc_bars_median(const sc_bars *bars, sc_exact_finding *out,
                            scrim_error *error)
{
    SC_OWN(sc_ratio, half, two);
    sc_ratio_set_int64(&half, 1);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_div(&half, &half, &two);
    return sc_bars_quantile(bars, &half, out, error);
}
