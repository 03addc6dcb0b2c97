#include "mechanism/histogram/mode.h"

#include "mechanism/histogram/extremes.h"

/* Heights change when elements move, however little. */
static void set_beta(const sc_bars *bars, sc_exact_finding *out)
{
    out->flexible.is_beta_unbounded = !bars->buckets->is_points;
    sc_ratio_set_int64(&out->flexible.beta, 0);
}

void sc_bars_mode(const sc_bars *bars, sc_exact_finding *out)
{
    sc_finding_init(out, SC_FINDING_MODE, bars);
    set_beta(bars, out);
    if (bars->count == 0) {
        sc_finding_set_empty(out, bars);
        return;
    }
    const sc_bar *best = &bars->bars[0];
    for (size_t i = 1; i < bars->count; i++)
        if (bars->bars[i].count > best->count)
            best = &bars->bars[i];
    sc_finding_set_place(out, bars, best);
    out->bar_most = best->count + bars->q;
}

/* No bar shown has k: then none of x has k + q. What is shown at all stays what it was. */
static void set_none(const sc_bars *bars, uint64_t k, sc_exact_finding *out)
{
    if (bars->count == 0) {
        sc_finding_set_empty(out, bars);
        return;
    }
    out->is_empty = true;
    out->bar_most = k - 1 + bars->q;
}

scrim_status sc_bars_max_k(const sc_bars *bars, uint64_t k, sc_exact_finding *out,
                           scrim_error *error)
{
    scrim_status status = sc_bars_check_order(bars, SC_FINDING_MAX_K, error);
    if (status != SCRIM_OK)
        return status;
    if (k == 0)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "k",
                                 "must be at least 1");
    if (k > SC_BARS_COUNT_MAX)
        return sc_fail(error, SCRIM_E_LIMIT, "k must be at most 4.6e18");
    sc_finding_init(out, SC_FINDING_MAX_K, bars);
    if (k > 1)
        set_beta(bars, out);
    size_t i = bars->count;
    while (i > 0 && bars->bars[i - 1].count < k)
        i--;
    if (i == 0) {
        set_none(bars, k, out);
        return SCRIM_OK;
    }
    sc_finding_set_place(out, bars, &bars->bars[i - 1]);
    out->bar_most = k - 1 + bars->q;
    return SCRIM_OK;
}
