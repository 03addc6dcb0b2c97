/* The dataset that a release is planned for; and, before it is charged, whether it is still the same one.
 *
 * A name and a version may be those of another dataset, that was added when the first was removed, or in another
 * vault: the rows of the one would be charged to the people of the other. So number and policy are compared too.
 */
#ifndef SC_VAULT_PLANNED_DATASET_H
#define SC_VAULT_PLANNED_DATASET_H

#include "base/memory.h"
#include "vault/handle/source_key.h"

typedef struct sc_planned_dataset {
    const char *name;
    uint64_t number, version;
    const char *policy; /* of that version */
} sc_planned_dataset;

/* Version and policy belong together, so they are read at once. The texts are in the arena. As sc_vault_want_dataset;
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_planned_dataset_read(scrim_vault *vault, const char *name,
                                                    sc_arena *arena,
                                                    sc_planned_dataset *out,
                                                    scrim_error *error);
/* A dataset that no vault has, of the policy alone: its number is 0, and nothing can be released of it. As scrim_policy_check;
 * SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_planned_dataset_declare(const char *policy,
                                                       sc_arena *arena,
                                                       sc_planned_dataset *out,
                                                       scrim_error *error);
/* SCRIM_E_STATE if no vault has it. SCRIM_E_POLICY if it is another one by now; what is to be planned again is named, as "the query". Fills in the key of
 * the seals of sources. */
SCRIM_MUST_USE scrim_status sc_planned_dataset_check(scrim_vault *vault,
                                                     const sc_planned_dataset *planned,
                                                     const char *what, sc_source_key *key,
                                                     scrim_error *error);

#endif
