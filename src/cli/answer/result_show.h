/* Showing the answer to a query: it goes to standard output, the plot and the note on what was
 * released to standard error. A query and its replay are shown by the same code, and alike. */
#ifndef SC_CLI_RESULT_SHOW_H
#define SC_CLI_RESULT_SHOW_H

#include "cli/answer/answer_show.h"

/* Closes standard output. */
SCRIM_MUST_USE scrim_status sc_result_show(const sc_answer_style *style,
                                           scrim_vault *vault, const scrim_result *result,
                                           scrim_error *error);

/* The note on what was released alone, on standard error. */
SCRIM_MUST_USE scrim_status sc_result_talk(const sc_answer_style *style,
                                           scrim_vault *vault, const scrim_result *result,
                                           scrim_error *error);

#endif
