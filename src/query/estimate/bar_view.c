#include "query/estimate/bar_view.h"

#include "mechanism/histogram/stlap.h"

bool sc_bar_view_set(const sc_statistics *statistics, size_t statistic, int64_t width,
                     const scrim_measurement *measurement, uint64_t max_rows,
                     bool is_grouped, sc_bar_view *out)
{
    if (measurement->mechanism != &sc_stlap)
        return false;
    *out = (sc_bar_view){.grid = sc_bar_view_grid(statistics, statistic, width),
                         .most = sc_stlap_q(measurement),
                         .is_people = max_rows <= 1,
                         .is_grouped = is_grouped};
    return out->grid.count <= SC_BAR_GRID_COUNT;
}

sc_bar_grid sc_bar_view_grid(const sc_statistics *statistics, size_t statistic,
                             int64_t width)
{
    const sc_group_value *value = &statistics->groups[statistics->list[statistic].value];
    return sc_bar_grid_of(value->low, value->high, width);
}

void sc_bar_view_law(const scrim_measurement *measurement, sc_law *law)
{
    const sc_stlap_state *state = sc_stlap_state_of(measurement);
    sc_law_init(law, &sc_shifted_laplace_law, &state->epsilon, (sc_int128)state->q);
}
