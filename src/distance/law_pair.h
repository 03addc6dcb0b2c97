/* Two laws (distributions) P and Q on one finite set: the masses of each outcome as integers, with the same total on both sides. Each
 * outcome is listed once; one without mass on either side is left out. */
#ifndef SC_DISTANCE_LAW_PAIR_H
#define SC_DISTANCE_LAW_PAIR_H

#include "base/number/ratio.h"
#include "scrim/divergence.h"

#define SC_LAWS_OUTCOMES ((size_t)1 << 20)

typedef struct sc_outcome_masses {
    sc_integer side[2]; /* P and Q */
} sc_outcome_masses;

struct scrim_laws {
    sc_outcome_masses *outcomes;
    size_t count;
    sc_integer total; /* of either side */
};

#endif
