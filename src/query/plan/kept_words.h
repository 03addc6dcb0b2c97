/* Which rows of a unit an answer uses, in one short line for people, behind the word "bounds": "60 rows per customer; about
 * 4 % of customers [3, 5] had rows left out", or "further rows were left out" where nobody counted how many people
 * have such rows. Explain, answers and labels say the same.
 *
 * All else follows from the policy and the question. Where each row is a unit, bounds leave nothing out.
 * Where the keys of a group are listed, rows with another key are left out, and the sentence says so.
 *
 * Claim  kept-words.public  the sentence depends on the question and on what is declared alone
 */
#ifndef SC_QUERY_KEPT_WORDS_H
#define SC_QUERY_KEPT_WORDS_H

#include "query/rows/statistic.h"

typedef enum sc_kept_tense {
    SC_KEPT_WILL_BE, /* of a plan */
    SC_KEPT_WAS
} sc_kept_tense;

/* The keys of a statement, as a plan or a record has them (plan_model.h). */
typedef struct sc_kept_keys {
    bool are_public, have_ranges;
    size_t
        rows_of; /* the question, counted from 1, whose groups bound the rows; 0: its own; SC_ROWS_OF_ALL, or SC_ROWS_OF_KEYS */
} sc_kept_keys;

/* The bounds of a unit in the question whose groups bound the rows. */
typedef struct sc_kept_bounds {
    sc_bounds said;  /* whole */
    uint64_t groups; /* that a unit can be in */
    const char *
        cut; /* what a release tells of the people who were cut (cut_words.h); NULL: nobody counted them */
} sc_kept_bounds;

/* The sentence of one question, in the arena; "" if nothing is left out; NULL without memory. */
const char *sc_kept_words(const sc_query *query, const sc_statistics *statistics,
                          const sc_kept_bounds *bounds, sc_kept_keys keys,
                          sc_kept_tense tense, sc_arena *arena);
/* Is there an aggregate of rows, to which the bound of rows applies? */
bool sc_query_counts_rows(const sc_query *query, const sc_statistics *statistics);
/* The number of keys that are on a list of the owner, or computed from such texts. Rows with other keys are
 * in no group. */
size_t sc_query_listed_keys(const sc_query *query, sc_kept_keys keys);
/* Has the query counts or sums, which are too low where rows are left out? An average, a quotient of two sums or a maximum
 * need not be. */
bool sc_kept_adds_up(const sc_query *query);
/* Bounds of groups and rows fit some questions. A question with more groups than a unit is used in, or without
 * groups if a unit is used in several, misses rows that others have, so that its counts and sums are too low. No interval shows this, so the sentence
 * does; else it is "". groups is the number of public groups, or 0. In the arena; NULL without memory. */
const char *sc_missing_words(const sc_query *query, const sc_statistics *statistics,
                             const sc_bounds *said, size_t groups, sc_kept_keys keys,
                             sc_arena *arena);

#endif
