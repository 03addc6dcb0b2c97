/* The book of a vault, and the index of names in it. */
#ifndef SC_VAULT_BOOK_H
#define SC_VAULT_BOOK_H

#include "base/text.h"
#include "scrim/vault.h"
#include "vault/state/location.h"
#include "vault/state/series_account.h"

#include <stdbool.h>
#include <stddef.h>

/* Numbers by name, for lists that are too long to be searched: a table of hashes beside an array
 * whose items have names. The array is the caller's, and may move.
 *
 * Claim  name_index.last  a name is found as the number that was put under it last, and what was
 *                         never put is not found
 */

typedef struct sc_name_index {
    size_t *places;  /* numbers, from 1 on; 0: free */
    size_t capacity; /* 0, or a power of 2 */
    size_t count;
} sc_name_index;

/* The name that a number of the list has. */
typedef const char *sc_name_of(const void *list, size_t number);

void sc_name_index_clear(sc_name_index *index);
/* Room for one more; false without memory, and nothing has changed. */
bool sc_name_index_reserve(sc_name_index *index, sc_name_of *name_of, const void *list);
/* After a reserve. A number of the same name gives way. */
void sc_name_index_put(sc_name_index *index, sc_name_of *name_of, const void *list,
                       size_t number);
/* The number of a name; 0: no such name. */
size_t sc_name_index_find(const sc_name_index *index, sc_name_of *name_of,
                          const void *list, sc_text name);

/* The book: what the entries of a ledger add up to. A plain state machine in memory, which
 * knows neither files nor clocks: the same entries give the same book, always.
 *
 * Claim  book.exact     a charge is admitted exactly when the sums of all charges stay within the
 *                       population's budget, the analyst's share and the dataset's cap, as
 *                       rationals; a sum whose common denominator has passed 1,024 bits is
 *                       rounded up by less than 2^-256 a charge
 * Claim  book.refusal   what is refused changes nothing
 * Claim  book.shared    datasets of one population draw on one budget; removing one and adding it
 *                       again gives nothing back
 * Claim  book.remainder what is shown as left is never above what is left
 * Claim  book.unit      a population protects the unit of its first dataset, for good; a dataset of
 *                       another unit, which earlier versions have admitted, is known as such
 */

/* The amount that one analyst has spent of a population's budget, and the limit. Analyst 0 is
 * everybody: what all have spent, and the share of those who have no share of their own. */
typedef struct sc_tally {
    uint64_t population, analyst;
    sc_ratio amount, delta; /* spent */
    uint64_t charges;
    bool has_share;
    bool has_amount, has_delta; /* a share may leave one of them open */
    sc_ratio share_amount, share_delta;
} sc_tally;

/* People with one budget. */
typedef struct sc_population {
    char name[SC_EVENT_NAME_BYTES + 1];
    sc_filter filter;
    sc_tally *tallies; /* by analyst; the first is of analyst 0, with the totals */
    size_t tally_count, tally_capacity;
    char *
        unit; /* whom its first dataset protects (policy_terms.h), for good; NULL: none yet */
} sc_population;

typedef struct sc_dataset_entry {
    char name[SC_EVENT_NAME_BYTES + 1];
    uint64_t population, version;
    uint64_t policy; /* the entry whose text is its policy */
    uint64_t terms;  /* that of the terms in place of its own (policy_terms.h); 0: none */
    char *rows;      /* what a row is by it (series_account.h); NULL: no unit */
    bool has_contents; /* of its version: those of a file, which are known again */
    bool
        is_closed; /* the file was found to have others: no question until the next update */
    bool is_unlike;  /* it protects another unit than its population; */
    bool was_unlike; /* or a version of it did */
    bool is_removed;
    bool has_most, has_delta, has_least; /* the cap of a question */
    sc_ratio most, delta, least;
} sc_dataset_entry;

typedef struct sc_analyst {
    char name[SC_EVENT_NAME_BYTES + 1];
    uint64_t user;
} sc_analyst;

typedef struct sc_book {
    sc_population *populations; /* numbers are places plus 1 */
    size_t population_count, population_capacity;
    sc_name_index population_names;
    sc_dataset_entry *datasets;
    size_t dataset_count, dataset_capacity;
    sc_name_index dataset_names; /* the last one of a name, which may be removed */
    sc_analyst *analysts;
    size_t analyst_count, analyst_capacity;
    sc_series_account *series;
    size_t series_count, series_capacity;
    bool has_begun;
    bool is_test; /* made by the test build */
    sc_digest identity;
    sc_digest key;      /* the public one, of labels, */
    uint64_t key_entry; /* and the entry that names it; 0: no entry does */
    sc_location location;
    char *witness; /* NULL: none */
    uint64_t
        lost; /* entries that former witnesses had seen, when their owner accepted the vault without them */
    uint64_t time; /* the last that was noted; nothing is decided by it. 0: none yet */
} sc_book;

void sc_book_init(sc_book *book);
void sc_book_clear(sc_book *book);

