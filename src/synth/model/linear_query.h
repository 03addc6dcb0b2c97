/* A linear query about rows: a value from 0 to 1 for each cell of some columns, numerators[cell]/den. A predicate has the
 * values 0 and 1. */
#ifndef SC_SYNTH_LINEAR_QUERY_H
#define SC_SYNTH_LINEAR_QUERY_H

#include "synth/model/clique.h"

typedef struct sc_linear_query {
    sc_clique clique; /* its columns */
    const uint32_t *numerators;
    uint32_t den;
} sc_linear_query;

#endif
