/* All mechanisms by name. To add one: write its family of files and one line in catalogue.c. */
#ifndef SC_MECHANISM_CATALOGUE_H
#define SC_MECHANISM_CATALOGUE_H

#include "model/measurement.h"

/* NULL past the last. */
const sc_mechanism *sc_catalogue_at(size_t index);
/* NULL, with SCRIM_E_PARAM and perhaps a did-you-mean, when no mechanism has this name. */
const sc_mechanism *sc_catalogue_find(sc_text name, scrim_error *error);
/* The mechanism that papers or other libraries call by this name; NULL: unknown. */
const sc_mechanism *sc_catalogue_known_as(sc_text name);
/* A measurement from its line, "NAME key=value ...", with a second mechanism behind "then" or "of". */
SCRIM_MUST_USE scrim_status sc_catalogue_parse(sc_text line, sc_purpose purpose,
                                               scrim_measurement **out,
                                               scrim_error *error);

#endif
