/* The only calls of a mechanism's `draw` and `ask`: noise is drawn for data here and nowhere else (tools/check_gate proves it). Only
 * the gate (release.c, run.c) may call them, after the charge.
 *
 * They have a file of their own so that tests can wrap them at link time with a recorder
 * (tests/oracle/recorder.h): the code that is tested is the code that ships.
 */
#ifndef SC_LEDGER_DRAW_H
#define SC_LEDGER_DRAW_H

#include "ledger/ledger.h"
#include "model/measurement.h"

/* Which draw this is, for the recorder of the tests: its ledger, and its part of a passage (a release of several parts, release.h). */
typedef struct sc_draw_site {
    const scrim_ledger *ledger;
    size_t part;     /* of the passage; SIZE_MAX: a release of a single measurement */
    uint64_t copies; /* how many draws of the part one unit can change */
} sc_draw_site;

SCRIM_MUST_USE scrim_status sc_gate_draw(const sc_draw_site *site,
                                         const scrim_measurement *measurement,
                                         sc_bits *bits, const sc_private_input *input,
                                         sc_draw *out, scrim_error *error);
/* Asks one query of an interactive run, as the mechanism's `ask` does. */
SCRIM_MUST_USE scrim_status sc_gate_ask(const scrim_ledger *ledger,
                                        const scrim_measurement *measurement,
                                        sc_bits *bits, void *run, int64_t query,
                                        sc_run_piece *out, scrim_error *error);

#endif
