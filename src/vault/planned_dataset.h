/* The dataset that a release is planned for; and, before it is charged, whether it is still the same one.
 *
 * A name and a version may be those of another dataset, that was added when the first was removed, or in another
 * vault: the rows of the one would be charged to the people of the other. So number and policy are compared too.
 *
 * Claim  frame.once  the same request about rows in memory whose contents have a name is charged once; one about others
 *                    each time
 */
#ifndef SC_VAULT_PLANNED_DATASET_H
#define SC_VAULT_PLANNED_DATASET_H

#include "base/memory.h"
#include "data/source/arrow_rows.h"
#include "vault/source_key.h"

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
/* Closes the version, after a pass that has found its source changed. Returns status, with which that pass has failed,
 * unless the vault fails. */
SCRIM_MUST_USE scrim_status sc_planned_dataset_close(scrim_vault *vault,
                                                     const sc_planned_dataset *planned,
                                                     scrim_status status,
                                                     scrim_error *error);
/* The name of the contents of rows that are pushed; NULL: they have none. SCRIM_E_PARAM. */
SCRIM_MUST_USE scrim_status sc_planned_version_check(const char *version,
                                                     scrim_error *error);
/* Is the same question charged once? Those about a file are, and those about rows that are pushed whose contents have a
 * name; NULL or "": they have none. The schema is that of the policy. SCRIM_E_PARAM for a name where the file has a
 * version. */
SCRIM_MUST_USE scrim_status sc_planned_dataset_once(const sc_planned_dataset *planned,
                                                    const sc_schema *schema,
                                                    const char *version, bool *is_once,
                                                    scrim_error *error);
/* The frame of a request, and the same of its version; given may be NULL. */
SCRIM_MUST_USE scrim_status sc_planned_dataset_frame(const sc_planned_dataset *planned,
                                                     const sc_schema *schema,
                                                     const scrim_frame *given,
                                                     scrim_frame *out, bool *is_once,
                                                     scrim_error *error);

#endif
