/* The driver of commands that read the file of one body and list what follows from it.
 *
 * A command describes its columns and fills the rows. The driver checks the words, opens the file and checks its
 * signature, reads the points, writes the listing in the format that was asked for, and then the notes.
 */
#ifndef SC_CLI_BODY_PAGE_H
#define SC_CLI_BODY_PAGE_H

#include "cli/body/body_points.h"

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
