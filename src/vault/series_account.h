/* What the book knows of a series of releases: whose, how many, and what its windows have cost.
 *
 * Releases of a series are charges like all others: each adds its price, since one unit can be in
 * all of them. There is one exception. Where each row is a unit of its own, neighbours differ by
 * one row more or less, and a series divides the rows by windows of a column, a row is in one
 * window alone: what the windows cost together is what the dearest of them costs (parallel
 * composition). Then the charge of a window, an entry of its own kind, adds what its price is above
 * the dearest one before.
 *
 * That holds only while nothing else may have moved a row from one window to another, and for one
 * who asks: a window is of a series that was entered as parallel, comes after all that were charged
 * before, is charged to the analyst of the first one, and the lines of the policy that say what a
 * row is (unit, neighbours, columns, and what stands for missing values) are still those of when
 * the series was entered. A release for which any of it is not so is charged in full.
 *
 * Claim  series.parallel  an entry that says otherwise is refused, also when a ledger is verified:
 *                         a series whose unit is not the row, or whose neighbours are replaced, has
 *                         no windows
 */
#ifndef SC_VAULT_SERIES_ACCOUNT_H
#define SC_VAULT_SERIES_ACCOUNT_H

#include "vault/event.h"

typedef struct sc_series_account {
    char name[SC_EVENT_NAME_BYTES + 1];
    uint64_t dataset, releases;
    uint64_t entry;         /* whose text is what was declared */
    bool is_parallel;       /* its next window can be charged as one */
    char *rows;             /* of a parallel one: what a row was when it was entered */
    uint64_t last;          /* the window that was charged last; 0: none */
    uint64_t analyst;       /* who was charged; 0: nobody yet */
    sc_ratio amount, delta; /* of the dearest window so far */
} sc_series_account;

/* The lines of a policy that say what a row is, or, where units are not rows or neighbours are
 * replaced, NULL in out. Freed by sc_release. SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_row_lines(sc_text policy, char **out, scrim_error *error);

/* A series from its entry; rows are the lines of its dataset as it is. SCRIM_E_PARAM for what is no
 * name, SCRIM_E_POLICY for windows of what are no rows. out is untouched on failure. */
SCRIM_MUST_USE scrim_status sc_series_account_new(const sc_event *event, uint64_t entry,
                                                  const char *rows,
                                                  sc_series_account *out,
                                                  scrim_error *error);
void sc_series_account_clear(sc_series_account *series);
/* Another policy of its dataset: windows end where a row has become something else. */
void sc_series_account_see(sc_series_account *series, const char *rows);

/* May this release be charged to this analyst as a window? */
bool sc_series_account_admits(const sc_series_account *series, uint64_t release,
                              uint64_t analyst);
/* What a window of that price adds: nothing, or what is above the dearest one. */
void sc_series_account_price(const sc_series_account *series, sc_ratio *amount,
                             sc_ratio *delta);
/* What the windows come to with one that adds this. */
void sc_series_account_total(const sc_series_account *series, const sc_event *window,
                             sc_ratio *amount, sc_ratio *delta);
/* A window that was admitted and charged. */
void sc_series_account_take(sc_series_account *series, const sc_event *window);

#endif
