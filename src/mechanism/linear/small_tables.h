/* All tables of m rows over N bins, one after the other: multisets, as counts of the bins.
 *
 * In colexicographic order, from (m, 0, ..., 0) to (0, ..., 0, m): C(N + m - 1, m) of them.
 *
 * Claim  small-tables.all  each table comes exactly once
 */
#ifndef SC_MECHANISM_SMALL_TABLES_H
#define SC_MECHANISM_SMALL_TABLES_H

#include "base/number/ratio.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* C(bins + rows - 1, rows); bins >= 1. */
void sc_small_tables_count(uint64_t bins, uint64_t rows, sc_integer *out);
/* The first table, and the next one; false, with the table untouched, behind the last. */
void sc_small_tables_first(int64_t *table, size_t bins, int64_t rows);
bool sc_small_tables_next(int64_t *table, size_t bins);

#endif
