#include "data/table/bound_total.h"

/* The largest bound of a policy. */
#define MOST ((int64_t)1 << 62)

/* Candidates. */

static void add(sc_bound_totals *t, int64_t low, int64_t high)
{
    t->totals[t->count++] = (sc_bound_total){.low = low, .high = high};
}

typedef struct farthest {
    size_t number;
    sc_int128 most;
} farthest;

static void see_farthest(void *context, uint64_t groups, const sc_int128 *sums)
{
    farthest *f = context;
    const sc_int128 sum = sums[f->number], size = sum < 0 ? -sum : sum;
    (void)groups;
    f->most = size > f->most ? size : f->most;
}

/* Up to the first that keeps every total. */
static void list(sc_bound_totals *t, const sc_column *column, sc_int128 most)
{
    int64_t ten = 1;
    for (size_t i = 0; t->count < SC_BOUND_TOTALS; i++) {
        const int64_t bound = ten * (int64_t)(1 + i % 5);
        add(t, column->grid.low < 0 ? -bound : 0, column->grid.high > 0 ? bound : 0);
        if (bound >= most || (i % 5 == 4 && ten > MOST / 50))
            return;
        ten = i % 5 == 4 ? 10 * ten : ten;
    }
}

/* What they keep. */

typedef struct counting_totals {
    sc_bound_totals *out;
    size_t number;
    uint64_t max_groups;
} counting_totals;

static void keep(sc_bound_tally *tally, double all, double bound, double chance)
{
    tally->all += all;
    tally->kept += chance * (all < bound ? all : bound);
}

static void see_pair(void *context, uint64_t groups, const sc_int128 *sums)
{
    const counting_totals *c = context;
    const double sum = (double)sums[c->number],
                 chance =
                     c->max_groups < groups ? (double)c->max_groups / (double)groups : 1;
    for (size_t i = 0; i < c->out->count; i++) {
        sc_bound_total *total = &c->out->totals[i];
        if (sum > 0)
            keep(&total->above, sum, (double)total->high, chance);
        else
            keep(&total->below, -sum, -(double)total->low, chance);
    }
}

void sc_bound_totals_count(const sc_unit_count *units, size_t number,
                           const sc_column *column, uint64_t max_groups,
                           sc_bound_totals *out)
{
    farthest f = {.number = number};
    counting_totals c = {.out = out, .number = number, .max_groups = max_groups};
    *out = (sc_bound_totals){.has_declared = column->has_total};
    if (column->has_total)
        add(out, column->total_low, column->total_high);
    sc_unit_count_visit(units, see_farthest, &f);
    list(out, column, f.most);
    sc_unit_count_visit(units, see_pair, &c);
}

/* Shown. */

static void put(const sc_column *column, int64_t steps, sc_text_sink *sink)
{
    char text[SC_COLUMN_TEXT_BYTES];
    const size_t bytes = sc_column_format(column, steps, text, sizeof text);
    sc_text_put(sink, (sc_text){text, bytes});
}

void sc_bound_total_format(const sc_column *column, const sc_bound_total *total,
                           char text[SCRIM_TOTAL_BYTES])
{
    const bool has_low = column->grid.low<0, has_high = column->grid.high> 0,
               is_one = !has_low || !has_high || -total->low == total->high;
    sc_text_sink sink;
    sc_text_sink_init(&sink, text, SCRIM_TOTAL_BYTES);
    if (!is_one) {
        put(column, total->low, &sink);
        sc_text_put(&sink, sc_text_of(","));
    }
    put(column, is_one && !has_high ? -total->low : total->high, &sink);
}
