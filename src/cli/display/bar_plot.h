/* Drawings of bars, a row each: released values, histograms of a distribution, and samples. */
#ifndef SC_CLI_BAR_PLOT_H
#define SC_CLI_BAR_PLOT_H

#include "cli/display/box.h"
#include "cli/terminal/output.h"
#include "cli/terminal/terminal.h"
#include "scrim.h"

#include <stddef.h>
#include <stdint.h>

/* Bars of characters, a row each: a name, a bar with its error or a mark, from 0 or between the ends of
 * an axis, and the number in digits. */

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

/* Draws counted in bars that are laid out by the exact law before anything is drawn, so
 * that any number of draws takes the same memory; and how well the two agree. A view:
 * doubles. */

/* Bars between the tails, at most. */
#define SC_HISTOGRAM_BARS 21

typedef struct sc_drawn_bar {
    scrim_wide low, high; /* both inside */
    double probability;   /* of the exact law */
    uint64_t count;
} sc_drawn_bar;

typedef struct sc_drawn_histogram {
    sc_drawn_bar
        bars[SC_HISTOGRAM_BARS + 2]; /* the first and the last are tails without an end */
    size_t bar_count;
    int64_t last[SC_HISTOGRAM_BARS + 2]; /* the high ends once more, for narrow draws */
    scrim_moments exact;
    double centre;                /* near the mean, so that the sums stay small */
    double first_sum, second_sum; /* of draw - centre and its square */
    uint64_t draws;
} sc_drawn_histogram;

/* Lays out about as many bars, and no more (2 to SC_HISTOGRAM_BARS); draws nothing. */
SCRIM_MUST_USE scrim_status sc_histogram_init(sc_drawn_histogram *histogram,
                                              const scrim_distribution *distribution,
                                              unsigned bars, scrim_error *error);
void sc_histogram_add(sc_drawn_histogram *histogram, const int64_t *draws, size_t count);
void sc_histogram_add_wide(sc_drawn_histogram *histogram, const scrim_wide *draws,
                           size_t count);

double sc_histogram_mean(const sc_drawn_histogram *histogram);
/* The sample variance, divided by draws - 1; 0 for a single draw. */
double sc_histogram_variance(const sc_drawn_histogram *histogram);

typedef struct sc_chi_square {
    double statistic;
    unsigned freedom; /* 0: too few draws to say anything */
    double p;         /* how often draws from the exact law lie at least as far off */
} sc_chi_square;

/* Against the exact law, where a single draw that it cannot make gives p = 0; bars where
 * fewer than 5 draws are expected are joined with others. */
sc_chi_square sc_histogram_chi_square(const sc_drawn_histogram *histogram);

/* A histogram in the terminal: what was drawn as bars, the exact law as a mark on each,
 * and below them how well the two agree. */

/* text names the distribution. */
void sc_plot_write(sc_output *output, const sc_drawn_histogram *histogram,
                   const char *text, const sc_terminal *terminal);

#endif
