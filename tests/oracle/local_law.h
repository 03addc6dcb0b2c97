/* The exact law of an encoder, by all words that its draws can be made of. */
#ifndef LOCAL_LAW_H
#define LOCAL_LAW_H

#include "local_device.h"

#include <stdbool.h>

/* One word of a tape: a draw below `size`, or, where size is 0, a coin in each of `lanes` lanes. */
typedef struct local_slot {
    uint32_t size, lanes;
} local_slot;

#define LOCAL_SLOTS 24

/* All tapes of these words. Begin with {.slots = ..., .count = ...}; words are those of the tape. */
typedef struct local_tapes {
    local_slot slots[LOCAL_SLOTS];
    size_t count;
    uint64_t words[LOCAL_SLOTS];
    uint64_t choice[LOCAL_SLOTS];
    bool begun;
} local_tapes;

/* The next tape; false behind the last. */
bool local_tapes_next(local_tapes *tapes);
/* How many there are. */
uint64_t local_tapes_total(const local_tapes *tapes);

/* How many tapes lead to each report, by its number: counts has `outputs` members, which are set. The
 * text is NULL where the configuration takes a value. Each tape must be taken whole. */
void local_law_count(const scrim_local_config *config, uint64_t value,
                     const uint8_t *text, const local_tapes *tapes, uint64_t *counts,
                     size_t outputs);

/* The largest ratio of two counts of one output in rows of `outputs`; HUGE_VAL where one is 0 alone. */
double local_law_ratio(const uint64_t *rows, size_t values, size_t outputs);

/* scrim_local_loss in nats. */
double local_law_loss(const scrim_local_config *config);

#endif
