/* One step of hit-and-run in one pass over the rows: the slacks after the last step, and how far the next direction goes
 * both ways.
 *
 * Claim  walk-chord.same  the implementation with vectors gives the bits of the plain one
 */
#ifndef SC_POST_WALK_CHORD_H
#define SC_POST_WALK_CHORD_H

#include <stdbool.h>
#include <stddef.h>

/* Rows are padded to a multiple of this, with growth 0, an inverse of SC_CHORD_FAR and slack 1. */
#define SC_CHORD_LANES 4
#define SC_CHORD_FAR 1e300

typedef struct sc_chord {
    double low, high; /* low <= 0 <= high */
} sc_chord;

/* slack_i becomes max(0, slack_i - length growth_i), where growth is that of the last direction; inverse_i is 1 over the
 * growth of the next one. count is a multiple of SC_CHORD_LANES. */
sc_chord sc_chord_next(double *slack, const double *growth, double length,
                       const double *inverse, size_t count);
/* The plain implementation, for tests and other machines. */
sc_chord sc_chord_plain(double *slack, const double *growth, double length,
                        const double *inverse, size_t count);

#endif
