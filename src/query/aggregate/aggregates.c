#include "query/aggregate/aggregates.h"

#define ADDRESS(name) &sc_aggregate_##name,

static const sc_aggregate *const aggregates[] = {SC_AGGREGATES(ADDRESS)};

const sc_aggregate *sc_aggregate_at(size_t index)
{
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    return index < sizeof aggregates / sizeof *aggregates ? aggregates[index] : NULL;
}
