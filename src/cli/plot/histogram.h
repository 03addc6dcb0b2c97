/* Draws counted in bars that are laid out by the exact law before anything is drawn, so
 * that any number of draws takes the same memory; and how well the two agree. A view:
 * doubles. */
#ifndef SC_CLI_HISTOGRAM_H
#define SC_CLI_HISTOGRAM_H

#include "scrim.h"

#include <stddef.h>
#include <stdint.h>

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
/* With draws - 1 below the line; 0 for a single draw. */
double sc_histogram_variance(const sc_drawn_histogram *histogram);

typedef struct sc_chi_square {
    double statistic;
    unsigned freedom; /* 0: too few draws to say anything */
    double p;         /* how often draws from the exact law lie at least as far off */
} sc_chi_square;

/* Against the exact law, where a single draw that it cannot make gives p = 0; bars where
 * fewer than 5 draws are expected are joined with others. */
sc_chi_square sc_histogram_chi_square(const sc_drawn_histogram *histogram);

#endif
