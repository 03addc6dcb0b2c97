/* A suggestion: the bounds, and the quantiles and rungs that they follow from, in every format; and the commands that
 * use them, in words. */
#ifndef SC_CLI_SUGGESTION_VIEW_H
#define SC_CLI_SUGGESTION_VIEW_H

#include "cli/answer/answer_show.h"

/* The first of 1, 2, 5 times a power of 10 that is not below it. */
double sc_suggestion_round_up(double value);

/* After the run. Tables and CSV have the bounds first, then the quantiles and the rungs, which a short table leaves
 * out; JSON is an object with all of them, and what the release cost. question_epsilon: of one later question; NULL: that of the suggestion. Closes
 * standard output. */
SCRIM_MUST_USE scrim_status sc_suggestion_show(const sc_answer_style *style,
                                               scrim_vault *vault,
                                               const scrim_suggestion *suggestion,
                                               const char *question_epsilon,
                                               scrim_error *error);

#endif
