/* A vault in a folder of its own, for tests: one population, "people", with a dataset of that
 * name. */
#ifndef SCENE_H
#define SCENE_H

#include "scrim.h"

#include <stdbool.h>

/* Makes of a vault one as scrim wrote it in format 1. */
#define SCENE_FORMAT_1                                                                   \
    "PRAGMA journal_mode = WAL; DROP TABLE seal; DROP TABLE secrets; "                   \
    "DROP TABLE pending; PRAGMA user_version = 1"

typedef struct scene {
    char folder[64];
    char path[96];
    char witness[96];
} scene;

/* Makes the folder; false when the test cannot go on. */
bool scene_begin(scene *s);
/* And a vault with a dataset under that budget, such as "epsilon=1". */
bool scene_begin_vault(scene *s, const char *budget, bool with_witness);
/* Removes the folder and all that is in it. */
void scene_end(const scene *s);

/* Opens, with a short wait; NULL when that fails, which is a failed check. */
scrim_vault *scene_open(const scene *s);
/* A count of people with that epsilon; the caller frees it. It may be shared by threads. */
scrim_measurement *scene_question(const char *epsilon);
/* Its release, of a count of 100, through the gate. entry, where wanted, is its number. */
scrim_status scene_release(scrim_vault *vault, const char *dataset,
                           const scrim_measurement *question, uint64_t *entry,
                           scrim_error *error);
/* Both, on "people". */
scrim_status scene_spend(scrim_vault *vault, const char *epsilon, uint64_t *entry,
                         scrim_error *error);
/* The rest of the budget, as text. */
const char *scene_left(scrim_vault *vault, char text[SCRIM_NUMBER_BYTES]);
/* The vault opens and verifies, chain, totals and file. */
bool scene_verifies(const scene *s, scrim_vault_state *out);
/* Runs statements on the vault's file, behind its back. */
void scene_execute(const char *path, const char *statements);
/* Puts a vault of the other build, which draws in earnest, in its place. */
bool scene_make_real(const scene *s);
/* Copies a file over another, into the same inode where there is one. */
bool scene_copy(const char *from, const char *to);

#endif
