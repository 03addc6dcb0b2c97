/* Lines that a ledger keeps: of an answer, and of a charge for one measurement. */
#ifndef SC_LEDGER_ANSWER_RECORD_H
#define SC_LEDGER_ANSWER_RECORD_H

#include "ledger/answer.h"

#include <stdint.h>

/* An answer as a ledger keeps it: one line of words, which says all that was shown.
 *
 *     1234 -0.5        numbers, in the unit of the input, exact
 *     #2 #0            places of candidates
 *     #2 13 #5 4       bars of a histogram: places, each with its count
 *     below above above=7 halted      what a sparse vector run said, and that it has ended
 *     5 none           numbers, and where nothing was said
 *     asked=12 above=3,11=-4 halted   the same of a run that was asked query by query: the
 *                                     numbers of those above, with values in steps of the grid
 *
 * Claim  answer-record.whole  what is parsed from the record of an answer is that answer: kinds,
 *                             texts, whether it has halted; anything else is refused
 */

/* The record; freed by sc_free. NULL without memory. */
char *sc_answer_line(const scrim_answer *answer);

/* The line of a charge for one measurement of something that was released before: what it is, a colon, the measurement.
 *
 *     compare release=1 rows=50 : laplace sensitivity=6 epsilon=1 neighbours=add-remove
 *
 * Two of them are the same question if they are the same line, so it names all that the answer depends on.
 */

/* Terminated, freed by sc_free; NULL without memory. */
char *sc_measured_line_write(uint64_t release, uint64_t rows, const char *measurement);
/* The measurement in such a line; any other line is returned as it is. */
const char *sc_measured_line(const char *line);

#endif
