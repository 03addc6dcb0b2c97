#include "query/aggregate/aggregates.h"

#define ADDRESS(name) &sc_aggregate_##name,

static const sc_aggregate *const aggregates[] = {SC_AGGREGATES(ADDRESS)};

const sc_aggregate *sc_aggregate_at(size_t index)
{
    return index < sizeof aggregates / sizeof *aggregates ? aggregates[index] : NULL;
}
