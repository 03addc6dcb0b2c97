/* SUM(x). */
#include "query/aggregate/aggregates.h"
#include "query/estimate/estimate.h"
#include "query/language/select_list.h"
#include "query/plan/division.h"

static void weigh_sum(const sc_weighing *w)
{
    if (w->use->rows == SC_STATISTIC_NONE) {
        sc_weigh(w, w->use->sum, 1);
        return;
    }
    const int64_t centre = w->statement->statistics.list[w->use->sum].centre;
    const sc_uint128 sum = sc_weigh_reach(w, w->use->sum),
                     rows = (sc_uint128)(centre < 0 ? -centre : centre) *
                            sc_weigh_reach(w, w->use->rows);
    w->out->sum = SC_SPLIT_INDEPENDENT;
    sc_weigh(w, w->use->sum, sum);
    sc_weigh(w, w->use->rows, rows);
    /* Alone it would be drawn as it is: |x| is at most |centre| + radius. */
    w->out->alone = sum + rows;
}

const sc_aggregate sc_aggregate_sum = {
    .name = "SUM",
    .forms = {{"SUM", 1, 1, "SUM(x)", NULL}},
    .reads = SC_READS_SUM,
    .takes_range = true,
    .read = sc_aggregate_read_number,
    .weigh = weigh_sum,
    .numbers = &sc_sum_rule,
};
