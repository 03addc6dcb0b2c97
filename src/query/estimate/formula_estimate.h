/* The value and the interval of arithmetic on aggregates of one row, from released numbers, so they cost
 * nothing. Intervals hold at the confidence, for the rows kept after bounding and clamping, by the first
 * of four rules that applies (spec/query-semantics.md 4):
 *
 *  - a sum of released numbers: the distribution of the sum of their noises
 *  - a quotient of two such sums: all values that the noise does not rule out (moment_interval.h)
 *  - sums, products and quotients of these: their slopes, and what is left (formula_smooth.h)
 *  - anything else: each of its parts, the largest of these kinds and aggregates that are neither, has
 *    an interval at a level at which all of them hold together, and bounds follow step by step
 *    (formula_bounds.h). m parts share beta: of parts without a common number each has 1 - (1 -
 *    beta)^(1/m), else beta/m; those that hold with certainty take nothing. Where there are fewer numbers
 *    than parts, numbers are the parts.
 *
 * Ends are cut by the public range of the value, and reach to the value where that is outside. Where a
 * divisor may be 0 everything is possible: the interval is open, and is that range, as far as it has
 * ends.
 *
 * The intervals of single aggregates at the confidence would not do: ten of them hold together 0.6 of
 * the time. Nor would a linear approximation of a quotient.
 *
 * Claim  formula-estimate.value     the value is that of the steps, in rational arithmetic, for released
 *                                   counts, sums and means, and shown values of all else; NULL where a
 *                                   divisor is 0
 * Claim  formula-estimate.coverage  the true value is inside with probability at least the confidence,
 *                                   wherever it exists
 */
#ifndef SC_QUERY_FORMULA_ESTIMATE_H
#define SC_QUERY_FORMULA_ESTIMATE_H

#include "query/estimate/formula_parts.h"

/* A group as it is guessed before anything is drawn: every count is of the expected rows, and values have
 * the guessed mean and deviation (column_guess.h). halves: half of the interval of each separate aggregate
 * that is made of bars; NULL: 0. */
typedef struct sc_formula_guess {
    const sc_ratio *rows;
    const sc_column_guesses *columns; /* NULL: none */
    const sc_ratio *halves;
} sc_formula_guess;

typedef struct sc_formula_estimator sc_formula_estimator;

/* SCRIM_E_PARAM for a confidence outside (0, 1), SCRIM_E_LIMIT, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_formula_estimator_new(const sc_formula_setting *setting,
                                                     const sc_ratio *confidence,
                                                     sc_formula_estimator **out,
                                                     scrim_error *error);
void sc_formula_estimator_free(sc_formula_estimator *estimator); /* NULL is allowed */

/* Aggregates that enter with an interval of their own, not as sums of numbers. */
size_t sc_formula_apart_count(const sc_formula_estimator *estimator);
const sc_formula_apart *sc_formula_apart_at(const sc_formula_estimator *estimator,
                                            size_t index);
typedef struct sc_formula_answer {
    sc_formula_number value;
    sc_formula_bounds bounds; /* an end may be missing where it is open */
} sc_formula_answer;
void sc_formula_answer_init(sc_formula_answer *answer);
void sc_formula_answer_clear(sc_formula_answer *answer);

/* numbers: those of a group, as a record has them; apart: one for each of those above. Only memory can
 * fail. */
SCRIM_MUST_USE scrim_status sc_formula_estimate_of(const sc_formula_estimator *estimator,
                                                   const sc_int128 *numbers,
                                                   const sc_formula_known *apart,
                                                   sc_formula_answer *out,
                                                   scrim_error *error);

/* Half of the interval of a group whose numbers have no noise and are as guessed, rounded up to three
 * digits: every count is of the expected rows, and no public range cuts it. is_open: it is everything,
 * and out is 0. */
SCRIM_MUST_USE scrim_status sc_formula_predict(const sc_formula_estimator *estimator,
                                               const sc_formula_guess *guess,
                                               sc_ratio *out, bool *is_open,
                                               scrim_error *error);

/* Digits behind the point: a public number. */
unsigned sc_formula_digits(const sc_formula_estimator *estimator);
/* Bounds of the value, for every table. */
const sc_formula_bounds *sc_formula_range(const sc_formula_estimator *estimator);
/* Does every interval hold with certainty? */
bool sc_formula_is_certain(const sc_formula_estimator *estimator);
/* How its interval is computed, in a sentence. */
const char *sc_formula_note(const sc_formula_estimator *estimator);

#endif
