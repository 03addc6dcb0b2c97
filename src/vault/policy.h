/* The policy of a dataset, and the dataset that a release is planned for. */
#ifndef SC_VAULT_POLICY_H
#define SC_VAULT_POLICY_H

#include "base/memory.h"
#include "data/source/arrow_frame.h"
#include "data/table/source_seal.h"
#include "data/value/schema.h"
#include "vault/state/event.h"
#include "vault/vault_key.h"

/* The lines of a dataset's policy that the vault understands: whose budget, how large, how it is counted,
 * the largest cost of one query, what each analyst may spend. The other lines belong to the schema
 * (data/value/schema.h), which says how the data are read. A line that belongs to neither is refused.
 *
 * Claim  policy.lines  a line is "key=value" or "key value"; a line with an unknown key is
 *                      refused; a key of the vault's own, except share, is given at most once, with
 *                      exact numbers
 */

typedef struct sc_policy {
    uint32_t given;     /* a bit for each key of the vault's own that was given */
    sc_text population; /* empty: not given */
    sc_text same_unit;  /* the population's name of the unit; empty: not given */
    bool has_budget;
    sc_ratio epsilon, delta;
    scrim_neighbours neighbours; /* 0: not given */
    sc_filter_rule rule;         /* accounting; 0: not given */
    sc_ratio order;              /* of renyi=ORDER */
    bool has_cap;
    sc_text unit; /* of the cap: "epsilon", "rho", "divergence"; empty: no upper limit */
    bool has_cap_delta, has_least;
    sc_ratio most, cap_delta,
        least; /* of the cost of one query: at most `most`, at least `least` */
    bool
        has_quantum; /* answers appear only at multiples of it, which hides how long they took */
    sc_ratio quantum;  /* in seconds */
    bool has_contents; /* the seal of the source, as the vault has written it */
    sc_source_seal contents;
} sc_policy;

void sc_policy_init(sc_policy *policy);
void sc_policy_clear(sc_policy *policy);
/* SCRIM_E_SYNTAX for a line without a key, SCRIM_E_PARAM for a key that is unknown or given twice
 * or an invalid value. The schema is not looked at. The views of policy point into text. */
SCRIM_MUST_USE scrim_status sc_policy_parse(sc_text text, sc_policy *policy,
                                            scrim_error *error);

/* The schema of a policy as its owner declares it: if it names a time zone, the changes of its
 * offset are copied from the system's tables. whole is the policy with them, freed by sc_free,
 * or NULL if the policy has them already. */
SCRIM_MUST_USE scrim_status sc_policy_schema(const char *policy, char **whole,
                                             const sc_schema **schema,
                                             scrim_error *error);

/* The share of the population's budget that one analyst may spend, one line each:
 * share=ANALYST=epsilon=R[,delta=R], or share=ANALYST=none for no limit. "*" is every analyst without a line. */
typedef struct sc_policy_share {
    sc_text analyst;
    sc_text unit; /* of the amount: "epsilon", "rho", "divergence"; empty: no limit */
    bool has_delta;
    sc_ratio amount, delta;
} sc_policy_share;

void sc_policy_share_init(sc_policy_share *share);
void sc_policy_share_clear(sc_policy_share *share);
/* The views of out point into value. */
bool sc_policy_share_parse(sc_text value, sc_policy_share *out);

/* The quantum in nanoseconds, rounded up; 0 without a quantum. */
#define SC_POLICY_QUANTUM_SECONDS 3600 /* at most */
uint64_t sc_policy_quantum_ns(const sc_policy *policy);

/* The dataset that a release is planned for, and a check before the charge that it is still the same one.
 *
 * Another dataset may have the same name and version: one that was added after the first was removed, or one of another
 * vault. Then rows of one would be charged to the people of the other. So number and policy are compared too.
 *
 * Claim  frame.once  a request about rows in memory is charged once if the caller has named their contents and asks again under
 *                    the same name; without a name it is charged each time
 */

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
/* A dataset for planning from a policy alone, without a vault: its number is 0, and nothing can be released from it. Fails as
 * scrim_policy_check does; SCRIM_E_MEMORY. */
SCRIM_MUST_USE scrim_status sc_planned_dataset_declare(const char *policy,
                                                       sc_arena *arena,
                                                       sc_planned_dataset *out,
                                                       scrim_error *error);
/* SCRIM_E_STATE if it was declared without a vault. SCRIM_E_POLICY if the vault has another one of that name by now; the message
 * asks to plan `what` again, such as "the query". Fills in the key by which the contents of sources are sealed. */
SCRIM_MUST_USE scrim_status sc_planned_dataset_check(scrim_vault *vault,
                                                     const sc_planned_dataset *planned,
                                                     const char *what, sc_source_key *key,
                                                     scrim_error *error);
/* Closes the version, so that nothing more is released from it: a pass has found that its source has changed. Returns status, the
 * failure of that pass, unless the vault itself fails. */
SCRIM_MUST_USE scrim_status sc_planned_dataset_close(scrim_vault *vault,
                                                     const sc_planned_dataset *planned,
                                                     scrim_status status,
                                                     scrim_error *error);
/* Checks the name ("version") that a caller gives to the contents of rows that it pushes; NULL: no name.
 * SCRIM_E_PARAM. */
SCRIM_MUST_USE scrim_status sc_planned_version_check(const char *version,
                                                     scrim_error *error);
/* Is the same question charged only once? It is if it is about a file, or about pushed rows whose
 * contents have a name, `version`; NULL or "": no name. The schema is that of the policy.
 * SCRIM_E_PARAM for a name where the file has a version. */
SCRIM_MUST_USE scrim_status sc_planned_dataset_once(const sc_planned_dataset *planned,
                                                    const sc_schema *schema,
                                                    const char *version, bool *is_once,
                                                    scrim_error *error);
/* Copies the frame (rows in memory) of a request, which may be NULL, and does the checks above on its version. */
SCRIM_MUST_USE scrim_status sc_planned_dataset_frame(const sc_planned_dataset *planned,
                                                     const sc_schema *schema,
                                                     const scrim_frame *given,
                                                     scrim_frame *out, bool *is_once,
                                                     scrim_error *error);

#endif
