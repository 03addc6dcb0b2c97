/* What is shown of budgets, for one population or for all of them in one look at the ledger. */
#ifndef SC_VAULT_VAULT_BUDGETS_H
#define SC_VAULT_VAULT_BUDGETS_H

#include "vault/charge_log.h"

/* Up to so many entries all charges are logged, beyond that the last ones alone. */
#define SC_LOGGED_ENTRIES 65536
/* For plans: the charges that forecasts and standings are made of, of all populations or (not 0) of
 * one. */
SCRIM_MUST_USE scrim_status sc_vault_log_charges(scrim_vault *vault, uint64_t population,
                                                 sc_charge_log *out, scrim_error *error);

/* For plans: what scrim_vault_forecast and _standing tell of a population that exists, by index from
 * 0 on. */
void sc_vault_forecast_from(const scrim_vault *vault, const sc_charge_log *log,
                            size_t index, uint64_t window, scrim_forecast *out);
SCRIM_MUST_USE scrim_status sc_vault_standing_from(const scrim_vault *vault,
                                                   const sc_charge_log *log, size_t index,
                                                   scrim_standing *out,
                                                   scrim_error *error);

#endif
