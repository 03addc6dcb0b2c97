/* Counts of intervals with less noise than a row needs. */
#include "audit/broken.h"
#include "mechanism/linear/interval_counts.h"

/* Under replace a row leaves one cell and enters another: two counts move, and one is charged. */
static scrim_status half_cost(const scrim_measurement *m, sc_exact_cost *out,
                              scrim_error *error)
{
    SC_OWN(sc_ratio, half, two);
    (void)error;
    sc_ratio_set_int64(&two, 2);
    sc_ratio_div(&half, sc_measurement_get(m, "epsilon"), &two);
    sc_cost_set_pure(out, &half);
    return SCRIM_OK;
}

static sc_mechanism half;

__attribute__((constructor)) static void make_half(void)
{
    half = sc_interval_counts;
    half.entry.name = "interval-counts-broken";
    half.cost = half_cost;
    half.draw = broken_draw;
}

BROKEN(intervals_of_one_cell, .wrong = "a row that moves is charged for one cell of two",
       .mechanism = &half, .line = "epsilon=2 cells=2 upper=2 neighbours=replace",
       .kind = BROKEN_LOSS, .size = "2", .claimed = "1",
       .source = "two counts with noise of rate 1 that move by 1 each")
