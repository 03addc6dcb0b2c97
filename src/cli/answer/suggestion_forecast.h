/* A suggestion before it is paid for: what it costs, how far the noise of each ladder reaches, and how many people
 * it needs. From the plan alone. */
#ifndef SC_CLI_SUGGESTION_FORECAST_H
#define SC_CLI_SUGGESTION_FORECAST_H

#include "cli/answer/answer_show.h"

/* A table on the output, which is not closed. expect: the people that somebody expects, as a decimal number;
 * NULL: nobody knows. SCRIM_E_PARAM when it is no such number. */
SCRIM_MUST_USE scrim_status sc_suggestion_forecast(const sc_answer_style *style,
                                                   sc_output *output, scrim_vault *vault,
                                                   const scrim_suggestion *suggestion,
                                                   const char *expect,
                                                   scrim_error *error);

#endif
