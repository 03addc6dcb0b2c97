/* Public guesses of a user about the rows of a group: their number, and the mean and the standard
 * deviation of columns. Predictions and the division of the budget use them; no interval depends on
 * whether they are right.
 *
 *     --expect 32561                   rows
 *     --expect 32561,age=38.6:13.6     and of age the mean, and the deviation
 *     --expect age=38.6                of age the mean alone
 *
 * A column without one has its mean half way from the centre of its range to an end, and a
 * deviation of a quarter of the radius (spec/mechanisms.md 4.4): errors of means and variances are
 * larger the farther the mean lies from the centre, and those of deviations the smaller these are.
 *
 * Claim  column-guess.possible  a mean is within the range of its column, and a deviation is one
 *                               that rows of that mean within the range can have; else it is refused
 */
#ifndef SC_QUERY_COLUMN_GUESS_H
#define SC_QUERY_COLUMN_GUESS_H

#include "base/memory.h"
#include "query/language/question.h"

#define SC_GUESS_COLUMNS 64
#define SC_GUESS_BITS 62

typedef struct sc_column_guess {
    sc_text name;
    sc_ratio mean, deviation; /* in the unit of the column */
    bool has_deviation;
} sc_column_guess;

typedef struct sc_column_guesses {
    sc_column_guess columns[SC_GUESS_COLUMNS];
    size_t count;
    char *text; /* that the names point into */
} sc_column_guesses;

void sc_column_guesses_init(sc_column_guesses *guesses);
void sc_column_guesses_clear(sc_column_guesses *guesses);

/* "age=38.6:13.6,pay=40"; "" gives no guess. SCRIM_E_PARAM for other texts, or the same column twice,
 * SCRIM_E_LIMIT beyond the sizes above, SCRIM_E_MEMORY. It is to be cleared anyway. */
SCRIM_MUST_USE scrim_status sc_column_guesses_parse(sc_text text, sc_column_guesses *out,
                                                    scrim_error *error);
/* The same text again, numbers in their shortest form. */
void sc_column_guesses_put(const sc_column_guesses *guesses, sc_text_sink *sink);

/* SCRIM_E_PARAM for a name that is no column of numbers, and for what its range does not allow. */
SCRIM_MUST_USE scrim_status sc_column_guesses_check(const sc_column_guesses *guesses,
                                                    const sc_schema *schema,
                                                    scrim_error *error);

/* The guess for the values of an aggregate; NULL when they are not a plain column, or one without
 * a guess. */
const sc_column_guess *sc_column_guess_of(const sc_column_guesses *guesses,
                                          const sc_schema *schema, const sc_typed *value);

/* For AVG and the variances, in steps: the distance of the mean from the centre, and the variance,
 * which is one that is possible. guess may be NULL. */
void sc_column_guess_moments(const sc_column_guess *guess,
                             const sc_query_aggregate *aggregate, sc_ratio *mean,
                             sc_ratio *variance);

#endif
