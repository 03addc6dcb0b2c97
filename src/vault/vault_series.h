/* Series of releases at rest: an entry that declares each, and how they are read.
 *
 * Claim  series.fixed  a series is entered by the vault's owner, once, under a name of its own;
 *                      what was declared is an entry of the ledger, and nothing changes it
 */
#ifndef SC_VAULT_VAULT_SERIES_H
#define SC_VAULT_VAULT_SERIES_H

#include "vault/vault.h"

typedef struct sc_series_entry {
    char name[SCRIM_NAME_BYTES];
    char dataset[SCRIM_NAME_BYTES];
    uint64_t dataset_number, releases;
    bool is_parallel; /* entering: to be charged by windows; reading: is it still so? */
    char *text;       /* what was declared */
    /* Reading: */
    uint64_t number, entry;
    bool is_removed;  /* its dataset is */
    uint64_t version; /* of the dataset, now */
    uint64_t last;    /* the window that was charged last; 0: none */
} sc_series_entry;

/* SCRIM_E_PARAM when there is a series of that name, which sc_vault_enter_series would refuse. */
SCRIM_MUST_USE scrim_status sc_vault_check_series_free(scrim_vault *vault,
                                                       const char *name,
                                                       scrim_error *error);
/* Enters a series: name, dataset, its number and version, releases, is_parallel and text are set.
 * SCRIM_E_POLICY for others than the owner, for windows of what are no rows, and when the dataset
 * is another or has another version by now; SCRIM_E_PARAM for a name that is taken or none. */
SCRIM_MUST_USE scrim_status sc_vault_enter_series(scrim_vault *vault,
                                                  const sc_series_entry *series,
                                                  scrim_error *error);
/* SCRIM_E_PARAM when no series has that name. text is freed by sc_free. */
SCRIM_MUST_USE scrim_status sc_vault_find_series(scrim_vault *vault, const char *name,
                                                 sc_series_entry *out,
                                                 scrim_error *error);
/* The name of a series by index from 0 on: SCRIM_E_PARAM past the last. */
SCRIM_MUST_USE scrim_status sc_vault_series_name(scrim_vault *vault, size_t index,
                                                 char name[SCRIM_NAME_BYTES],
                                                 scrim_error *error);

#endif
