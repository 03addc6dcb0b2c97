/* MIN(x), MAX(x), RANGE(x) and MAX_K(x, k), of a histogram. */
#include "mechanism/histogram/bar_statistics.h"
#include "query/aggregate/aggregates.h"
#include "query/estimate/bar_answer.h"
#include "query/language/select_list.h"
#include "query/plan/division.h"

/* "; no bucket above it holds more than 27 people" */
static void put_extreme(const sc_query_aggregate *a, const sc_bar_view *view,
                        const char *what, const char *where, sc_text_sink *sink)
{
    sc_bar_put_near(sink, a, view, what);
    sc_text_put(sink, sc_text_of(", and no bucket "));
    sc_text_put(sink, sc_text_of(where));
    sc_text_put(sink, sc_text_of(" holds more than "));
    sc_bar_put_elements(sink, view, view->most);
}

static scrim_status find_min(const sc_query_aggregate *a, const sc_bars *bars,
                             sc_exact_finding *out, scrim_error *error)
{
    (void)a;
    return sc_bars_min(bars, out, error);
}

static scrim_status find_max(const sc_query_aggregate *a, const sc_bars *bars,
                             sc_exact_finding *out, scrim_error *error)
{
    (void)a;
    return sc_bars_max(bars, out, error);
}

static scrim_status find_max_k(const sc_query_aggregate *a, const sc_bars *bars,
                               sc_exact_finding *out, scrim_error *error)
{
    return sc_bars_max_k(bars, a->k, out, error);
}

static void promise_min(const sc_query_aggregate *a, const sc_bar_view *view,
                        sc_text_sink *sink)
{
    put_extreme(a, view, "minimum", "below it", sink);
}

static void promise_max(const sc_query_aggregate *a, const sc_bar_view *view,
                        sc_text_sink *sink)
{
    put_extreme(a, view, "maximum", "above it", sink);
}

static void promise_range(const sc_query_aggregate *a, const sc_bar_view *view,
                          sc_text_sink *sink)
{
    put_extreme(a, view, "range", "beyond either end", sink);
}

static void promise_max_k(const sc_query_aggregate *a, const sc_bar_view *view,
                          sc_text_sink *sink)
{
    const bool is_exact = view->grid.width == 1;
    sc_text_put(sink,
                sc_text_of(is_exact ? "the value is the largest that "
                                    : "the value is in the last bucket that holds "));
    sc_bar_put_elements(sink, view, a->k);
    sc_text_put(sink, sc_text_of(is_exact ? " of the rest share" : " of the rest"));
    sc_text_put(sink, sc_text_of(", and no bucket above it holds "));
    sc_bar_put_elements(sink, view, a->k + view->most);
}

#define EXTREME                                                                          \
    .reads = SC_READS_BARS, .text_order = "", .read = sc_aggregate_bars_read,            \
    .weigh = sc_weigh_bars
#define RULE(s, f, p)                                                                    \
    .bars = &(const sc_bar_rule)                                                         \
    {                                                                                    \
        .side = (s), .metric = SC_METRIC_ABSOLUTE, .find = (f), .promise = (p)           \
    }

const sc_aggregate sc_aggregate_min = {
    .name = "MIN",
    .forms = {{"MIN", 1, 2, "MIN(x) or MIN(x, width)", NULL}},
    .span = SC_SPAN_VALUE,
    EXTREME,
    RULE(SC_BAR_LOWER, find_min, promise_min),
};

const sc_aggregate sc_aggregate_max = {
    .name = "MAX",
    .forms = {{"MAX", 1, 2, "MAX(x) or MAX(x, width)", NULL}},
    .span = SC_SPAN_VALUE,
    EXTREME,
    RULE(SC_BAR_UPPER, find_max, promise_max),
};

const sc_aggregate sc_aggregate_range = {
    .name = "RANGE",
    .forms = {{"RANGE", 1, 2, "RANGE(x) or RANGE(x, width)", NULL}},
    .span = SC_SPAN_WIDTH,
    EXTREME,
    RULE(SC_BAR_BOTH, find_max, promise_range),
};

const sc_aggregate sc_aggregate_max_k = {
    .name = "MAX_K",
    .forms = {{"MAX_K", 2, 3, "MAX_K(x, k) or MAX_K(x, k, width)", NULL}},
    .span = SC_SPAN_VALUE,
    .takes_k = true,
    EXTREME,
    RULE(SC_BAR_UPPER, find_max_k, promise_max_k),
};
