/* Data in buckets and what a release may have left of them, for tests of statistics: small enough to
 * look at every subset. Positions are whole half steps. */
#ifndef DROPPED_H
#define DROPPED_H

#include "mechanism/histogram/bar_statistics.h"

#define DROPPED_CELLS 12
#define DROPPED_ELEMENTS 48
/* Every subset of up to this many elements is looked at. */
#define DROPPED_SMALL 7

typedef struct dropped_case {
    uint64_t random; /* the state of its generator */
    size_t cells;
    uint64_t cell_steps; /* half the width of a cell; 0: places are points */
    uint64_t q;
    size_t count;
    uint64_t raw[DROPPED_ELEMENTS]; /* where the elements are, in order */
    uint64_t x[DROPPED_CELLS], y[DROPPED_CELLS];
    sc_buckets buckets;
    sc_bars bars; /* of y */
} dropped_case;

/* A case from a seed: random data of few or many elements in random buckets, of which up to q were
 * left out of each by one of several rules, among them none, all, from one side, from the
 * highest; in half of the cases with a public bound on the places that are not empty. The caller
 * clears it. */
void dropped_init(dropped_case *c, uint64_t seed);
void dropped_clear(dropped_case *c);
/* The given heights x and what is left of them, at the places 0, 1, ..; width 0: points. */
void dropped_set(dropped_case *c, const uint64_t *x, const uint64_t *y, size_t cells,
                 uint64_t q, const char *width);
/* A random number below n. */
uint64_t dropped_below(dropped_case *c, uint64_t n);

/* Where the centre of a place is, and how far an element may be from it, in half steps. */
uint64_t dropped_centre(const dropped_case *c, size_t place);
uint64_t dropped_error(const dropped_case *c);
/* A statistic of elements at these positions, in order and at least one: its value in half
 * steps. */
typedef uint64_t dropped_statistic(const uint64_t *raw, size_t count,
                                   const void *context);
/* The least distance between a value and the statistic of data of which at most `most` elements
 * were left out, but not all; UINT64_MAX for empty data. count <= DROPPED_SMALL. */
uint64_t dropped_nearest(const dropped_case *c, sc_uint128 most, uint64_t value,
                         dropped_statistic *statistic, const void *context);

#endif
