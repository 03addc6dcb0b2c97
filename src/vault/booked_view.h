/* An analyst with a share may get an answer that another analyst has paid for, by the same question or by its number. Then its cost is
 * booked once on the share of the analyst who asks, but not on the budget, which has paid already (spec/query-semantics.md 2.6).
 *
 * Claim  booked-view.once   an analyst with a share who gets an answer that somebody else was charged for has its cost booked on the
 *                           share, the first time only; the budget and all other shares stay as they are
 * Claim  booked-view.window a window of a series is booked at its own price, less what the analyst was booked for other windows of its
 *                           version: what others saw pays for nothing
 * Claim  booked-view.share  a share that does not suffice is refused, and nothing is shown
 * Claim  booked-view.all    nothing else shows an answer that was not booked: the label of a release is made without its record, and
 *                           only the vault's owner is shown the answers of entries
 */
#ifndef SC_VAULT_BOOKED_VIEW_H
#define SC_VAULT_BOOKED_VIEW_H

#include "vault/vault.h"

/* Would asking for that release book its cost on the share of the analyst who asks? */
SCRIM_MUST_USE scrim_status sc_vault_view_costs(scrim_vault *vault, uint64_t release,
                                                bool *costs, scrim_error *error);
/* Books it where it would, whatever the owner's cap for a question. SCRIM_E_BUDGET. */
SCRIM_MUST_USE scrim_status sc_vault_book_view(scrim_vault *vault, uint64_t release,
                                               scrim_error *error);
/* As scrim_vault_replay, and books nothing: for functions that show no part of the answer, or book it by themselves. */
SCRIM_MUST_USE scrim_status sc_vault_recall(scrim_vault *vault, uint64_t id,
                                            scrim_vault_release *out, scrim_error *error);

#endif
