/* Which candidate texts explain the counts: a path of penalties and cross-validation over cohorts
 * (spec 2.3, step 4). Deterministic. A procedure, not a theorem: no error rate is promised.
 *
 * The penalty is the largest of the path whose error is not above the smallest one by more than one standard
 * error of the difference, fold by fold: noise that both share does not count. With a single fold there is
 * nothing to hold back, and the penalty is the one that noise of all candidates exceeds seldom,
 * sqrt(2 ln(candidates)) standard deviations.
 */
#ifndef SC_LOCAL_TEXT_SELECTION_H
#define SC_LOCAL_TEXT_SELECTION_H

#include "local/texts/text_system.h"

#define SC_TEXT_PENALTIES 100
#define SC_TEXT_FOLDS 10

typedef struct sc_text_selection {
    size_t *columns; /* those above 0 at the penalty, rising; the caller frees them */
    double *values;  /* theirs; freed likewise */
    size_t count;
    double penalty, largest;
} sc_text_selection;

SCRIM_MUST_USE scrim_status sc_text_select(sc_text_system *system, sc_text_selection *out,
                                           scrim_error *error);

#endif
