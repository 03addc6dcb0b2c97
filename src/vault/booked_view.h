/* An answer that another analyst has paid for, given to an analyst with a share, who asked the question or named the release: its cost is
 * booked on that share, once, and not on the budget of the population, which has paid already (spec/query-semantics.md 2.6).
 *
 * Claim  booked-view.once   who has a share and gets an answer that somebody else was charged for has its cost booked on the
 *                           share, at the first time only; the budget and the shares of all others stay as they are
 * Claim  booked-view.share  a share that does not suffice is refused, and nothing is shown
 */
#ifndef SC_VAULT_BOOKED_VIEW_H
#define SC_VAULT_BOOKED_VIEW_H

#include "vault/vault.h"

/* Would asking for that release book its cost on the share of who asks? */
SCRIM_MUST_USE scrim_status sc_vault_view_costs(scrim_vault *vault, uint64_t release,
                                                bool *costs, scrim_error *error);
/* Books it where it would. SCRIM_E_BUDGET, SCRIM_E_POLICY above the cap. */
SCRIM_MUST_USE scrim_status sc_vault_book_view(scrim_vault *vault, uint64_t release,
                                               scrim_error *error);

#endif
