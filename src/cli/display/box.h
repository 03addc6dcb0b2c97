/* A table of text in a box, for people: cells of text, intervals, and error bars beside them. listing.h has the
 * other formats. */
#ifndef SC_CLI_BOX_H
#define SC_CLI_BOX_H

#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"

/* An error bar made of characters: where a value is and how far the truth may lie from it. A
 * view of what was released: doubles. */

/* Draws the values from low to high in `cells` cells, at least 2. */
typedef struct sc_axis {
    double low, high;
    size_t cells;
} sc_axis;

typedef struct sc_error_bar {
    double low, value, high; /* low <= value <= high */
    bool is_filled;          /* a bar from 0 to the value lies under it */
    bool has_no_value;       /* the interval alone is drawn */
} sc_error_bar;

/* An empty axis, which is widened until it holds all that is to be drawn. */
void sc_axis_init(sc_axis *axis, size_t cells);
void sc_axis_widen(sc_axis *axis, const sc_error_bar *bar);

/* The cell that a value falls into; on an axis without extent all is in the middle. */
size_t sc_axis_cell(const sc_axis *axis, double value);

typedef enum sc_bar_cell {
    SCRIM_CELL_EMPTY,
    SCRIM_CELL_FILLED,
    SCRIM_CELL_LOW,
    SCRIM_CELL_LINE,
    SCRIM_CELL_VALUE,
    SCRIM_CELL_HIGH,
    SCRIM_CELL_KINDS
} sc_bar_cell;

/* The kind of a cell, and its character. */
sc_bar_cell sc_error_bar_cell(const sc_axis *axis, const sc_error_bar *bar, size_t cell);
const char *sc_bar_cell_text(sc_bar_cell cell, bool utf8);

/* All cells of the axis, in colours where the terminal has them. */
void sc_error_bar_write(sc_output *output, const sc_axis *axis, const sc_error_bar *bar,
                        const sc_terminal *terminal);

/* A bar from the low end to a value, to an eighth of a cell, and a mark over it. */
void sc_marked_bar_write(sc_output *output, const sc_axis *axis, double value,
                         double mark, const sc_terminal *terminal);
const char *sc_bar_mark_text(bool utf8);

/* A table of text in a box, for people; listing.h has the other formats. */

typedef struct sc_box {
    const char *const *columns; /* names; at most SC_BOX_COLUMNS */
    size_t column_count;
    const char *const *cells; /* row after row */
    size_t row_count;
} sc_box;

/* It is made to fit: long cells are broken at spaces. Where words or intervals would have to be
 * broken, a terminal gets a block of lines for each row in place of the box, "column  value". What
 * is written elsewhere keeps its form: words are broken behind a bar or a hyphen, or else anywhere. */
void sc_box_write(sc_output *output, const sc_box *box, const sc_terminal *terminal);

/* A name of a column, or what stands above a table; coloured where the terminal has colours. */
void sc_heading_write(sc_output *output, const char *text, size_t bytes,
                      const sc_terminal *terminal);

/* The parts of a box, for a table that is written while it is made. */
typedef enum sc_box_rule {
    SCRIM_RULE_TOP,
    SCRIM_RULE_MIDDLE,
    SCRIM_RULE_BOTTOM
} sc_box_rule;
void sc_box_rule_write(sc_output *output, sc_box_rule rule, const size_t *widths,
                       size_t column_count, bool utf8);
const char *sc_box_upright(bool utf8);

/* The columns of a listing, and its box: cells of text, intervals, and error bars beside them. */

/* Kinds of cells. */
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

/* Where a row's error bar is; false for a row without a bar. */
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
