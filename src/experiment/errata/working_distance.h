/* Distances of the library in a working. */
#ifndef SC_EXPERIMENT_WORKING_DISTANCE_H
#define SC_EXPERIMENT_WORKING_DISTANCE_H

#include "experiment/errata/working.h"
#include "scrim/accuracy.h"

typedef struct sc_places {
    const scrim_place *places;
    size_t count;
} sc_places;

/* SC_PLACES({"0", "1/2"}, {"10", "1/2"}): places with their masses or counts. */
#define SC_PLACES(...)                                                                   \
    ((sc_places){(const scrim_place[]){__VA_ARGS__},                                     \
                 sizeof((const scrim_place[]){__VA_ARGS__}) / sizeof(scrim_place)})

/* The distance of a kind (scrim_distance_between) from a to b, as a number with a name; options may
 * be NULL. An infinite or irrational distance spoils the working. */
void sc_working_distance(sc_working *w, sc_working_part part, const char *name,
                         const char *kind, sc_places a, sc_places b,
                         const scrim_distance_options *options, const char *what);

#endif
