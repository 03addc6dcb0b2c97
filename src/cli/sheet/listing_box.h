/* The columns of a listing, and its box: cells of text, intervals, and error bars beside them. */
#ifndef SC_CLI_LISTING_BOX_H
#define SC_CLI_LISTING_BOX_H

#include "cli/sheet/box.h"
#include "cli/sheet/error_bar.h"

/* What a cell is. */
enum {
    SC_KIND_TEXT,
    SC_KIND_KEY,     /* text of others: no spreadsheet takes it for a formula (A61) */
    SC_KIND_NUMBER,  /* as sc_json_number has it */
    SC_KIND_DECIMAL, /* as sc_json_decimal has it */
    SC_KIND_WORD,    /* as sc_json_word has it */
    SC_KIND_BOUND,   /* digits of a double; "inf" is a string */
    SC_KINDS = 7,    /* a mask */
    /* And flags. */
    SC_NULLABLE = 8,  /* "" is null in JSON */
    SC_OPTIONAL = 16, /* "" is no member in JSON */
    SC_RIGHT = 32,    /* in a box it ends at the right, where there is room */
    SC_VALUE =
        64, /* in JSON an object: value, and low and high of the columns behind it */
    SC_BOUND =
        128, /* a column behind a value: the low, then the high end of its interval */
    SC_UNDER = 256,    /* in a box its cells end below one another */
    SC_TOGETHER = 512, /* a value that a box shows with its bounds: "12  [ 9, 15]" */
    SC_KEYED = 1024    /* a key: no cell is NULL, and "" is a text */
};

typedef struct sc_listing_column {
    const char *name;
    unsigned kind;
} sc_listing_column;

/* Where a row's error bar is; false where it has none. */
typedef bool (*sc_listing_bar)(const void *context, size_t row, sc_error_bar *out);

/* The columns behind a value that hold its bounds. */
size_t sc_listing_bounds(const sc_listing_column *columns, size_t count, size_t column);

typedef struct sc_listing_box {
    const sc_listing_column *columns; /* at most SC_BOX_COLUMNS are shown */
    size_t column_count;
    char *
        *cells; /* row after row, each on the heap or NULL: cleaned and padded in place */
    size_t row_count;
    sc_listing_bar bar; /* NULL: none */
    const void *bar_context;
    const char *bar_of; /* the column that they are of; NULL: there is one alone */
} sc_listing_box;

/* False without memory; then nothing was written. */
bool sc_listing_box_write(sc_output *output, const sc_listing_box *box,
                          const sc_terminal *terminal);

#endif
