/* Commands that read the file of one body and list what follows from it.
 *
 * A command describes its columns and fills the rows. The driver checks the words, opens the file and checks its
 * signature, reads the points, writes the listing in the format that was asked for, and then the notes.
 */
#ifndef SC_CLI_BODY_PAGE_H
#define SC_CLI_BODY_PAGE_H

#include "cli/display/listing.h"
#include "scrim.h"

/* A body that a command line names: the file read, its facts, its solid; and notes about it on standard error. */

/* Columns of a listing: one for each of the body, and a few more. */
#define SC_BODY_CELLS_MOST (SCRIM_BODY_DIMENSIONS + 8)

struct sc_tape;
typedef struct sc_body_view {
    const char *path;
    scrim_body *body;
    scrim_solid *solid;
    scrim_body_facts facts;
    scrim_solid_facts shape;
    scrim_body_column columns[SCRIM_BODY_DIMENSIONS];
    struct sc_tape *tape; /* of --seed, in the test build; else NULL */
} sc_body_view;

/* Reads the file, "-" for standard input, and says whether it is signed (file_proof.h). SCRIM_E_CHECK where the signature does
 * not hold, SCRIM_E_INPUT, SCRIM_E_SYNTAX, SCRIM_E_PARAM, SCRIM_E_LIMIT, SCRIM_E_MEMORY; the message
 * names the file. */
SCRIM_MUST_USE scrim_status sc_body_view_open(sc_body_view *view, const char *path,
                                              const sc_options *options,
                                              scrim_error *error);
void sc_body_view_close(sc_body_view *view);
/* A body that is there already and stays the caller's, without a seed; its solid is freed by scrim_solid_free. */
SCRIM_MUST_USE scrim_status sc_body_view_of(sc_body_view *view, scrim_body *body,
                                            scrim_error *error);
/* The one file that words[2] names; more words are SCRIM_E_PARAM. */
SCRIM_MUST_USE scrim_status sc_body_view_only(sc_body_view *view,
                                              const sc_options *options,
                                              const char *example, scrim_error *error);

/* Describes the body on standard error, and says if it was inflated; nothing with --quiet. */
void sc_body_view_note(const sc_body_view *view, const sc_options *options);

/* A column for each of the body, behind those that are there; returns how many there are then. */
size_t sc_body_view_columns(const sc_body_view *view, sc_listing_column *columns,
                            size_t count);
/* The cells of a computed point: decimals without an exponent, four digits beyond the step of each column. */
void sc_body_view_put(const sc_body_view *view, sc_listing *page, const double *x);
/* The cells of numbers that are not coordinates, or of a point as it was given. */
void sc_body_put_numbers(sc_listing *page, const double *numbers, size_t count);
#define SC_BODY_COORDINATE_BYTES 48
/* A coordinate as decimals without an exponent: at most `digits` significant digits, and four digits beyond the step of its
 * column (12 decimals where step is 0: unknown). Returns text. */
const char *sc_body_coordinate_format(double value, double step, int digits,
                                      char text[SC_BODY_COORDINATE_BYTES]);
/* A number with six digits in a box, all of them elsewhere. */
void sc_body_put_number(sc_listing *page, double value);

/* Public points of a command line: --at X,Y,... (repeatable), or --csv FILE with a header that names the columns. */

/* The help of both options. */
#define SC_USAGE_POINTS                                                                  \
    "  --at X,Y,...   a public point: a number for each column; may be repeated\n"       \
    "  --csv FILE     public points, with a first line that names the columns\n"

typedef struct sc_body_points {
    double *x; /* one after the other */
    size_t count, room, dimension;
} sc_body_points;

/* At least one. SCRIM_E_PARAM: none, or one that is not a point; SCRIM_E_INPUT: a file without a column, or a cell that is not a
 * number. */
SCRIM_MUST_USE scrim_status sc_body_points_read(sc_body_points *points,
                                                const sc_body_view *view,
                                                const sc_options *options,
                                                scrim_error *error);
/* Those of a file alone. Of the view the number and the names of the columns are read. SCRIM_E_INPUT. */
SCRIM_MUST_USE scrim_status sc_body_points_of_file(sc_body_points *points,
                                                   const sc_body_view *view,
                                                   const char *path, scrim_error *error);
void sc_body_points_clear(sc_body_points *points);

/* The driver of commands that read the file of one body and list what follows from it.
 *
 * A command describes its columns and fills the rows. The driver checks the words, opens the file and checks its
 * signature, reads the points, writes the listing in the format that was asked for, and then the notes.
 */

typedef struct sc_body_call {
    const sc_options *options;
    sc_body_view view;
    sc_body_points points; /* empty unless the page takes points */
    sc_listing *page;
    /* Set by fill for the notes. */
    size_t found; /* rows that the notes count */
    scrim_volume volume;
} sc_body_call;

#define SC_BODY_PAGE_LAST 5
/* Names that are NULL end `last`, and mean that there is no `first`. */
typedef struct sc_body_page {
    const char *example;                                  /* a whole command line */
    bool takes_function;                                  /* a word behind the file */
    bool takes_points;                                    /* --at or --csv */
    sc_listing_column first, last[SC_BODY_PAGE_LAST + 1]; /* around those of the body */
    scrim_status (*fill)(sc_body_call *call, scrim_error *error);
    void (*note)(const sc_body_call *call); /* more notes; NULL: none */
} sc_body_page;

/* SCRIM_E_PARAM for missing words; otherwise fails as opening the file, reading the points and fill do. Nothing is
 * written unless all of it succeeds. */
SCRIM_MUST_USE scrim_status sc_body_page_show(const sc_body_page *page,
                                              const sc_options *options,
                                              scrim_error *error);

/* Opens the bodies that the words behind the subcommand name: 1 to `most`, all with the same columns. count is how many
 * are open, also after a failure; the caller closes them. */
SCRIM_MUST_USE scrim_status sc_body_views_open(sc_body_view *views, size_t most,
                                               size_t *count, const sc_options *options,
                                               const char *example, scrim_error *error);

#endif
