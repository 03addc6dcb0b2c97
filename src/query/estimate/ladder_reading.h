/* Tails and quantiles of a noisy histogram over the rungs of a ladder. Each person stands on one rung, so that
 * all rungs together cost as much as one count, and everything here is read from the released counts.
 *
 * Claim  ladder-reading.tail      with the confidence the true number of people above a rung is not farther
 *                                 from the released one than the error
 * Claim  ladder-reading.quantile  with the confidence the true rung of a quantile is from low to high
 * Claim  ladder-reading.share     with the confidence the true share of some rungs is from low to high
 *
 * Proof. The number above a rung is a sum of released counts with independent noises (noise_sum.h). The
 * quantile p is on the first rung j with D_j = p (people above j) - (1 - p) (people up to j) <= 0, which is a sum of
 * counts with weights too. If the true one is J, then D_J <= 0 < D_{J-1}. low is above J only if the noise of
 * D_J is beyond its radius, and high below J only if that of D_{J-1} is. A share t is left out only if the noise of
 * (1 - t) (people) - t (others) is beyond its radius. A sum that is below 0 is taken as 0, which moves this difference
 * towards 0: shares that were possible stay so.
 */
#ifndef SC_QUERY_LADDER_READING_H
#define SC_QUERY_LADDER_READING_H

#include "query/estimate/noise_sum.h"
#include "query/language/extent.h"

/* The most rungs of a ladder. */
#define SC_LADDER_MOST 19

typedef struct sc_ladder_reading {
    double ends[SC_LADDER_MOST]; /* a person stands on the first rung that is not below */
    double first, unit;          /* the smallest value; the step from one to the next */
    int64_t counts[SC_LADDER_MOST]; /* released */
    size_t count;
    const scrim_measurement *noise; /* of each count */
    double beta;                    /* 1 less the confidence */
} sc_ladder_reading;

/* Rungs in steps, of which the smallest value is `first`; counts are 0. At most SC_LADDER_MOST. */
void sc_reading_init(sc_ladder_reading *reading, const int64_t *rungs, size_t count,
                     int64_t first, sc_value_step step, const scrim_measurement *noise,
                     const sc_ratio *confidence);

/* The people on all rungs; on those above one. Both may be negative, by the noise. */
int64_t sc_reading_people(const sc_ladder_reading *reading);
int64_t sc_reading_above(const sc_ladder_reading *reading, size_t rung);
/* How far a sum of `count` counts is from the truth, at most, with the confidence. Needs noise
 * and beta alone; 0 if count is 0. */
uint64_t sc_reading_error(const sc_ladder_reading *reading, size_t count);

typedef struct sc_ladder_quantile {
    size_t rung, low, high;
} sc_ladder_quantile;
/* The first rung that at most a share 1 - p of people is above, p in hundredths. The last rung
 * if every rung has more people above it. */
sc_ladder_quantile sc_reading_find(const sc_ladder_reading *reading, unsigned p);

/* The share of all people that stands on some rungs, and its ends with the confidence: all shares t for
 * which (1 - t) times these people less t times the others may be noise. */
#define SC_LADDER_WHOLE 10000
typedef struct sc_ladder_part {
    int share, low, high; /* of SC_LADDER_WHOLE, the ends rounded outwards */
} sc_ladder_part;
/* people: on `rungs` of the rungs together. */
sc_ladder_part sc_reading_share(const sc_ladder_reading *reading, int64_t people,
                                size_t rungs);

/* People on each rung as predictions take them: at least 0, and none above the last rung that has more people, with
 * those next to it, than the noise alone explains. All are 0 where the noise explains everything. */
void sc_reading_clean(const sc_ladder_reading *reading, double out[SC_LADDER_MOST]);

#endif
