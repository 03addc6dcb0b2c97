/* The parts of a formula that have intervals of their own, at a level at which all of them hold together
 * (formula_estimate.h), and these intervals.
 *
 * Claim  formula-parts.level  with probability at least 1 - beta the intervals of all parts hold the true
 *                             values at once
 */
#ifndef SC_QUERY_FORMULA_PARTS_H
#define SC_QUERY_FORMULA_PARTS_H

#include "query/estimate/estimate.h"
#include "query/estimate/formula_smooth.h"
#include "query/estimate/noise_sum.h"

/* The inputs of an estimate; all of them must outlive it. */
typedef struct sc_formula_setting {
    const sc_formula *formula;
    const sc_query *query;
    const sc_statistics *statistics;
    const scrim_measurement *const *measurements; /* by statistic: what draws it */
} sc_formula_setting;

/* An aggregate that comes with an interval of its own: VAR, quantiles, MAX, WITH RANGE. */
typedef struct sc_formula_apart {
    size_t aggregate;
    sc_estimator *estimator; /* at the level that it has here; NULL: made of bars */
} sc_formula_apart;
/* The estimate of such an aggregate; is_null: it has no value, so it may be anything. */
typedef struct sc_formula_known {
    sc_estimate estimate;
    bool is_null;
} sc_formula_known;

#define SC_FORMULA_NONE SIZE_MAX

/* A form, a smooth step, or a separate aggregate. */
typedef struct sc_formula_part {
    size_t step;              /* where it stands first */
    size_t apart;             /* SC_FORMULA_NONE for a form or a smooth step */
    sc_ratio half;            /* of a sum: of its interval */
    sc_formula_smooth smooth; /* of a smooth step; else without numbers */
} sc_formula_part;

typedef struct sc_formula_parts {
    sc_formula_setting setting;
    sc_formula_forms forms;
    sc_noise *noises;        /* by number of the forms */
    sc_formula_apart *apart; /* each aggregate once */
    size_t apart_count;
    sc_formula_part *parts;
    size_t part_count;
    size_t *part_of; /* by step; SC_FORMULA_NONE: it is computed from those before it */
    bool by_number;  /* forms are computed from the intervals of numbers: */
    sc_ratio *halves;
    bool is_certain; /* all of them hold with certainty */
    sc_ratio level;  /* of each: it may be missed with this probability, */
    double beta;     /* and the same, not above it */
} sc_formula_parts;

/* SCRIM_E_PARAM for a confidence outside (0, 1), SCRIM_E_LIMIT, SCRIM_E_MEMORY. The caller clears it
 * also on failure. */
SCRIM_MUST_USE scrim_status sc_formula_parts_init(sc_formula_parts *out,
                                                  const sc_formula_setting *setting,
                                                  const sc_ratio *confidence,
                                                  scrim_error *error);
void sc_formula_parts_clear(sc_formula_parts *parts);

/* The interval of a part, for the numbers of a group as a record has them and the estimates of separate
 * aggregates. */
void sc_formula_part_bounds(const sc_formula_parts *parts, size_t part,
                            const sc_int128 *numbers, const sc_formula_known *apart,
                            sc_formula_bounds *out);

#endif
