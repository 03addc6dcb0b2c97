/* The list of all sources: another format adds its descriptor (source.h) and a line in sources.c. */
#ifndef SC_DATA_SOURCES_H
#define SC_DATA_SOURCES_H

#include "data/source/source.h"

/* The source that a schema names. SCRIM_E_PARAM where it names none, SCRIM_E_INPUT where its rows are
 * pushed. */
SCRIM_MUST_USE scrim_status sc_source_of(const sc_schema *schema, const sc_source **out,
                                         scrim_error *error);
/* Are rows of the schema pushed? SCRIM_E_POLICY where they are not. */
SCRIM_MUST_USE scrim_status sc_source_want_pushed(const sc_schema *schema,
                                                  scrim_error *error);

#endif
