/* One wrong, ambiguous or unproved statement, as the files of this room describe it. Each file holds
 * the rows of a document or of a part of it; errata.c lists the files in their order. */
#ifndef SC_EXPERIMENT_ERRATUM_H
#define SC_EXPERIMENT_ERRATUM_H

#include "experiment/errata/working.h"

/* A line of a working: a formula, or where that is NULL a value in words. */
typedef struct sc_erratum_step {
    sc_working_part part;
    const char *formula, *what, *said;
} sc_erratum_step;

typedef struct sc_erratum {
    union {
        scrim_erratum facts;
        struct { /* the same members, for a row */
            unsigned number;
            int runs;
            const char *document, *place, *kind, *statement, *counterexample, *correction,
                *where;
        };
    };
    /* The working: its lines, or where they need more than formulas a function. NULL: it needs no number. */
    const sc_erratum_step *steps; /* behind the last one is one without a text */
    void (*run)(sc_working *w);
} sc_erratum;

_Static_assert(sizeof(scrim_erratum) == offsetof(sc_erratum, steps),
               "a row has the members of a scrim_erratum");

/* A row is {SC_FACTS(...), .statement = ..., .counterexample = ..., .correction = ..., .where = ...} and, if the
 * counterexample is computed, SC_STEPS(SC_INPUT(...), ...) or SC_RUNS(function). */
#define SC_FACTS(number_, document_, place_, kind_)                                      \
    .number = (number_), .document = (document_), .place = (place_), .kind = (kind_)
#define SC_STEPS(...)                                                                    \
    .runs = 1, .steps = (const sc_erratum_step[])                                        \
    {                                                                                    \
        __VA_ARGS__,                                                                     \
        {                                                                                \
            .what = NULL                                                                 \
        }                                                                                \
    }
#define SC_RUNS(function) .runs = 1, .run = (function)
#define SC_INPUT(formula, what)                                                          \
    {                                                                                    \
        SC_WORKING_INPUT, formula, what, NULL                                            \
    }
#define SC_STEP(formula, what)                                                           \
    {                                                                                    \
        SC_WORKING_STEP, formula, what, NULL                                             \
    }
#define SC_CLAIMED(formula, what)                                                        \
    {                                                                                    \
        SC_WORKING_CLAIMED, formula, what, NULL                                          \
    }
#define SC_TRUE(formula, what)                                                           \
    {                                                                                    \
        SC_WORKING_TRUE, formula, what, NULL                                             \
    }
/* part: INPUT, STEP, CLAIMED or TRUE. */
#define SC_SAY(part, what, said)                                                         \
    {                                                                                    \
        SC_WORKING_##part, NULL, what, said                                              \
    }

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
/* Adds the lines of a row that runs. */
void sc_erratum_work(const sc_erratum *erratum, sc_working *w);

#endif
