/* Showing an answer: it goes to standard output, the plot and the note on what was released to
 * standard error. A release and its replay are shown by the same code, and alike. */
#ifndef SC_CLI_ANSWER_SHOW_H
#define SC_CLI_ANSWER_SHOW_H

#include "cli/answer/answer_sheet.h"
#include "cli/terminal/options.h"
#include "cli/terminal/terminal.h"

struct sc_series_place;

/* How it is to be shown, as was asked for. */
typedef struct sc_answer_style {
    sc_format format;
    bool plot, quiet, is_verbose;
    sc_terminal terminal; /* where the answer goes */
    const char *vault;    /* that was named; NULL: none was */
    bool is_replay;       /* the answer is to be shown as it was the first time */
    const char
        *out; /* a signed file for an answer to a query, not standard output; NULL */
    const char *statistics; /* of a histogram, in its place; NULL: none */
    const scrim_plan *plan; /* that a query followed, for its cautions; NULL: none */
    const struct sc_series_place *place; /* of a release in its series; NULL: in none */
    bool
        is_tree; /* statements are levels and tables of one tree, which count the same rows */
} sc_answer_style;

SCRIM_MUST_USE scrim_status sc_answer_style_read(const sc_options *options,
                                                 sc_answer_style *out,
                                                 scrim_error *error);

/* Takes --out of an answer to a query: CSV unless a format is asked for. Fails if it cannot be written. */
SCRIM_MUST_USE scrim_status sc_answer_style_out(const sc_options *options,
                                                sc_answer_style *style,
                                                scrim_error *error);

/* Closes standard output. measurement is that of the sheet; left, what remains of the budget,
 * may be NULL. */
SCRIM_MUST_USE scrim_status sc_answer_show(const sc_answer_style *style,
                                           const sc_answer_sheet *sheet,
                                           const scrim_measurement *measurement,
                                           const scrim_budget *left, scrim_error *error);

#endif
