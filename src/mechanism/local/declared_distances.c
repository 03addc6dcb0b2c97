#include "mechanism/local/declared_distances.h"

#define NAME "distances"

static scrim_status fill(const sc_ratio *items, size_t count,
                         uint8_t table[SC_PARAMETER_ITEMS], scrim_error *error)
{
    for (size_t i = 0; i < count; i++) {
        uint64_t whole = 0;
        SC_OWN(sc_integer, floor);
        sc_ratio_floor(&items[i], &floor);
        if (!sc_ratio_is_integer(&items[i]) || !sc_integer_get_uint64(&floor, &whole))
            return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, NAME,
                               "distances must be integers from 1 to 255");
        table[i] = (uint8_t)whole;
    }
    return SCRIM_OK;
}

scrim_status sc_declared_distances(const sc_parameters *parameters,
                                   scrim_local_config *config,
                                   uint8_t table[SC_PARAMETER_ITEMS], scrim_error *error)
{
    size_t count = 0;
    const sc_ratio *items = sc_parameters_items(parameters, NAME, &count);
    if (items == NULL || count == 0)
        return SCRIM_OK;
    if (count != (uint64_t)config->values * (config->values - 1) / 2)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, NAME,
                           "distances must be one for each pair of values: values "
                           "(values - 1) / 2 numbers");
    SC_TRY(fill(items, count, table, error));
    config->metric = 1;
    scrim_local_table_hash(table, count, config->table_hash);
    if (scrim_local_config_table(config, table, count) == SCRIM_LOCAL_OK)
        return SCRIM_OK;
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, NAME,
                       "distances must be those of a metric: no way over a third value "
                       "may be shorter");
}
