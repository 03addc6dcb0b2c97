/* What a label is made from: a release as the vault has it, its entries, the policy that was in
 * force, and the budget of its population and the head as they are now. */
#ifndef SC_QUERY_LABEL_SOURCE_H
#define SC_QUERY_LABEL_SOURCE_H

#include "base/digest.h"
#include "base/memory.h"
#include "scrim/vault.h"
#include "vault/chain.h"

#include <stdbool.h>

typedef struct sc_label_source {
    scrim_vault_release release;
    scrim_budget budget;
    sc_chain charge, answer; /* the two entries, with their hashes */
    sc_digest digest;        /* of the recorded answer */
    sc_chain head;
    char *policy; /* of the version that was asked */
    bool is_test; /* drawn from a chosen seed */
} sc_label_source;

/* SCRIM_E_PARAM when no charge has that number, SCRIM_E_LEDGER when it has no answer. */
SCRIM_MUST_USE scrim_status sc_label_source_read(scrim_vault *vault, uint64_t id,
                                                 sc_label_source *out,
                                                 scrim_error *error);
void sc_label_source_clear(sc_label_source *source); /* also of zeros */

/* The hash of an entry, as the ledger has it now; false when there is none. */
SCRIM_MUST_USE scrim_status sc_label_source_entry(scrim_vault *vault, uint64_t id,
                                                  sc_chain *out, bool *is_there,
                                                  scrim_error *error);

#endif
