/* How much of a budget is left for an analyst who has a share: the share and the whole budget, each
 * by itself. Without a share the whole budget is the only limit, and nothing is said here. */
#ifndef SC_CLI_REMAINDER_VIEW_H
#define SC_CLI_REMAINDER_VIEW_H

#include "cli/sheet/json_writer.h"
#include "cli/sheet/number_view.h"
#include "cli/terminal/output.h"

#define SC_REMAINDER_BYTES (2 * SC_AMOUNT_BYTES + 144)

/* "epsilon 1.7 of your share, 2.1 of the whole budget"; false, and "", where there is no share. */
bool sc_remainder_format(const char *unit, const scrim_remainder *left,
                         char text[SC_REMAINDER_BYTES]);
/* Which limit is too small for the cost of a query: "your share has epsilon 0.1 left, which is not
 * enough: ...; the whole budget has epsilon 2.8". */
void sc_remainder_lack(const char *unit, const scrim_remainder *left, const char *amount,
                       const char *delta, char text[SC_REMAINDER_BYTES]);
/* The members share_left, share_left_delta, whole_left and whole_left_delta of an object. */
void sc_remainder_json(sc_json *json, const scrim_remainder *left);

/* Writes what sc_amount_format says. */
void sc_amount_write(sc_output *output, const char *unit, const char *amount,
                     const char *delta, bool upper);

#endif
