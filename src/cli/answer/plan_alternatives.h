/* Other ways to ask a question, for people who are about to pay: an answer at a larger epsilon that is there already, other
 * epsilons, half the contribution bounds. From plans and the ledger alone; no data are read and nothing is charged. */
#ifndef SC_CLI_PLAN_ALTERNATIVES_H
#define SC_CLI_PLAN_ALTERNATIVES_H

#include "cli/answer/query_request.h"

#define SC_ALTERNATIVE_BYTES 512

/* How a surface lets people ask at another epsilon: "free with --epsilon 0.2", "free: type 0.2". */
typedef enum sc_alternative_surface {
    SC_ALTERNATIVE_OPTION,
    SC_ALTERNATIVE_PROMPT
} sc_alternative_surface;

/* "release 10 answers this with epsilon 0.2 (± 126): free with --epsilon 0.2", of the largest epsilon above that of the
 * plan, or of all where the request has no plan; "" where no release does. The request is open. */
void sc_plan_earlier_words(const sc_query_request *request, const sc_options *options,
                           sc_alternative_surface surface,
                           char out[SC_ALTERNATIVE_BYTES]);
/* Adds the same to a refusal because no price was named: whoever names none may own an answer already. The request is one that
 * sc_query_request_read has refused. */
void sc_plan_earlier_advise(sc_query_request *request, const sc_options *options,
                            scrim_error *error);
/* "max-total-rows 4: total ± 31600, with more rows left out", where half the bounds of rows have an error that is smaller by a
 * tenth or more; "" otherwise. */
void sc_plan_half_words(const sc_query_request *request, const sc_options *options,
                        char out[SC_ALTERNATIVE_BYTES]);
/* "0.05: ± 505, 0.1: ± 252, 0.5: ± 50", of the first number; "" where no error can be predicted. */
void sc_plan_prices_words(const sc_query_request *request, const sc_options *options,
                          char out[SC_ALTERNATIVE_BYTES]);

#endif
