/* What a group is taken for before anything is drawn, as the numbers of a formula: every count is of the
 * expected rows, and values have the mean and the deviation that are guessed (column_guess.h). */
#ifndef SC_QUERY_FORMULA_GUESS_H
#define SC_QUERY_FORMULA_GUESS_H

#include "query/estimate/formula_parts.h"

/* halves: of each that is apart and made of bars, half of its interval; NULL: 0. */
typedef struct sc_formula_guess {
    const sc_ratio *rows;
    const sc_column_guesses *columns; /* NULL: none */
    const sc_ratio *halves;
} sc_formula_guess;

/* numbers has room for those of a group. */
void sc_formula_guess_numbers(const sc_formula_parts *parts,
                              const sc_formula_guess *guess, sc_int128 *numbers);
/* With the interval that its estimator predicts. */
SCRIM_MUST_USE scrim_status sc_formula_guess_apart(const sc_formula_parts *parts,
                                                   const sc_formula_guess *guess,
                                                   size_t index, sc_formula_known *out,
                                                   scrim_error *error);

#endif
