/* The parts of a synth_model, shared by the files that fit it and draw from it. Columns here are sorted by size, so
 * that the longest one is the inner loop; outside they keep the caller's order. */
#ifndef SC_SYNTH_STATE_H
#define SC_SYNTH_STATE_H

#include "base/cancel.h"
#include "synth/model/junction.h"

/* One factor of the product: a measured marginal, or cells that are declared impossible. */
typedef struct sc_synth_factor {
    sc_clique clique;
    size_t cells;
    double *theta;     /* log potential; of impossible cells -inf, for ever */
    double *measured;  /* NULL: not measured */
    double *precision; /* 1/variance */
} sc_synth_factor;

typedef struct sc_synth_model {
    sc_synth_columns columns;            /* sorted by size */
    size_t outer[SC_SYNTH_COLUMNS_MAX];  /* the caller's column of a sorted one */
    size_t sorted[SC_SYNTH_COLUMNS_MAX]; /* and back */
    sc_synth_columns given_columns;      /* as the caller has them */
    double total;
    sc_synth_factor *factors;
    size_t count, capacity;
    sc_clique_graph graph;    /* of the caller's columns, with all that was added */
    sc_triangulation cliques; /* of that graph */
    sc_junction junction;     /* of the last fit, calibrated */
    double misfit;            /* of the last fit */
    bool is_conditioned;
    sc_cancel *cancel; /* the caller's; NULL: no fit is ended */
} sc_synth_model;

#endif
