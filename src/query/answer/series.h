/* A series of releases: its declaration, what was charged for it so far, and its next release.
 *
 * Claim  series.question  a release is the declared query of its window, or of its version, with
 *                         the declared epsilon and delta; nothing that was learnt changes it but
 *                         the keys that earlier releases have shown
 * Claim  series.charged   each release is charged through the gate, and what all of them have cost
 *                         is the sum of their charges in the ledger, but for windows of the rows
 *                         of one version (vault/state/series_account.h)
 * Claim  series.once      a release that has an answer is repeated, free
 * Claim  series.pushed    the same rows in a file and in a feed give releases with the same records;
 *                         where a plan of a release is only for a look, nothing is charged by it
 * Claim  series.running   a release of running totals is refused unless it draws the same numbers, of
 *                         the same groups and by the same mechanisms, as the one that it adds to
 * Claim  series.keys      a series that continues names no key that did not pass a selection in
 *                         this or an earlier release of it, and names all of these; one that does
 *                         not names none that did not pass in this one
 */
#ifndef SC_QUERY_SERIES_H
#define SC_QUERY_SERIES_H

#include "query/answer/series_text.h"
#include "query/plan/plan.h"
#include "scrim/series.h"
#include "vault/vault_series.h"

/* The charges for one release. */
typedef struct sc_release_cost {
    uint64_t release, version, time; /* of the first charge that has an answer; 0: none */
    uint64_t pending;                /* a charge that is finished, free; 0: none */
    uint64_t lost;                   /* charges that have no answer */
    sc_ratio amount, delta;          /* of all of them */
} sc_release_cost;

struct scrim_series {
    sc_series_entry entry;
    sc_series_text text;
    const char *query, *epsilon, *delta, *column; /* of text, terminated */
    const char *mechanism, *expect;               /* NULL: not said */
    const char *max_groups, *max_rows, *max_total_rows, *max_total; /* the same */
    const char *cut_share;                                          /* the same */
    const char *unit;                                               /* of the account */
    bool is_entered;
    bool is_partial; /* of one that is not: values below the first window are in none */
    bool has_groups; /* the query has a GROUP BY */
    bool is_live;    /* while it is released: its rows are pushed and new each time */
    sc_release_cost *steps; /* entry.releases of them, of an entered one */
    sc_arena arena;
};

/* The number of the release that comes next; 0: all are made. */
uint64_t sc_series_next(const scrim_series *series);
/* scrim_series_forecast_of; without the joint cost it takes no time. */
SCRIM_MUST_USE scrim_status sc_series_forecast(scrim_vault *vault,
                                               const scrim_series *series,
                                               bool with_joint,
                                               scrim_series_forecast *out,
                                               scrim_error *error);
/* The plan of a release. earlier has the known keys of a series that continues, and the base of a
 * running total; NULL: neither. Freed by scrim_plan_free. */
SCRIM_MUST_USE scrim_status sc_series_plan(scrim_vault *vault, const scrim_series *series,
                                           uint64_t number, const sc_plan_series *earlier,
                                           const scrim_series_run *run, scrim_plan **out,
                                           scrim_error *error);

#endif
