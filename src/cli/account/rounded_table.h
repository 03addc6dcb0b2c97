/* scrim experiment rounded-stlap Q...: the histogram as it was first published, its exact delta
 * beside the one that the source states and beside that of stlap. */
#ifndef SC_CLI_ROUNDED_TABLE_H
#define SC_CLI_ROUNDED_TABLE_H

#include "cli/terminal/options.h"

/* Words from the third on are the values of q, and --epsilon is that of all of them. */
SCRIM_MUST_USE scrim_status sc_rounded_table(const sc_options *options,
                                             scrim_error *error);

#endif
