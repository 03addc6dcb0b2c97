/* SmallDB: a table of m rows that answers linear queries nearly as the private one does.
 *
 * Input       counts x of N public bins, n = sum x rows; a unit has at most max-rows rows, r
 * Output      counts y of the same bins, of sum m, with probability proportional to exp(-h e(y)),
 *             e(y) = max over queries q of |sum x_i q_i - (n/m) sum y_i q_i|, h = epsilon/(2 r)
 * Queries     as those of linear-queries: coefficients from 0 to 1, or a workload
 * Size        rows=m; or alpha, m = floor(ln(2 |Q|)/(2 alpha^2)) + 1: some table of m rows is within alpha n
 * Neighbours  add-remove: rows of a unit come or go; replace: they become others, also more or fewer
 * Claim       smalldb.sensitivity  e(y) moves by at most r, although n is that of the data
 * Claim       smalldb.privacy      pure epsilon-DP, and epsilon^2/8 concentrated
 * Claim       smalldb.exact        the law is exactly that
 * Claim       smalldb.accuracy     e(y) is within the radius of the smallest with the stated probability
 * Time        public: looks at all C(N + m - 1, m) tables, whatever the data are
 * Limits      2^24 tables, or SCRIM_E_LIMIT
 * Reference   Blum, Ligett, Roth 2013; the survey (002), corrected; spec/mechanisms.md 10.2
 *
 * Sensitivity. Let a unit leave with a rows and enter with b, of which the query holds a' and b', and let y answer
 * with the share s from 0 to 1. The difference moves by (b' - a') - (b - a) s, which is at least
 * -a (1 - s) - b s and at most b (1 - s) + a s: at most max(a, b) <= r in size.
 *
 * Scores are -e(y) in steps of 1/(m den), den the steps of the coefficient 1: whole numbers, m X - n Y with X and Y
 * in steps. An empty table has e = 0 for all y.
 */
#ifndef SC_MECHANISM_SMALLDB_H
#define SC_MECHANISM_SMALLDB_H

#include "model/mechanism.h"

#define SC_SMALLDB_TABLES ((uint64_t)1 << 24)

extern const sc_mechanism sc_smalldb;

/* m for so many queries. False where it is above 4096. */
bool sc_smalldb_rows(uint64_t queries, const sc_ratio *alpha, uint64_t *out);

#endif
