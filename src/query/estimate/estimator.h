/* The inside of an estimator, for the rules that make estimates (estimate.h): counts, sums, means and variances
 * in estimate.c, quantiles in quantile_estimate.c. */
#ifndef SC_QUERY_ESTIMATOR_H
#define SC_QUERY_ESTIMATOR_H

#include "query/estimate/moment_interval.h"
#include "query/language/question.h"

typedef struct sc_estimator sc_estimator;
typedef struct sc_estimate sc_estimate;

/* Tables that quantiles drawn together share, and room for their rings. */
typedef struct sc_rank_room sc_rank_room;
void sc_rank_room_free(sc_rank_room *room); /* NULL is allowed */

struct sc_estimator {
    const sc_query_aggregate *aggregate;
    sc_extent extent; /* of the value; 0 to 2^62 of step 1 for counts */
    sc_ratio step;    /* of the extent */
    int64_t centre;   /* x - centre is what is summed */
    int64_t offset;
    sc_noise rows, sum, squares;
    bool is_derived;  /* a sum that follows from a centred one and the rows */
    sc_int128 within; /* of counts and sums: the half-width, in steps */
    uint64_t most;    /* of different values: as many as the range has; 0: not known */
    double beta;      /* 1 - confidence, not above it */
    sc_variance_setting setting;
    sc_noise around; /* of quantiles: that of the rows in a ring */
    sc_rank_room *ranks;
    unsigned digits;
};

/* SCRIM_E_INTERNAL: the aggregate lacks a number. */
scrim_status sc_estimator_refuse(scrim_error *error);
/* The noise of a number that the aggregate must have. */
SCRIM_MUST_USE scrim_status sc_estimator_noise(const scrim_measurement *measurement,
                                               sc_noise *out, scrim_error *error);
/* From steps to the unit of the column, rounded outwards to the digits. */
void sc_estimator_finish(const sc_estimator *estimator, const sc_ratio *unit,
                         sc_estimate *out);
/* The digits that a hundredth of size needs, but not more than the values have. */
unsigned sc_estimator_digits_for(const sc_estimator *estimator, double size);

#endif
