#include "synth/model/clique.h"

#include "base/checked.h"

scrim_status sc_synth_columns_check(const sc_synth_columns *columns, scrim_error *error)
{
    if (columns->count == 0 || columns->count > SC_SYNTH_COLUMNS_MAX)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "columns",
                                 "the number must be at least 1 and at most %d",
                                 SC_SYNTH_COLUMNS_MAX);
    for (size_t i = 0; i < columns->count; i++)
        if (columns->sizes[i] == 0 || columns->sizes[i] > SC_SYNTH_SIZE_MAX)
            return sc_fail_parameter(
                error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "columns",
                "column %zu must have at least 1 value and at most %u", i + 1,
                (unsigned)SC_SYNTH_SIZE_MAX);
    return SCRIM_OK;
}

sc_clique sc_synth_columns_all(const sc_synth_columns *columns)
{
    return ~(sc_clique)0 >> (SC_SYNTH_COLUMNS_MAX - columns->count);
}

uint64_t sc_clique_cells(const sc_synth_columns *columns, sc_clique clique)
{
    uint64_t cells = 1;
    for (; clique != 0; clique &= clique - 1)
        if (!sc_uint64_mul(cells, columns->sizes[sc_clique_first(clique)], &cells))
            return UINT64_MAX;
    return cells;
}

sc_clique sc_clique_next(sc_clique set)
{
    const sc_clique low = set & (~set + 1), high = set + low;
    return high == 0 ? 0 : high | ((set ^ high) >> 2) / low;
}
