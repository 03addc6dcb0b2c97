/* Cautions about a cost, and what a unit contributes at most: each sentence in one place. They warn
 * and never refuse; lines are as fold.h has them. */
#ifndef SC_CLI_CAUTION_H
#define SC_CLI_CAUTION_H

#include "cli/terminal/output.h"

/* The one scale of epsilon: above this it is weak protection, and from that on hardly any. */
#define SC_EPSILON_WEAK 1
#define SC_EPSILON_VOID 5

/* About a single mechanism: its epsilon, and a delta that is large for any data. */
void sc_caution_cost(sc_output *output, const scrim_cost *cost);
/* Of a query, about whose units more is known. */
void sc_caution_query(sc_output *output, const scrim_cost *cost);
/* Is delta at least one in the rows that a group is expected to have? */
bool sc_delta_is_large(const scrim_cost *cost, const char *expect);
/* A line where it is. */
void sc_caution_delta(sc_output *output, const scrim_cost *cost, const char *expect);
#define SC_DELTA_BYTES 192
/* About a delta that is large for any data; false, and "", where it is not. */
bool sc_caution_any_delta(const char *delta, char text[SC_DELTA_BYTES]);
/* The same about a budget, which is the sum of many answers: only where it is hardly any protection. */
const char *sc_caution_budget(const char *epsilon);
#define SC_SHARES_BYTES 512
/* About the shares of a budget that is told without an analyst; false, and "", where they fit. */
bool sc_caution_shares(const scrim_budget *budget, char text[SC_SHARES_BYTES]);

/* "bounds      at most 2 rows per person were used; ...": nothing where nothing is said. */
void sc_kept_write(sc_output *output, const char *kept);
/* Whose rows are in no answer; nothing where each row is a unit. The first line of bounds names them. */
void sc_left_out_write(sc_output *output, const char *unit, bool is_first);

#endif
