/* The parts of a weight_model, for the file that draws rows from it. */
#ifndef SC_SYNTH_WEIGHT_STATE_H
#define SC_SYNTH_WEIGHT_STATE_H

#include "base/cancel.h"
#include "synth/model/table_axes.h"

/* A measured marginal, or one query with a numerator a cell of it. */
typedef struct sc_weight_measured {
    sc_clique clique;
    sc_table_fold fold;   /* of all columns onto it */
    sc_table_fold within; /* of the columns of a chunk onto those of them that it has */
    size_t *places;       /* [chunks] where its cells of a chunk begin */
    uint64_t repeats;     /* how often it was measured; answers are the means */
    double *answers;      /* [its cells]; of a query one, y/den */
    double *theta;        /* [its cells] the sum of its steps */
    double *sums;         /* likewise: of the weights */
    uint32_t *numerators; /* NULL: a marginal */
    uint32_t den;
} sc_weight_measured;

typedef struct sc_weight_model {
    sc_synth_columns columns;
    double total;
    size_t cells;
    size_t leading; /* columns before those of a chunk */
    size_t
        chunk; /* cells of a chunk, which stays in the cache: all values of the other columns */
    double *logs;    /* steps of queries that are not remembered */
    double *weights; /* exp of logs and all theta, scaled to add up to total */
    double *steps;   /* [cells] what cells are multiplied by */
    sc_weight_measured *list;
    size_t count, capacity;
    sc_cancel *cancel; /* the caller's; NULL: no update is ended */
} sc_weight_model;

#endif