/* Takes the entry of that number into the book, or refuses it and changes nothing.
 * SCRIM_E_BUDGET when a charge does not fit the budget or the share, SCRIM_E_POLICY above or below
 * the cap, for a dataset that was removed or has another version by now, SCRIM_E_PARAM for a
 * name that is taken or no name, or a number of nothing, SCRIM_E_STATE for an entry out of order,
 * SCRIM_E_MEMORY. A release is taken as it is: that its charge exists and is unanswered is known
 * to the store. */
SCRIM_MUST_USE scrim_status sc_book_apply(sc_book *book, uint64_t entry,
                                          const sc_event *event, scrim_error *error);

/* Each is NULL, or 0, when nothing has that number or name. A dataset that was removed is found
 * by number alone. */
const sc_population *sc_book_population(const sc_book *book, uint64_t number);
const sc_dataset_entry *sc_book_dataset(const sc_book *book, uint64_t number);
const sc_analyst *sc_book_analyst(const sc_book *book, uint64_t number);
const sc_tally *sc_book_tally(const sc_book *book, uint64_t population, uint64_t analyst);
const sc_series_account *sc_book_series(const sc_book *book, uint64_t number);
uint64_t sc_book_find_series(const sc_book *book, sc_text name);
/* The name that may have been meant, as sc_book_nearest_dataset. */
const char *sc_book_nearest_series(const sc_book *book, sc_text name);
uint64_t sc_book_find_population(const sc_book *book, sc_text name);
uint64_t sc_book_find_dataset(const sc_book *book, sc_text name);
/* The name that may have been meant, by sc_text_nearest; NULL when none is near. */
const char *sc_book_nearest_dataset(const sc_book *book, sc_text name, bool with_removed);
/* By the user's number, else by the name: neither another name nor another number makes somebody
 * a new analyst with a share of their own. */
uint64_t sc_book_find_analyst(const sc_book *book, uint64_t user, sc_text name);

/* The first dataset that can be asked and is unlike its population, or, with the past, that any
 * version of was; NULL: none. */
const sc_dataset_entry *sc_book_find_unlike(const sc_book *book, bool with_past);

/* The share that binds an analyst: their own, else that of everybody (analyst 0); NULL: none. */
const sc_tally *sc_book_share(const sc_book *book, uint64_t population, uint64_t analyst);
/* The rest for an analyst (0: of the whole): budget or share less what is spent, whichever
 * leaves less; exact, and not below 0. */
void sc_book_left(const sc_book *book, uint64_t population, uint64_t analyst,
                  sc_ratio *amount, sc_ratio *delta);
/* The same by what limits it, as text. */
void sc_book_set_remainder(const sc_book *book, uint64_t population, uint64_t analyst,
                           scrim_remainder *out);
/* The sum of all shares of a population, where everybody's counts once; false where none sets that
 * limit. is_above: a sum is above the budget. */
typedef struct sc_share_sum {
    sc_ratio amount, delta;
    bool has_amount, has_delta, is_above;
} sc_share_sum;
void sc_book_sum_shares(const sc_book *book, uint64_t population, sc_share_sum *out);
void sc_share_sum_clear(sc_share_sum *sum);
/* The delta that one question to a dataset may cost an analyst: that, or the cap where it is
 * less. */
void sc_book_left_delta(const sc_book *book, uint64_t dataset, uint64_t analyst,
                        sc_ratio *out);
/* The number under which somebody is charged: their own, else that which the next analyst has. */
uint64_t sc_book_charged_analyst(const sc_book *book, uint64_t user, sc_text name);
/* A number for people, within SCRIM_NUMBER_BYTES: exact where it fits, else cut to 20 decimal
 * places towards 0, or away from it. */
void sc_book_format_lower(const sc_ratio *x, char text[SCRIM_NUMBER_BYTES]);
void sc_book_format_upper(const sc_ratio *x, char text[SCRIM_NUMBER_BYTES]);

/* Sets what was spent, as a store has kept it beside the entries. */
SCRIM_MUST_USE scrim_status sc_book_load(sc_book *book, uint64_t population,
                                         uint64_t analyst, const sc_ratio *amount,
                                         const sc_ratio *delta, uint64_t charges,
                                         scrim_error *error);

/* Charges, and what they are tallied in: book_charge.c. No other room calls these. */

/* SCRIM_E_PARAM when no dataset has that number, SCRIM_E_POLICY when it was removed. */
SCRIM_MUST_USE scrim_status sc_book_check_dataset(const sc_book *book, uint64_t number,
                                                  scrim_error *error);
/* add_tally makes a tally that must not be there yet; want_tally finds it, or makes it if it is
 * missing. NULL without memory. */
sc_tally *sc_book_add_tally(sc_population *people, uint64_t population, uint64_t analyst,
                            scrim_error *error);
sc_tally *sc_book_want_tally(sc_book *book, uint64_t population, uint64_t analyst,
                             scrim_error *error);
/* Applies an entry that books a view on the share of an analyst; the budget stays as it is. */
SCRIM_MUST_USE scrim_status sc_book_view(sc_book *book, const sc_event *event,
                                         scrim_error *error);
/* Applies an entry that charges. */
SCRIM_MUST_USE scrim_status sc_book_charge(sc_book *book, const sc_event *event,
                                           scrim_error *error);

#endif
