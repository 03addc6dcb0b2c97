/* The shares of a population, as `--share` takes them: "alice=epsilon=1,delta=1e-7", and "*=..."
 * for everybody without a share of their own. */
#ifndef SC_CLI_DATASET_SHARE_H
#define SC_CLI_DATASET_SHARE_H

#include "cli/terminal/options.h"

#include <stdbool.h>

typedef void sc_share_teller(void *context, const char *share);

/* Calls tell for each share. */
SCRIM_MUST_USE scrim_status sc_dataset_shares_tell(scrim_vault *vault,
                                                   const char *population,
                                                   sc_share_teller *tell, void *context,
                                                   scrim_error *error);
/* Everybody's share limits the owner, too, who has no share of their own: says so to who has opened the
 * vault, and how to lift it. */
SCRIM_MUST_USE scrim_status sc_dataset_shares_caution_owner(scrim_vault *vault,
                                                            const char *population,
                                                            scrim_error *error);
/* Analysts with a share need a way to the vault, too: says so where options give a share, unless the site names a
 * vault for everybody or the options ask for quiet. */
void sc_dataset_shares_note(const sc_options *options);

#endif
