/* A series of releases as the book knows it: whose, how many, and what its windows have cost.
 *
 * Releases of a series are charges like all others: each adds its price, since one unit can be in
 * all of them. There is one exception. Where each row is a unit of its own, neighbours differ by
 * one row more or less, and a series divides the rows by windows of a column, a row of one version
 * of the table is in one window alone: the windows of that version cost together as much as the
 * most expensive of them (parallel composition). Then the charge of a window, an entry of its own
 * kind, adds what its price is above the most expensive one of the same version before.
 *
 * A unit is protected over the whole history of the table. In another version its row may be in
 * another window, so that the versions add up: each costs its most expensive window.
 *
 * It holds for contents that cannot change within a version, and for one analyst: a window is of a
 * file that the policy knows the contents of, of a series that was entered as parallel, comes after
 * all that were charged before, is charged to the analyst of the first one, and the lines of the
 * policy that say what a row is (unit, neighbours, columns, missing values, source) are still those
 * of when the series was entered. A release for which any of it is not so is charged in full.
 *
 * Earlier versions of scrim wrote another kind of entry, which charged the most expensive window of
 * all versions once. Such entries are read as what they said then. The first window after them adds
 * what its price is above what they have certainly paid for in its own version.
 *
 * Claim  series.parallel  an entry that says otherwise is refused, also when a ledger is verified:
 *                         a series whose unit is not the row, or whose neighbours are replaced, has
 *                         no windows, and a window adds exactly what the entries before it leave of
 *                         its price
 * Claim  series.history   what the windows of a series are charged is at least the sum, over the
 *                         versions of the table, of the most expensive window of each
 */
#ifndef SC_VAULT_SERIES_ACCOUNT_H
#define SC_VAULT_SERIES_ACCOUNT_H

#include "vault/state/event.h"

typedef struct sc_series_account {
    char name[SC_EVENT_NAME_BYTES + 1];
    uint64_t dataset, releases;
    uint64_t entry;         /* whose text is what was declared */
    bool is_parallel;       /* its next window can be charged as one */
    char *rows;             /* of a parallel one: what a row was when it was entered */
    uint64_t last;          /* the window that was charged last; 0: none */
    uint64_t analyst;       /* who was charged; 0: nobody yet */
    sc_ratio amount, delta; /* that all windows so far were charged */
    uint64_t version; /* of the dataset, when the last window was charged; 0: none */
    sc_ratio paid,
        paid_delta;    /* for that version: the price of its most expensive window */
    bool has_prices;   /* windows of the earlier rule are over */
    bool is_underpaid; /* by the earlier rule, windows of several versions paid for one */
} sc_series_account;

/* The lines of a policy that say what a row is, or, where units are not rows or neighbours are
 * replaced, NULL in out. Freed by sc_free. SCRIM_E_MEMORY. */
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
/* The charge that a window of that price adds in that version: nothing, or what is above its most expensive
 * one so far. */
void sc_series_account_price(const sc_series_account *series, uint64_t version,
                             sc_ratio *amount, sc_ratio *delta);
/* Does this entry add what its price asks for? One of the earlier rule tells no price, and ends
 * where prices begin. */
bool sc_series_account_is_priced(const sc_series_account *series, const sc_event *window);
/* The amount of a window that is held against the cap of a question: its price, or by the earlier rule what
 * all windows come to with it. */
void sc_series_account_cost(const sc_series_account *series, const sc_event *window,
                            sc_ratio *amount, sc_ratio *delta);
/* The most that a window of the ledger can have cost by itself: its price, or by the earlier rule what all windows of its series
 * were charged together. */
void sc_series_account_price_upper(const sc_series_account *series,
                                   const sc_event *window, sc_ratio *amount,
                                   sc_ratio *delta);
/* x = max(x - paid, 0): the rest of a window's price where others of its version have paid so much. */
void sc_series_take_off(sc_ratio *x, const sc_ratio *paid);
/* A window that was admitted and charged. */
void sc_series_account_take(sc_series_account *series, const sc_event *window);

#endif
