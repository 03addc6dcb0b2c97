/* A number of a list of places, with messages that name where it was read. */
#ifndef PLACES_H
#define PLACES_H

#include "base/number/ratio.h"
#include "distance/wasserstein.h"
#include "scrim/accuracy.h"

/* The name of a place in messages: "'a.csv', line 3", or "place 3". */
#define SC_PLACES_WHERE_BYTES 192

/* One of a list. */
typedef struct sc_place_where {
    const char *what;
    size_t index;
    const scrim_list_lines *from;
} sc_place_where;

const char *sc_place_name(const sc_place_where *at, char text[SC_PLACES_WHERE_BYTES]);
/* SCRIM_E_INPUT: it is not a number. SCRIM_E_LIMIT: too many digits. */
SCRIM_MUST_USE scrim_status sc_place_number(const sc_place_where *at, sc_text text,
                                            sc_ratio *out, scrim_error *error);

/* Places and masses as they are given, in text, brought to the integers that distances are
 * computed with: steps of a common length on the line, indices of points elsewhere.
 */

#define SC_PLACES_DIMENSIONS 8
/* Names of a metric. */
#define SC_PLACES_NAMES 4096

typedef enum sc_places_norm {
    SC_PLACES_SUM,
    SC_PLACES_ROOT,
    SC_PLACES_MAX
} sc_places_norm;

typedef struct sc_places {
    sc_masses a, b;                          /* sorted */
    sc_ratio step;                           /* how long a step is */
    sc_ratio unit;                           /* how much a unit of mass counts */
    bool is_fraction;                        /* a mass is not a whole number, */
    char fraction_at[SC_PLACES_WHERE_BYTES]; /* here first */
    bool is_square;          /* distances are squares of steps, as those of norm 2 are */
    const sc_ground *ground; /* NULL: the line; else the member below */
    sc_ground general;
    unsigned dimensions;
    sc_places_norm norm;
    /* Points of several numbers, each once: count times dimensions, in steps. */
    int64_t *points;
    size_t point_count;
    /* Names of a metric in order, and the lengths between them, in steps. */
    const char **names;
    int64_t *lengths;
    size_t name_count;
} sc_places;

/* Reads both sides. Of options only dimensions, norm and the metric are looked at. Errors as
 * scrim_distance_between; out is to be cleared also after a failure. ground points into out, which
 * therefore stays where it is. */
SCRIM_MUST_USE scrim_status sc_places_read(sc_places *out, const scrim_place *a,
                                           size_t a_count, const scrim_place *b,
                                           size_t b_count,
                                           const scrim_distance_options *options,
                                           scrim_error *error);
void sc_places_clear(sc_places *places);

#endif
