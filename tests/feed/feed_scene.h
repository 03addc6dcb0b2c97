/* A vault in memory with the dataset "rows", whose rows are pushed, or are a file's; and questions to it. */
#ifndef FEED_SCENE_H
#define FEED_SCENE_H

#include "arrow_batch.h"
#include "random/bits_tape.h"
#include "scrim.h"

#include <stdbool.h>

#define FEED_OPTIONS(...)                                                                \
    (&(scrim_query_options){.size = sizeof(scrim_query_options), __VA_ARGS__})

typedef struct feed_scene {
    scrim_vault *vault;
    sc_tape *tape; /* NULL: noise as it is */
    scrim_error error;
} feed_scene;

/* With this policy, to which a budget is added. With a seed, ledgers draw from a tape. */
bool feed_scene_begin(feed_scene *s, const char *policy, uint64_t seed);
void feed_scene_end(feed_scene *s);

/* Plans; NULL, with a failed check, where that fails. */
scrim_plan *feed_scene_plan(feed_scene *s, const char *query,
                            const scrim_query_options *options);
/* Begins, pushes the batch and ends. */
scrim_status feed_scene_push(feed_scene *s, const scrim_plan *plan,
                             const arrow_batch *batch, scrim_result **out);
/* The record of a release: its answer and its note, freed by free(); NULL for a release without
 * an answer. */
char *feed_scene_record(feed_scene *s, uint64_t release);
/* How many charges there are. */
uint64_t feed_scene_charges(const feed_scene *s);

#endif
