/* The data of the keys that were kept, for the mechanism that uses them, and its answer by key.
 *
 * The first step of a measurement with a second one (measurement.h) has said 1 of each key that it
 * keeps, else 0. The second step takes the values of these keys alone, as if there were no others,
 * clamped to its own domain; it is not run if no key is kept, or fewer than it can take. Its
 * answer is put back to the places of the keys: a choice names the place of its key, everything else
 * is one value per key, and a key that was not kept has no value.
 *
 * Claim  used-keys.same   the second step sees the values that the first one saw, of the kept keys
 *                         and of no other
 * Claim  used-keys.places an answer stands at the place of its key
 */
#ifndef SC_MECHANISM_THRESHOLD_USED_KEYS_H
#define SC_MECHANISM_THRESHOLD_USED_KEYS_H

#include "model/measurement.h"

typedef struct sc_used_keys {
    sc_private_input input; /* of the second step */
    sc_draw draw;           /* room for its answer */
    bool is_enough;         /* it can be run */
    int64_t *values;
    size_t *places;  /* of the kept keys, in increasing order */
    size_t capacity; /* of both */
} sc_used_keys;

/* kept is what the first step has drawn. Sizes of memory depend on the number of keys alone. To be
 * cleared also after a failure, SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_used_keys_take(const scrim_measurement *measurement,
                                              const sc_private_input *input,
                                              const sc_draw *kept, sc_used_keys *out,
                                              scrim_error *error);
/* Puts the answer in the place of what the first step has drawn. */
void sc_used_keys_put(const scrim_measurement *measurement, const sc_used_keys *kept,
                      sc_draw *out);
void sc_used_keys_clear(sc_used_keys *kept);

/* Does a mechanism choose among its values, rather than answer each? */
bool sc_used_keys_are_chosen(const scrim_measurement *then);
/* Can it be run on `count` values? A mechanism that answers each value by itself needs at least one. */
bool sc_used_keys_is_enough(const scrim_measurement *then, size_t count);

#endif
