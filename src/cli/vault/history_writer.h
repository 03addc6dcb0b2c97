/* Writing the charges of a ledger, one by one, in every format. */
#ifndef SC_CLI_HISTORY_WRITER_H
#define SC_CLI_HISTORY_WRITER_H

#include "cli/display/json_writer.h"
#include "cli/display/listing.h"
#include "cli/terminal/options.h"
#include "cli/vault/shown_answers.h"

#include <stdbool.h>

/* Which lines of a history are shown: --analyst, --since and --until. */

typedef struct sc_history_filter {
    const char *analyst; /* NULL: all */
    uint64_t since,
        until; /* seconds since 1970; 0: all. until is the first second after them */
} sc_history_filter;

/* SCRIM_E_PARAM for an analyst whom the ledger does not know. */
SCRIM_MUST_USE scrim_status sc_analyst_check(scrim_vault *vault, const char *analyst,
                                             scrim_error *error);
/* SCRIM_E_PARAM for an analyst whom the ledger does not know, and for a date that cannot be read. */
SCRIM_MUST_USE scrim_status sc_history_filter_read(const sc_options *options,
                                                   scrim_vault *vault,
                                                   sc_history_filter *out,
                                                   scrim_error *error);
/* "2026-11-01", which is midnight, or "2026-11-01T12:30:00Z", both UTC. */
bool sc_history_date(const char *text, uint64_t *seconds);
/* A time of 0 is not known, and never filtered out. */
bool sc_history_filter_keeps(const sc_history_filter *filter, const char *analyst,
                             uint64_t time);
/* A charge that passes, or one whose answer was shown to that analyst in the time. */
bool sc_history_filter_takes(const sc_history_filter *filter,
                             const sc_shown_answers *shown,
                             const scrim_vault_release *charge);

/* The entries of a ledger as JSON, a line each, for whoever verifies it without scrim
 * (docs/ledger-format.md, "Exported"). */

typedef struct sc_export {
    sc_json json;
    uint64_t head; /* the last entry */
} sc_export;

/* Others than the vault's owner export no answers, but their digests. */
void sc_export_begin(sc_export *export, bool has_answers, sc_output *output);
/* SCRIM_E_POLICY: entries are themselves answers that somebody else asked for. */
SCRIM_MUST_USE scrim_status sc_export_check(scrim_vault *vault, scrim_error *error);
/* answer is NULL for entries that are no release. */
void sc_export_add(sc_export *export, uint64_t id, const char *bytes, size_t count,
                   const char *hash, const char *answer);
/* The head of as many entries, signed where there is a key: an export without it was cut short. */
void sc_export_end(sc_export *export, const scrim_head *head);

/* The most populations whose charges are noted. */
#define SC_HISTORY_POPULATIONS 16

/* Each charge says to whom its answer was shown besides. CSV has a row a charge; JSON is an object with rows. A table has a row a charge with the beginning of its
 * question, and says once, above it, of which dataset or by which analyst all charges are; a verbose one has a note a
 * charge, with the question on lines of its own. */
typedef struct sc_history {
    sc_listing listing;
    char dataset[SCRIM_NAME_BYTES],
        analyst[SCRIM_NAME_BYTES]; /* of all rows of a table; empty: they differ */
    char heading[2 * SCRIM_NAME_BYTES + 32];
    bool is_verbose;
    const sc_shown_answers *shown;
    uint64_t count, unanswered;
    uint64_t *seen; /* releases of a table whose answers were shown to others */
    size_t seen_count, seen_room;
    char populations[SC_HISTORY_POPULATIONS][SCRIM_NAME_BYTES]; /* of the charges */
    size_t population_count;
} sc_history;

void sc_history_begin(sc_history *history, const sc_shown_answers *shown,
                      sc_output *output, sc_format format, bool is_verbose,
                      const sc_terminal *terminal);
/* SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_history_add(sc_history *history,
                                           const scrim_vault_release *charge);
/* Ends the rows. Returns status, or SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_history_end(sc_history *history, scrim_status status,
                                           scrim_error *error);

/* "2026-11-15T07:53:00Z"; "" for 0, a time that is not known. */
#define SC_TIME_BYTES 32
void sc_time_format(uint64_t seconds, char text[SC_TIME_BYTES]);

/* "ann 2026-11-19T08:00:00Z; bob 2026-11-20T09:30:00Z", for programs; "" if it was shown to nobody else. Freed by free();
 * NULL without memory. */
char *sc_shown_text(const sc_shown_answers *shown, uint64_t release);

#endif
