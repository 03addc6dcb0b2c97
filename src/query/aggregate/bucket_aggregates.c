/* SUPPORT(x) and HISTOGRAM(x), which give a row a bucket. */
#include "query/aggregate/aggregates.h"
#include "query/estimate/bar_answer.h"
#include "query/language/select_list.h"
#include "query/plan/division.h"

static void promise_support(const sc_query_aggregate *a, const sc_bar_view *view,
                            sc_text_sink *sink)
{
    (void)a;
    sc_text_put(sink, sc_text_of("every bucket of more than "));
    sc_bar_put_elements(sink, view, view->most);
    sc_text_put(sink, sc_text_of(" is there"));
}

static void promise_histogram(const sc_query_aggregate *a, const sc_bar_view *view,
                              sc_text_sink *sink)
{
    (void)a;
    if (view->is_noisy) {
        sc_text_put(sink, sc_text_of("all counts together are within "));
        sc_bar_put_elements(sink, view, view->shift);
        sc_text_put(sink, sc_text_of(" of the true ones"));
        return;
    }
    sc_text_put(sink, sc_text_of("a count is never above the true one, and a bucket that "
                                 "is not shown holds at most "));
    sc_bar_put_elements(sink, view, view->most);
}

#define BUCKETS                                                                          \
    .reads = SC_READS_BARS, .text_order = "", .read = sc_aggregate_bars_read,            \
    .weigh = sc_weigh_bars

const sc_aggregate sc_aggregate_support = {
    .name = "SUPPORT",
    .forms = {{"SUPPORT", 1, 2, "SUPPORT(x) or SUPPORT(x, width)", NULL}},
    .shape = SC_SHAPE_BUCKETS,
    .span = SC_SPAN_VALUE,
    .is_unpredicted = true,
    BUCKETS,
    .bars = &(const sc_bar_rule){.side = SC_BAR_EACH,
                                 .metric = SC_METRIC_HAUSDORFF,
                                 .promise = promise_support},
};

const sc_aggregate sc_aggregate_histogram = {
    .name = "HISTOGRAM",
    .forms = {{"HISTOGRAM", 1, 2, "HISTOGRAM(x, width) or HISTOGRAM(x)", NULL}},
    .shape = SC_SHAPE_COUNTS,
    BUCKETS,
    .bars = &(const sc_bar_rule){.side = SC_BAR_EACH,
                                 .metric = SC_METRIC_MOVE,
                                 .promise = promise_histogram},
};
