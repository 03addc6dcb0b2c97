/* A series with the replayed answers of all its releases, for tables and plots. Replaying costs
 * nothing. */
#ifndef SC_CLI_SERIES_SHEET_H
#define SC_CLI_SERIES_SHEET_H

#include "cli/display/json_writer.h"
#include "scrim.h"

#include <stdbool.h>

/* A release in its series: its number, its window or version, and what to do for the next one. */

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

/* For a series by versions whose last release is of the current version: a line that says how to
 * make the next release; else nothing. made_of is the version of the last release; where names
 * the vault in commands, as sc_vault_words gives it. */
void sc_series_next_talk(sc_output *output, const scrim_series_facts *facts,
                         uint64_t made_of, const char *where);

typedef struct sc_series_sheet {
    scrim_series *series;
    scrim_series_facts facts;
    scrim_series_step *steps; /* of the releases that were made */
    scrim_result **results;
    size_t count;
    scrim_plan *plan; /* of its question as it is now; NULL: it cannot be planned */
} sc_series_sheet;

/* confidence may be NULL: as each was first shown. Fails as scrim_series_read and
 * scrim_query_replay; SCRIM_E_MEMORY. */
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
