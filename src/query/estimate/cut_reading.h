/* How many people were cut, and how many of their rows, from released counts of cells (rows/cut.h, ladder_reading.h).
 *
 * Claim  cut-reading.people  with the confidence the true share of people whose rows were left out is from low to high
 * Claim  cut-reading.rows    with the confidence at least rows_low rows were left out
 *
 * Proof. A person in cell j has at least from[j] rows left out, so that all of them have at least W, the sum of from[j]
 * times the people there. The noise of one cell is above its radius with the probability beta / n at most, for n cells: so
 * with 1 - beta every count less that radius is not above the truth, and neither is the sum of those that are above 0. The upper
 * end of W is that of a sum of independent noises with these weights (noise_sum.h). It is of W alone: more rows than that may
 * have been left out.
 */
#ifndef SC_QUERY_CUT_READING_H
#define SC_QUERY_CUT_READING_H

#include "query/estimate/ladder_reading.h"

typedef struct sc_cut_reading {
    sc_ladder_part people;
    uint64_t rows_low, rows_high; /* each with the confidence */
} sc_cut_reading;

/* Cells from first on, at least 1, are those of people who were cut; from has as many as the ladder has counts. */
sc_cut_reading sc_cut_read(const sc_ladder_reading *ladder, const uint64_t *from,
                           size_t first);
/* The share of left rows among these and those that were kept, of SC_LADDER_WHOLE, rounded down. */
int sc_cut_share_of_rows(uint64_t left, int64_t kept);

#endif
