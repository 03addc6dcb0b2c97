/* One wrong, ambiguous or unproved statement, as the files of this room describe it. Each file holds
 * the rows of a document or of a part of it; errata.c lists the files in their order. */
#ifndef SC_EXPERIMENT_ERRATUM_H
#define SC_EXPERIMENT_ERRATUM_H

#include "experiment/errata/working.h"

typedef struct sc_erratum {
    scrim_erratum facts;
    void (*run)(
        sc_working *w); /* computes the counterexample; NULL: it needs no number */
} sc_erratum;

typedef struct sc_errata_section {
    const sc_erratum *rows;
    size_t count;
} sc_errata_section;

#define SC_ERRATA_SECTION(rows_)                                                         \
    {                                                                                    \
        .rows = (rows_), .count = sizeof(rows_) / sizeof *(rows_)                        \
    }

extern const sc_errata_section sc_errata_robustness, sc_errata_histogram,
    sc_errata_foundations, sc_errata_mechanisms, sc_errata_sparse, sc_errata_local,
    sc_errata_renyi, sc_errata_microdata, sc_errata_floating, sc_errata_threshold;

/* The row with this number; NULL if there is none. */
const sc_erratum *sc_erratum_find(unsigned number);

#endif
