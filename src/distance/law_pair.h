/* Two laws on one finite set, in integers with a common total: the masses of the outcomes, each
 * outcome once, and none that has no mass on either side. */
#ifndef SC_ACCURACY_LAW_PAIR_H
#define SC_ACCURACY_LAW_PAIR_H

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
