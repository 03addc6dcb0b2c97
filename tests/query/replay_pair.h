/* A pair of runs: the question of a world is answered on its table and recorded, and then on the
 * neighbour, with what was drawn for the first.
 *
 * Everything that can be seen of a run is one text: statuses and messages, every cell, interval,
 * column and note of the answer, the same at another confidence and when it is asked again, the
 * record that the ledger keeps, the charge, and what is left of the budget. The two texts must be
 * the same, the draws must be the same calls with the same parameters, and their inputs must differ
 * by no more than was claimed.
 */
#ifndef REPLAY_PAIR_H
#define REPLAY_PAIR_H

#include "base/memory.h"
#include "recorder.h"
#include "replay_world.h"

typedef struct replay_view {
    char *text; /* what can be seen; NULL: nothing yet */
    size_t bytes, capacity;
    scrim_status status;             /* of the run */
    char amount[SCRIM_NUMBER_BYTES]; /* as charged */
    char delta[SCRIM_NUMBER_BYTES];  /* as charged */
    size_t parts;                    /* of the plan */
    size_t rows[REPLAY_ANSWERS];     /* of the answer */
    size_t columns[REPLAY_ANSWERS];  /* of the answer */
} replay_view;

typedef struct replay_pair {
    sc_recorder *first, *second;
    replay_view here, there;
} replay_pair;

/* A new vault in memory with the dataset people; NULL, with a failed check, when it is refused. */
scrim_vault *replay_vault(const replay_world *world);
/* The plan of a world's question, for any of its tables; false when the question is refused, which
 * some are. */
bool replay_plan(const replay_world *world, unsigned workers, scrim_plan **out);
/* The same in a vault that is there. */
scrim_status replay_plan_in(scrim_vault *vault, const replay_world *world,
                            unsigned workers, scrim_plan **out);
/* The plan of a question for a vault that has sealed a table of its own: a copy in which only the dataset is other, which
 * is in the arena. The plan lives longer. */
bool replay_plan_for(scrim_vault *vault, const scrim_plan *plan, sc_arena *arena,
                     scrim_plan *out);

/* Runs both; false when the test cannot go on, which is a failed check. */
bool replay_pair_run(replay_pair *pair, const replay_world *world, const scrim_plan *plan,
                     uint64_t seed);
void replay_pair_free(replay_pair *pair);
/* Checks all that is said above; false, with the world in the message, when it does not hold. */
bool replay_pair_check(const replay_pair *pair, const replay_world *world, uint64_t seed);

/* A path for the source of a test's worlds; and its removal. */
bool replay_path(replay_world *world);
void replay_path_remove(const replay_world *world);

#endif
