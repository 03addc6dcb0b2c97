/* Places that occur in private rows, in order, with how often each does; and the law of answers that show some
 * of them, a place and a count each. */
#ifndef SC_MECHANISM_PLACE_TALLY_H
#define SC_MECHANISM_PLACE_TALLY_H

#include "model/outcomes.h"

typedef struct sc_place_tally {
    uint64_t *places;
    int64_t *counts;
    size_t count, room;
} sc_place_tally;

/* Room for so many places. SCRIM_E_MEMORY; cleared in any case. */
SCRIM_MUST_USE scrim_status sc_place_tally_init(sc_place_tally *tally, size_t room,
                                                scrim_error *error);
/* Wipes it. */
void sc_place_tally_clear(sc_place_tally *tally);
/* Sorts the first so many places, which the caller has set, and counts those that are equal. */
void sc_place_tally_count(sc_place_tally *tally, size_t found);

/* The law is given for so many places at most; a key has a place and a count for each that is shown, and is
 * filled up with -1. */
#define SC_PLACE_TALLY_LAW ((size_t)4)
#define SC_PLACE_TALLY_WIDTH (2 * SC_PLACE_TALLY_LAW)
/* An outcome of the counts becomes that of the places shown: those that have not the count hidden. */
SCRIM_MUST_USE scrim_status sc_place_tally_list(const sc_place_tally *tally,
                                                const sc_outcomes *counts, size_t index,
                                                int64_t hidden, sc_outcomes *out,
                                                scrim_error *error);

#endif
