/* A number of a list of places, with messages that name where it was read. */
#ifndef SC_ACCURACY_PLACE_NUMBER_H
#define SC_ACCURACY_PLACE_NUMBER_H

#include "base/number/ratio.h"
#include "scrim/accuracy.h"

/* What a message calls a place: "'a.csv', line 3", or "place 3". */
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

#endif
