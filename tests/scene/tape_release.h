/* Releases drawn from a tape: the whole gate, with noise that can be repeated. */
#ifndef TAPE_RELEASE_H
#define TAPE_RELEASE_H

#include "random/bits_tape.h"
#include "scrim.h"

/* One release through a ledger of its own, which admits it; the answer is the caller's. entry may
 * be NULL, else it gets the state of the one entry (0: nothing was charged). */
SCRIM_MUST_USE scrim_status tape_release(const scrim_measurement *measurement,
                                         const scrim_input *input, sc_tape *tape,
                                         scrim_answer **out, scrim_entry_state *entry,
                                         scrim_error *error);

/* A measurement for data; a failed check and NULL when the line is refused. */
scrim_measurement *tape_measurement(const char *line);

#endif
