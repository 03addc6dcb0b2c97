/* Bars of characters, a row each: a name, a bar with its error or a mark, from 0 or between the ends of
 * an axis, and the number in digits. */
#ifndef SC_CLI_BAR_PLOT_H
#define SC_CLI_BAR_PLOT_H

#include "cli/sheet/error_bar.h"

/* Characters of a name that are shown, of rows no more than these. */
#define SC_BAR_NAME_CHARS 24
#define SC_BAR_NAME_BYTES (4 * SC_BAR_NAME_CHARS + 1)
#define SC_BAR_NUMBER_BYTES 32
#define SC_BAR_ROWS 200

typedef struct sc_bar_row {
    char name[SC_BAR_NAME_BYTES]; /* clean */
    const char *value;            /* may lie in number */
    char number[SC_BAR_NUMBER_BYTES];
    bool has_bar; /* else its place is empty */
    sc_error_bar bar;
    double mark;                      /* where there is a key */
    char marked[SC_BAR_NUMBER_BYTES]; /* the mark in digits */
} sc_bar_row;

typedef void (*sc_bar_source)(const void *context, size_t index, sc_bar_row *out);

/* The words above the columns. Every bar then goes from 0 to its value and has a mark, whose numbers
 * stand behind the values where a terminal has room for them. */
typedef struct sc_bar_key {
    const char *name, *bar, *mark, *value, *marked;
} sc_bar_key;

typedef struct sc_bar_plot {
    size_t count; /* of rows; what is beyond SC_BAR_ROWS is counted below them */
    sc_bar_source source;
    const void *context;
    const sc_bar_key *key; /* NULL: none */
    bool has_ends;         /* those of the axis stand above it */
    bool is_date;          /* and are days (date_view.h) */
} sc_bar_plot;

void sc_bar_plot_write(sc_output *output, const sc_bar_plot *plot,
                       const sc_terminal *terminal);

#endif
