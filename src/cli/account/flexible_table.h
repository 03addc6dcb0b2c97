/* scrim experiment composition, and evaluate: statements of flexible accuracy on the command line.
 *
 *     composition alpha=0.05 beta=0.1 gamma=0 metric=move apply growth=2 metric=absolute
 *                 then alpha=0 beta=3 gamma=0.05 growth=same
 *     evaluate input=10 reachable=8,9,10 gamma=0.05 laplace epsilon=1 sensitivity=1
 */
#ifndef SC_CLI_FLEXIBLE_TABLE_H
#define SC_CLI_FLEXIBLE_TABLE_H

#include "cli/terminal/options.h"

/* The words from the third on: a statement, then stages. One row for each. */
SCRIM_MUST_USE scrim_status sc_flexible_stages(const sc_options *options,
                                               scrim_error *error);
/* The best beta of a mechanism on one input: its own words, then the mechanism's line. */
SCRIM_MUST_USE scrim_status sc_flexible_best(const sc_options *options,
                                             scrim_error *error);

#endif
