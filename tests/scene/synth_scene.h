/* Synthetic releases as tests make them: records, a ledger with a tape, a passage within an allowance. */
#ifndef SYNTH_SCENE_H
#define SYNTH_SCENE_H

#include "adult_records.h"
#include "random/bits_tape.h"
#include "synth/model/synth_rows.h"
#include "synth/rounds/rounds.h"

typedef struct synth_scene {
    scrim_ledger *ledger;
    sc_tape *tape;
    sc_synth_released released;
    sc_rounds rounds; /* ready for a method */
} synth_scene;

/* A budget of rho, converted at epsilon and delta; or of epsilon alone where rho is NULL. The records stay the
 * caller's. False, with a failed check unless memory was made to fail, when something could not be had. */
bool synth_scene_open(synth_scene *scene, sc_records *records, const sc_round_unit *unit,
                      const char *rho, uint64_t seed);
void synth_scene_close(synth_scene *scene);

/* Rows given by codes, one row behind the other. */
sc_records *synth_records(const sc_synth_columns *columns, const uint32_t *codes,
                          size_t rows);

/* The columns of a list alone. */
sc_records *synth_part(const sc_records *records, const size_t *columns, size_t count);

/* The mean over all pairs of columns of the total variation between records and rows. */
double synth_mean_variation(const sc_records *records, const sc_synth_rows *rows);

#endif
