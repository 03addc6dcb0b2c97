/* MODE(x), of a histogram. */
#include "mechanism/histogram/bar_statistics.h"
#include "query/aggregate/aggregates.h"
#include "query/estimate/bar_answer.h"
#include "query/language/select_list.h"
#include "query/plan/division.h"

static scrim_status find_mode(const sc_query_aggregate *a, const sc_bars *bars,
                              sc_exact_finding *out, scrim_error *error)
{
    (void)a;
    (void)error;
    sc_bars_mode(bars, out);
    return SCRIM_OK;
}

static void promise_mode(const sc_query_aggregate *a, const sc_bar_view *view,
                         sc_text_sink *sink)
{
    if (view->grid.width == 1)
        sc_bar_put_near(sink, a, view, "mode");
    else
        sc_text_put(sink, sc_text_of("the value is in the fullest bucket of the rest"));
    sc_text_put(sink, sc_text_of(", and no other bucket holds more than "));
    sc_bar_put_elements(sink, view, view->most);
    sc_text_put(sink, sc_text_of(" beyond what its own does"));
    if (view->grid.width > 1)
        sc_text_put(sink, sc_text_of("; its distance from the true mode is not known"));
}

const sc_aggregate sc_aggregate_mode = {
    .name = "MODE",
    .forms = {{"MODE", 1, 2, "MODE(x) or MODE(x, width)", NULL}},
    .reads = SC_READS_BARS,
    .span = SC_SPAN_VALUE,
    .is_unpredicted = true,
    .text_order = " ORDER BY n DESC LIMIT 1",
    .read = sc_aggregate_bars_read,
    .weigh = sc_weigh_bars,
    .bars = &(const sc_bar_rule){.side = SC_BAR_NEITHER,
                                 .metric = SC_METRIC_ABSOLUTE,
                                 .find = find_mode,
                                 .promise = promise_mode},
};
