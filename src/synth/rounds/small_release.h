/* SmallDB for synthetic rows: one selection among all tables of m rows over the possible rows of few columns.
 *
 * Scores are the largest error of a possible row's count (mechanism/linear/smalldb.h, workload each). m is a public
 * function of the columns: the largest of at most SC_SMALL_ROWS for which all tables can be looked at within
 * SC_SMALL_WORK steps.
 *
 * Claim  small-release.rows  m, and what is refused, follows from the columns alone
 *
 * Reference  Blum, Ligett, Roth 2013; spec/mechanisms.md 10.2
 */
#ifndef SC_SYNTH_SMALL_RELEASE_H
#define SC_SYNTH_SMALL_RELEASE_H

#include "synth/rounds/rounds.h"

#define SC_SMALL_ROWS 4096
#define SC_SMALL_WORK ((uint64_t)1 << 28)

/* Before a charge: m. SCRIM_E_LIMIT above SC_LINEAR_BINS possible rows; SCRIM_E_PARAM as the mechanism. Scores are then the
 * largest error of these queries, predicates, where count is above 0: at most SC_PARAMETER_ITEMS numbers of all possible
 * rows, or SCRIM_E_LIMIT. */
SCRIM_MUST_USE scrim_status sc_small_check(const sc_synth_columns *columns,
                                           const sc_round_unit *unit,
                                           const sc_ratio *epsilon,
                                           const sc_linear_query *queries, size_t count,
                                           uint64_t *rows, scrim_error *error);
/* Draws the table; the allowance is pure. The total of the release is m. */
SCRIM_MUST_USE scrim_status sc_small_run(sc_rounds *rounds,
                                         const sc_linear_query *queries, size_t count,
                                         scrim_error *error);

#endif
