/* SmallDB: a table of m rows that answers linear queries nearly as the private one does.
 *
 * Input       counts x of N public bins, each cut to max-count, n = sum x rows; a unit has at most
 *             max-rows rows, r
 * Output      counts y of the same bins, of sum m, with probability proportional to exp(-h e(y)),
 *             e(y) = max over queries q of |sum x_i q_i - (n/m) sum y_i q_i|, h = epsilon/(2 r)
 * Queries     as those of linear-queries: coefficients from 0 to 1, or a workload
 * Size        rows=m; or alpha, m = floor(ln(2 |Q|)/(2 alpha^2)) + 1: some table of m rows is within alpha n
 * Neighbours  add-remove: rows of a unit come or go; replace: they become others, also more or fewer
 * Claim       smalldb.sensitivity  e(y) moves by at most r, although n is that of the data
 * Claim       smalldb.privacy      pure epsilon-DP, and epsilon^2/8 concentrated
 * Claim       smalldb.exact        the law is exactly that
 * Claim       smalldb.accuracy     e(y) is within the radius of the smallest with the stated probability
 * Claim       smalldb.limits       what is refused, and which sampler draws, follows from the parameters alone
 * Time        looks at all C(N + m - 1, m) tables, or at all classes of them, whatever the data are; the third
 *             sampler takes as many turns as the data make likely
 * Limits      one of the three samplers below, or SCRIM_E_LIMIT
 * Reference   Blum, Ligett, Roth 2013; the survey (002), corrected; spec/mechanisms.md 10.2
 *
 * Sensitivity. Let a unit leave with a rows and enter with b, of which the query holds a' and b', and let y answer
 * with the share s from 0 to 1. The difference moves by (b' - a') - (b - a) s, which is at least
 * -a (1 - s) - b s and at most b (1 - s) + a s: at most max(a, b) <= r in size.
 *
 * Samplers, the first that keeps its limit:
 *   all tables   2^26 of them
 *   programme    small_programme.h: 2^24 bins times states, those of the rows used and the sums of the queries
 *   rejection    small_programme.h: exp(h N max-count) turns, the most that are expected as e(y) <= n, of
 *                N (|Q| + 1) + m steps each: 2^32 steps
 *
 * Scores are -e(y) in steps of 1/(m den), den the steps of the coefficient 1: whole numbers, m X - n Y with X and Y
 * in steps. An empty table has e = 0 for all y.
 */
#ifndef SC_MECHANISM_SMALLDB_H
#define SC_MECHANISM_SMALLDB_H

#include "mechanism/linear/linear_matrix.h"
#include "mechanism/selection/scores.h"
#include "model/mechanism.h"

#define SC_SMALLDB_TABLES ((uint64_t)1 << 26)
#define SC_SMALLDB_WORK ((uint64_t)1 << 32)

typedef enum sc_smalldb_sampler {
    SC_SMALLDB_ALL,
    SC_SMALLDB_PROGRAMME,
    SC_SMALLDB_REJECTION,
} sc_smalldb_sampler;

typedef struct sc_smalldb_state {
    sc_scores scores; /* the rate, a step of score, and its weights */
    sc_linear_matrix matrix;
    int64_t rows, steps; /* of the answer; of the coefficient 1 */
    sc_integer tables;
    sc_smalldb_sampler sampler;
} sc_smalldb_state;

extern const sc_mechanism sc_smalldb;

/* m for a number of queries. False where it is above 4096. */
bool sc_smalldb_rows(uint64_t queries, const sc_ratio *alpha, uint64_t *out);

/* The input in sums: n, and what it answers, in steps. */
typedef struct sc_smalldb_sums {
    int64_t rows;
    sc_int128 answers[SC_LINEAR_QUERIES];
} sc_smalldb_sums;

void sc_smalldb_add_up(const sc_smalldb_state *state, const sc_private_input *input,
                       sc_smalldb_sums *out);
/* The scores of the first `count` tables in their order. */
void sc_smalldb_score_all(const sc_smalldb_state *state, const sc_smalldb_sums *x,
                          size_t count, int64_t *scores);
/* One draw by one of the samplers, whether or not it keeps its limit: bins counts. */
SCRIM_MUST_USE scrim_status sc_smalldb_draw(const sc_smalldb_state *state,
                                            sc_smalldb_sampler sampler, sc_bits *bits,
                                            const sc_smalldb_sums *x, int64_t *table,
                                            scrim_error *error);

#endif
