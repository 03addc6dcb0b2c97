/* The one call of a mechanism's draw, and the one of its ask: releases are made here and nowhere
 * else (tools/check_gate looks), for the gate alone (release.c, run.c).
 *
 * They are a file of their own so that the linker can lay a recorder of the tests around them
 * (tests/oracle/recorder.h): the code that is tested is the code that ships.
 */
#ifndef SC_ACCOUNT_DRAW_H
#define SC_ACCOUNT_DRAW_H

#include "ledger/ledger.h"
#include "model/measurement.h"

/* Where a draw belongs: its ledger, and its part of a passage. */
typedef struct sc_draw_site {
    const scrim_ledger *ledger;
    size_t part;     /* of a passage; SIZE_MAX: of none */
    uint64_t copies; /* how many draws of the part one unit can change */
} sc_draw_site;

SCRIM_MUST_USE scrim_status sc_gate_draw(const sc_draw_site *site,
                                         const scrim_measurement *measurement,
                                         sc_bits *bits, const sc_private_input *input,
                                         sc_draw *out, scrim_error *error);
/* One query of a run, as the mechanism's ask. */
SCRIM_MUST_USE scrim_status sc_gate_ask(const scrim_ledger *ledger,
                                        const scrim_measurement *measurement,
                                        sc_bits *bits, void *run, int64_t query,
                                        sc_mark *mark, sc_int128 *value, bool *has_halted,
                                        scrim_error *error);

#endif
