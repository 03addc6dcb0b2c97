/* Writing the charges of a ledger, one by one, in every format. */
#ifndef SC_CLI_HISTORY_WRITER_H
#define SC_CLI_HISTORY_WRITER_H

#include "cli/sheet/listing.h"

/* Of so many populations it is known that they have charges. */
#define SC_HISTORY_POPULATIONS 16

/* CSV has a row a charge; JSON is an object with rows. A table has a row a charge with the beginning of its
 * question; a verbose one has a note a charge, with the question on lines of its own. */
typedef struct sc_history {
    sc_listing listing;
    bool is_verbose;
    uint64_t count, unanswered;
    char populations[SC_HISTORY_POPULATIONS][SCRIM_NAME_BYTES]; /* of the charges */
    size_t population_count;
} sc_history;

void sc_history_begin(sc_history *history, sc_output *output, sc_format format,
                      bool is_verbose, const sc_terminal *terminal);
/* SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_history_add(sc_history *history,
                                           const scrim_vault_release *charge);
/* Ends the rows. Returns status, or SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_history_end(sc_history *history, scrim_status status,
                                           scrim_error *error);

/* "2026-11-15T07:53:00Z"; "" for 0, a time that is not known. */
#define SC_TIME_BYTES 32
void sc_time_format(uint64_t seconds, char text[SC_TIME_BYTES]);

#endif
