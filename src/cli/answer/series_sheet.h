/* A series with the answers of all releases that were made, as they are replayed: for tables and
 * plots. Free of charge. */
#ifndef SC_CLI_SERIES_SHEET_H
#define SC_CLI_SERIES_SHEET_H

#include "scrim.h"

typedef struct sc_series_sheet {
    scrim_series *series;
    scrim_series_facts facts;
    scrim_series_step *steps; /* of the releases that were made */
    scrim_result **results;
    size_t count;
    scrim_plan *plan; /* of what it asks now; NULL: it cannot be planned */
} sc_series_sheet;

/* confidence may be NULL: as each was first shown. What scrim_series_read and scrim_query_replay
 * return, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_series_sheet_read(scrim_vault *vault, const char *name,
                                                 const char *confidence,
                                                 sc_series_sheet *out,
                                                 scrim_error *error);
/* Also of zeros. */
void sc_series_sheet_clear(sc_series_sheet *sheet);

#define SC_SERIES_WINDOW_BYTES 300
/* "1..601", or "version 3". */
void sc_series_window_name(const scrim_series_step *step,
                           char text[SC_SERIES_WINDOW_BYTES]);

#endif
