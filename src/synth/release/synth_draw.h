/* A recorded release of synthetic rows, as it is shown. Everything here is computed from the record. */
#ifndef SC_SYNTH_DRAW_H
#define SC_SYNTH_DRAW_H

#include "base/hash.h"
#include "synth/model/synth_rows.h"
#include "synth/release/synth_record.h"

struct scrim_synth_release {
    uint64_t id, time;
    bool is_repeated;
    scrim_cost cost;
    char *dataset;
    sc_synth_record record;
};

/* From the text of a record, which is copied. SCRIM_E_CHECK, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_synth_release_new(const char *text, uint64_t id,
                                                 uint64_t time, bool is_repeated,
                                                 scrim_synth_release **out,
                                                 scrim_error *error);

/* As scrim_synth_replay, for a plan: nothing is shown, and nothing is booked on a share. */
SCRIM_MUST_USE scrim_status sc_synth_read(scrim_vault *vault, uint64_t id,
                                          scrim_synth_release **out, scrim_error *error);

/* The rows that were drawn, as codes of the declared categories. */
const sc_synth_rows *sc_synth_rows_codes(const scrim_synth_rows *rows);
/* The values of a column in bins, in steps; NULL is one above the range. NULL for a column of keys. */
const int64_t *sc_synth_rows_values(const scrim_synth_rows *rows, size_t column);
/* The key of the public coins of a release: a function of the record. */
sc_hash_key sc_synth_release_key(const scrim_synth_release *release);

#endif
