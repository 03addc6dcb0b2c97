/* Notes beside a table: lines folded to a width, cautions, and the rest of a budget. */
#ifndef SC_CLI_NOTES_H
#define SC_CLI_NOTES_H

#include "cli/display/json_writer.h"
#include "cli/display/number_view.h"
#include "cli/terminal/output.h"

/* Notes on a narrow terminal: lines that are too wide go on in the next, below their words.
 *
 * A note is "name        words": twelve columns of a name, then what it says. It is written like
 * anything else, and folded when it stands in the buffer.
 */

/* Where a note begins; there is room for it in the buffer. */
size_t sc_fold_begin(sc_output *output);
/* Folds the lines written since then that are wider than columns, at spaces behind the name. A word
 * that is wider by itself stays whole; so does everything without memory. */
void sc_fold_end(sc_output *output, size_t begin, size_t columns);
/* The same with an indent of its own (line_fold.h). */
void sc_fold_end_at(sc_output *output, size_t begin, size_t columns, size_t indent);
/* One line of its own, "name        text": a text that is longer than any note stays whole. */
void sc_fold_line(sc_output *output, const char *name, const char *text, size_t columns);
/* A line for a shell behind "$ ", to be copied: it is folded at spaces outside of quotes, with a backslash before each line
 * that goes on. The output must not fold lines by itself, as a screen does. */
void sc_fold_command(sc_output *output, const char *command, size_t columns,
                     size_t indent);

/* Cautions about a cost, and what a unit contributes at most: each sentence in one place. They warn
 * and never refuse; lines are as fold.h has them. */

/* About a single mechanism: its epsilon, and a delta that is large for any data. */
void sc_caution_cost(sc_output *output, const scrim_cost *cost);
/* About a query, whose units are known better. */
void sc_caution_query(sc_output *output, const scrim_cost *cost);
/* Is delta at least one in the rows that a group is expected to have? */
bool sc_delta_is_large(const scrim_cost *cost, const char *expect);
/* A line where it is. */
void sc_caution_delta(sc_output *output, const scrim_cost *cost, const char *expect);
#define SC_DELTA_BYTES 192
/* About a delta that is large for any data; false, and "", where it is not. */
bool sc_caution_any_delta(const char *delta, char text[SC_DELTA_BYTES]);
/* The same about a budget, which is the sum of many answers: only where it is hardly any protection. */
/* NULL: protection is not weak. */
const char *sc_caution_epsilon(const char *epsilon);
const char *sc_caution_budget(const char *epsilon);
#define SC_SHARES_BYTES 512
/* About the shares of a budget that is told without an analyst; false, and "", where they fit. */
bool sc_caution_shares(const scrim_budget *budget, char text[SC_SHARES_BYTES]);

/* "bounds      2 rows per person; ...": nothing where nothing is said. */
void sc_kept_write(sc_output *output, const char *kept);
/* Releases whose whole cost goes into what they show count nobody who was cut. units: "customers". */
#define SC_UNCOUNTED                                                                     \
    "how many %s had some is not measured, as all of the cost goes into what is shown; " \
    "'scrim query' of COUNT(*) with these bounds tells"
void sc_uncounted_write(sc_output *output, const char *units);
/* Whose rows are in no answer; nothing where each row is a unit. The first line of bounds names them. */
void sc_left_out_write(sc_output *output, const char *unit, bool is_first);

/* How much of a budget is left for an analyst who has a share: the share and the whole budget, each
 * by itself. Without a share the whole budget is the only limit, and nothing is said here. */

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
