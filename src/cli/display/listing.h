/* A table in every format: the one place that writes boxes, CSV, JSON and JSON lines from rows.
 *
 * A column has a name and a kind; a row is a text for each column. CSV and JSON are written row by
 * row. A box is written when the rows have ended, since its widths follow from all of them; then
 * cells are cleaned of what could steer a terminal.
 *
 * JSON is an object. Members before the rows are written between sc_listing_open and the first row,
 * members behind them between sc_listing_end_rows and sc_listing_close.
 */
#ifndef SC_CLI_LISTING_H
#define SC_CLI_LISTING_H

#include "cli/display/box.h"
#include "cli/display/json_writer.h"
#include "cli/display/signed_file.h"
#include "cli/terminal/options.h"

typedef struct sc_listing {
    /* Set before the first row. */
    const sc_listing_column *columns; /* at most SC_BOX_COLUMNS */
    size_t column_count;
    sc_output *output;
    sc_format format;
    const sc_terminal *terminal;
    sc_json *json;  /* an object that has the rows as a member; NULL: one of their own */
    bool is_held;   /* nothing is written before sc_listing_close */
    bool is_marked; /* objects have sc_json_mark */
    const char *heading; /* a line above a box; NULL: none */
    uint64_t
        left_out; /* of the first 64 columns those that a box leaves out, a bit each: the heading says what they hold */
    sc_listing_bar bar; /* beside the rows of a box that has room for them; NULL: none */
    const void *bar_context;
    const char *bar_of;  /* the column that bars are of; NULL: there is one alone */
    sc_signing *signing; /* JSON of its own ends with a signed label; NULL: it does not */
    /* The listing's own. */
    sc_json own;
    char **cells; /* row after row, of a box or held; NULL: no cell */
    size_t count, room;
    char **row; /* that is being put; NULL: none was */
    size_t put_count;
    bool is_begun, is_ended, has_failed;
} sc_listing;

/* A listing with an array of columns. */
#define SC_LISTING(columns_, output_, format_, terminal_)                                \
    {                                                                                    \
        .columns = (columns_), .column_count = sizeof(columns_) / sizeof *(columns_),    \
        .output = (output_), .format = (format_), .terminal = (terminal_)                \
    }

/* Begins an object in JSON, and returns it for its members; NULL in other formats. The listing's
 * fields but for its own are set, by an initialiser that has zeros behind them. Not called where json
 * is set; otherwise the first row calls it, so that only members before the rows need it. */
sc_json *sc_listing_open(sc_listing *listing);
/* A text for each column. NULL is no cell: no member in JSON, else empty. */
void sc_listing_add(sc_listing *listing, const char *const *cells);
/* The next cell of a row, as printf has it; the last one adds the row. NULL is no cell. */
__attribute__((format(printf, 2, 3))) void sc_listing_put(sc_listing *listing,
                                                          const char *format, ...);
void sc_listing_end_rows(sc_listing *listing);
/* Ends the rows and the object, if status is SCRIM_OK, and frees. Returns status, or SCRIM_E_MEMORY:
 * no memory for the cells. */
SCRIM_MUST_USE scrim_status sc_listing_close(sc_listing *listing, scrim_status status,
                                             scrim_error *error);

/* One row, as CSV below the names of its columns. */
void sc_listing_csv_row(sc_output *output, const sc_listing_column *columns, size_t count,
                        const char *const *cells);
/* A row as an object of JSON by itself. */
void sc_listing_json_row(sc_json *json, const char *name,
                         const sc_listing_column *columns, size_t count,
                         const char *const *cells);

/* A listing that is all that a verb writes to standard output: a box on a terminal, CSV otherwise,
 * unless the options say so. Held, so that nothing is shown if filling it fails; columns may be set
 * later. SCRIM_E_PARAM for an unknown format, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_page_new(const sc_options *options,
                                        const sc_listing_column *columns,
                                        size_t column_count, sc_listing **out,
                                        scrim_error *error);
/* Writes it, unless it has no columns. An owner frees it: SC_OWNED(sc_page_free) sc_listing *page = NULL. */
SCRIM_MUST_USE scrim_status sc_page_write(sc_listing *page, scrim_error *error);
void sc_page_free(sc_listing **page);
/* Both: writes it if status is SCRIM_OK, and frees it. Returns status, or the status of writing. page may be NULL after
 * a failure. */
SCRIM_MUST_USE scrim_status sc_page_end(sc_listing *page, scrim_status status,
                                        scrim_error *error);

#endif
