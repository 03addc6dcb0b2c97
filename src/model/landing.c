#include "model/landing.h"

#include "model/data_number.h"

static sc_landing landing_of_ratio(const sc_grid *grid, const sc_ratio *x)
{
    sc_landing landing = {.place = sc_grid_of_ratio(grid, x)};
    SC_OWN(sc_ratio, steps);
    sc_grid_step(grid, &steps);
    sc_ratio_div(&steps, x, &steps);
    landing.is_below = sc_ratio_compare_int64(&steps, grid->low) < 0;
    landing.is_above = sc_ratio_compare_int64(&steps, grid->high) > 0;
    landing.is_rounded =
        !landing.is_below && !landing.is_above && !sc_ratio_is_integer(&steps);
    return landing;
}

bool sc_landing_of_text(const sc_grid *grid, sc_text text, sc_landing *out)
{
    SC_OWN(sc_ratio, value);
    const bool is_read = sc_data_number_value(text, &value);
    if (is_read)
        *out = landing_of_ratio(grid, &value);
    return is_read;
}
