/* The sources of a label: a release as the vault has it, its entries, the policy that was in
 * force, and the budget of its population and the head as they are now, or were. */
#ifndef SC_QUERY_LABEL_SOURCE_H
#define SC_QUERY_LABEL_SOURCE_H

#include "base/digest.h"
#include "base/memory.h"
#include "scrim/vault.h"
#include "vault/store/store.h"

#include <stdbool.h>

typedef struct sc_label_source {
    scrim_vault_release release;
    scrim_budget budget;
    sc_chain charge, answer; /* the two entries, with their hashes */
    sc_digest digest;        /* of the recorded answer */
    sc_chain head;
    bool has_key; /* labels are signed, by the private half of */
    sc_digest key;
    char *policy; /* of the version that was asked */
    bool is_test; /* drawn from a chosen seed */
} sc_label_source;

/* In place of a number of entries: as the ledger was when it had the answer, and its key where it has one. So the
 * label of a file is the same whenever it is made. */
#define SC_LABEL_AT_ANSWER UINT64_MAX

/* Reads the release as the ledger was when it had `entries` entries; 0: as it is now.
 * SCRIM_E_PARAM when no charge has that number, or the ledger fewer entries, SCRIM_E_LEDGER when
 * it has no answer. */
SCRIM_MUST_USE scrim_status sc_label_source_read(scrim_vault *vault, uint64_t id,
                                                 uint64_t entries, sc_label_source *out,
                                                 scrim_error *error);
void sc_label_source_clear(sc_label_source *source); /* also of zeros */

#endif
