/* A release in its series: which one it is, of what, and how the next one comes to be. */
#ifndef SC_CLI_SERIES_PLACE_H
#define SC_CLI_SERIES_PLACE_H

#include "cli/display/json_writer.h"

#include <stdbool.h>

typedef struct sc_series_place {
    scrim_series *series;
    scrim_series_facts facts;
    scrim_series_step step;
} sc_series_place;

/* The series as it is now, and in it the release that has this number in the ledger. What
 * scrim_series_read returns; SCRIM_E_PARAM when the series has none of that number. */
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

#endif
