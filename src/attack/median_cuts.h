/* Generalisation by median cuts: each class has at least k rows, and is cut as long as it can be.
 *
 * Reference  LeFevre, DeWitt, Ramakrishnan, "Mondrian multidimensional k-anonymity", 2006
 */
#ifndef SC_ATTACK_MEDIAN_CUTS_H
#define SC_ATTACK_MEDIAN_CUTS_H

#include "attack/public_table.h"

/* Classes of some rows of a table, counted from 0: cut at the median of the column with most different
 * values, first of the columns on a tie, until no cut leaves k rows to either side. classes has a place
 * for each of the rows. Returns the number of classes; 0 without memory. */
size_t sc_median_cuts(const sc_public_column *const *columns, size_t column_count,
                      const uint32_t *rows, size_t row_count, size_t k,
                      uint32_t *classes);

#endif
