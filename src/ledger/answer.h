/* The answer of a release: values with their meaning, their cost and their entry. */
#ifndef SC_LEDGER_ANSWER_H
#define SC_LEDGER_ANSWER_H

#include "model/measurement.h"
#include "scrim/ledger.h"

struct scrim_answer {
    size_t count;
    sc_int128 *values; /* in steps of the grid */
    uint64_t *places;  /* of a histogram: where each bar is; NULL: not a histogram */
    sc_mark *marks;
    bool *left_out; /* groups that the mechanism did not choose; NULL: none */
    char **texts;
    char **labels; /* NULL: none */
    const char *label_name;
    sc_grid grid;
    bool has_halted;
    sc_radii *radii; /* of values that differ in accuracy; NULL: they do not */
    scrim_cost cost;
    uint64_t entry;
};

/* Takes over what was drawn; draw's arrays are copied. */
SCRIM_MUST_USE scrim_status sc_answer_new(const scrim_measurement *measurement,
                                          const sc_draw *draw, uint64_t entry,
                                          scrim_answer **out, scrim_error *error);

#endif
