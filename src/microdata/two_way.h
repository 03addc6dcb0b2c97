/* The nearest table of whole counts from 0 on whose rows and columns have given sums.
 *
 * Given values f(r, c), sums of rows R(r) and of columns C(c), at least 0 and with the same total, minimise
 *
 *     sum (t(r, c) - f(r, c))^2   over whole t >= 0 with sum over c of t(r, c) = R(r), sum over r of t(r, c) = C(c)
 *
 * This is a transport problem with convex costs. t is a minimiser exactly if there are prices p(r), q(c) with
 *
 *     2 (t - f) + 1 >= p + q everywhere,  and  2 (t - f) - 1 <= p + q where t > 0
 *
 * One unit more must not pay, nor one less. Prices are found in doubles first, by turns for rows and columns. Rounded to
 * integers they still give a table that is optimal for its own sums; shortest paths then bring these to the sums that are
 * wanted, one unit at a time, and keep the conditions.
 *
 * Claim      two-way.sums     the counts are whole and at least 0, and have the sums of rows and columns
 * Claim      two-way.nearest  no such table is nearer to the values
 * Time       rows times columns for each round of prices, of which there are at most 400, and for each unit that is moved
 * Reference  Ahuja, Magnanti, Orlin 1993, 9.7 and 14.4
 *
 * It is computed from what could be shown.
 */
#ifndef SC_MICRODATA_TWO_WAY_H
#define SC_MICRODATA_TWO_WAY_H

#include "base/hash.h"
#include "base/status.h"

/* Sums and values are within so much of 0; values beyond are brought to it. */
#define SC_TWO_WAY_VALUE ((int64_t)1 << 50)

/* values has the cells row by row, and is replaced by the counts. Ties go by a public order of key; NULL: by place.
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_two_way(const int64_t *rows, size_t row_count,
                                       const int64_t *columns, size_t column_count,
                                       const sc_hash_key *key, int64_t *values,
                                       scrim_error *error);

#endif
