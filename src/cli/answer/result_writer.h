/* The answer to a query in every format.
 *
 * CSV has the keys and, of an aggregate named n, the columns n, n_low and n_high; a text key that a
 * spreadsheet would take for a formula has a ' in front (A61). JSON is an object with rows, cost and
 * release, where an aggregate is {"value", "low", "high"}; that of a batch has statements with
 * their rows. A table is a box, in a batch below its statement, with an error bar beside the last
 * aggregate where there is room. A table is for people: a value whose interval is all that is possible
 * is "no usable value" there, and a count or sum that noise took beyond 0 is "about 0", with what is
 * possible of its interval; where 0 alone is possible, the noise is larger than its interval, and that is "no usable
 * value", too. CSV and JSON have the numbers as they were drawn.
 */
#ifndef SC_CLI_RESULT_WRITER_H
#define SC_CLI_RESULT_WRITER_H

#include "cli/answer/series_sheet.h"
#include "cli/display/listing.h"

typedef struct sc_shown_result {
    const scrim_result *result;
    const scrim_vault_release *charge; /* what the vault has of the release */
    bool is_repeated;                  /* it answers a question that was asked again */
    const sc_series_place *place;      /* in a series, which JSON says; NULL: in none */
    sc_signing *signing; /* JSON ends with a signed label; NULL: it does not */
} sc_shown_result;

SCRIM_MUST_USE scrim_status sc_result_write(sc_output *output,
                                            const sc_shown_result *shown,
                                            sc_format format, const sc_terminal *terminal,
                                            scrim_error *error);

/* Are the ladders shown that found the bounds? Not in tables on a screen, unless all is asked for. */
bool sc_result_shows_ladders(sc_format format, const sc_terminal *terminal);

/* Is it beyond 0 by more than its interval is wide, so that what is possible of the interval is 0 alone? */
bool sc_cell_is_outside(const scrim_result_cell *cell);
/* Does an answer have cells that are shown in such words? */
typedef struct sc_result_oddities {
    bool has_beyond, has_open, has_outside;
} sc_result_oddities;
sc_result_oddities sc_result_oddities_of(const scrim_result *result, bool has_ladders);

/* Which statement of a batch comes next, for people; nothing where there is only one. */
void sc_result_heading_write(sc_output *output, const scrim_result *result,
                             size_t statement);

#define SC_RESULT_NAME_BYTES 512 /* more than a name that is taken has */

/* The rows of an answer as those of a listing, perhaps behind columns of the caller's. */
typedef struct sc_result_rows {
    sc_listing_column *columns;
    size_t lead_count, column_count;
    const char **cells; /* of one row; those of the caller's columns come first */
    char (*names)[SC_RESULT_NAME_BYTES];
    size_t name_count;
} sc_result_rows;

/* SCRIM_E_MEMORY. The result lives longer; NULL: no more columns. */
SCRIM_MUST_USE scrim_status sc_result_rows_init(sc_result_rows *rows,
                                                const sc_listing_column *lead,
                                                size_t lead_count,
                                                const scrim_result *result,
                                                size_t statement, scrim_error *error);
/* The columns that the answer to the first statement of a plan will have. */
SCRIM_MUST_USE scrim_status sc_result_rows_init_plan(sc_result_rows *rows,
                                                     const sc_listing_column *lead,
                                                     size_t lead_count,
                                                     const scrim_plan *plan,
                                                     scrim_error *error);
void sc_result_rows_add(sc_result_rows *rows, sc_listing *listing,
                        const scrim_result *result, size_t statement, size_t row);
/* Also of zeros. */
void sc_result_rows_clear(sc_result_rows *rows);

/* Is there an interval that holds with a probability? Else all of them are certain. */
bool sc_result_has_chance(const scrim_result *result);
/* The object of an answer in JSON: what stands before its rows, and what behind them to its end. place
 * may be NULL. */
void sc_result_head_json(sc_json *json, const scrim_result *result,
                         const sc_series_place *place);
void sc_result_tail_json(sc_json *json, const scrim_result *result,
                         const scrim_vault_release *charge, bool is_repeated);

#endif
