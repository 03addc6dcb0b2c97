/* The record of an interactive run in a ledger: its answers, one by one as they are given, and the line
 * that they make in the end, "asked=12 above=3,11=-4 halted".
 *
 * Claim  run-record.line  the pieces of a run, read back in order, make the line of that run
 */
#ifndef SC_LEDGER_RUN_RECORD_H
#define SC_LEDGER_RUN_RECORD_H

#include "model/mechanism.h"

/* "below", "above", "above=-4"; " halted" behind it. */
#define SC_RUN_PIECE_BYTES (16 + SC_INT128_BYTES)
void sc_run_piece_format(const sc_run_piece *piece, char text[SC_RUN_PIECE_BYTES]);
/* True for what sc_run_piece_format writes, and for nothing else. */
bool sc_run_piece_read(sc_text text, sc_run_piece *out);

/* All answers so far; all zeros: no answer yet. */
typedef struct sc_run_record {
    uint64_t asked;
    bool has_halted;
    char *above; /* "3,11=-4", up to above_bytes */
    size_t above_bytes, above_capacity;
} sc_run_record;

/* Room for one more answer; false without memory. */
SCRIM_MUST_USE bool sc_run_record_reserve(sc_run_record *record);
/* Takes it into the room that was reserved. */
void sc_run_record_add(sc_run_record *record, const sc_run_piece *piece);
/* The line, freed by sc_free; NULL without memory. */
char *sc_run_record_line(const sc_run_record *record);
void sc_run_record_clear(sc_run_record *record);

#endif
