/* The laws of a measurement on the inputs of its declared pairs: pairs share inputs, and a law
 * costs more than anything that is done with it. */
#ifndef SC_AUDIT_LAW_CACHE_H
#define SC_AUDIT_LAW_CACHE_H

#include "model/measurement.h"

typedef struct sc_law_cache sc_law_cache;

/* measurement outlives the cache. */
SCRIM_MUST_USE scrim_status sc_law_cache_new(const scrim_measurement *measurement,
                                             sc_law_cache **out, scrim_error *error);
void sc_law_cache_free(sc_law_cache *cache); /* NULL is allowed */

/* The sorted law on an input, at this precision. It lives until the second call after this one:
 * long enough for both laws of a pair. A law whose masses cannot add up to 1 is
 * SCRIM_E_INTERNAL: what it leaves out would never be seen. */
SCRIM_MUST_USE scrim_status sc_law_cache_get(sc_law_cache *cache,
                                             const sc_private_input *input, long bits,
                                             const sc_outcomes **out, scrim_error *error);
/* The most outcomes that a law had. */
uint64_t sc_law_cache_outcomes(const sc_law_cache *cache);

#endif
