/* A series with the answers of all releases that were made, as they are replayed: for tables and
 * plots. Free of charge. */
#ifndef SC_CLI_SERIES_SHEET_H
#define SC_CLI_SERIES_SHEET_H

#include "cli/display/json_writer.h"
#include "scrim.h"

#include <stdbool.h>

/* A release in its series: which one it is, of what, and how the next one comes to be. */

typedef struct sc_series_place {
    scrim_series *series;
    scrim_series_facts facts;
    scrim_series_step step;
} sc_series_place;

/* The series as it is now, and in it the release that has this number in the ledger. Fails as
 * scrim_series_read; SCRIM_E_PARAM when no release of the series has that number. */
SCRIM_MUST_USE scrim_status sc_series_place_read(scrim_vault *vault, const char *name,
                                                 uint64_t release, sc_series_place *out,
                                                 scrim_error *error);
/* Also of zeros. */
void sc_series_place_clear(sc_series_place *place);

/* "series      release 2 of 3 of ages: age 18..64" */
void sc_series_place_talk(sc_output *output, const sc_series_place *place);
/* "series": "ages", "number": 2, "releases": 3, "from": "18", "to": "64"; without the ends where a
 * release is of a version. */
void sc_series_place_json(sc_json *json, const sc_series_place *place);

/* How the next release of a series by versions comes to be, once the last one made is of the version
 * that there is: a line, or nothing. made_of is the version of that one; where is what a command says
 * of its vault, as sc_vault_words has it. */
void sc_series_next_talk(sc_output *output, const scrim_series_facts *facts,
                         uint64_t made_of, const char *where);

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
