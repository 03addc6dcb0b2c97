/* The relation between datasets that a claim is made for. A claim without one is none. */
#ifndef SC_MODEL_NEIGHBOURS_H
#define SC_MODEL_NEIGHBOURS_H

#include "base/number/parameters.h"
#include "scrim/measurement.h"

/* The three words, ended by NULL; their places are the enumerators less one. */
extern const char *const sc_neighbours_words[];
/* Those that a mechanism on a table of many people may be given. */
extern const char *const sc_neighbours_central_words[];

/* The parameter of that name, for the lists of mechanisms. It is optional there, since a curve
 * alone may leave it out; a measurement for data requires it (measurement.h). */
#define SC_PARAMETER_NEIGHBOURS                                                          \
    {                                                                                    \
        .name = "neighbours", .kind = SC_PARAMETER_WORD, .optional = true,               \
        .words = sc_neighbours_central_words, .domain = "add-remove or replace"          \
    }

#endif
