/* Budgets as they are shown, and the log of charges that they are computed from. */
#ifndef SC_VAULT_VAULT_BUDGETS_H
#define SC_VAULT_VAULT_BUDGETS_H

#include "vault/vault.h"

/* The charges of a vault by population, read from the entries at once: what is asked of each of many
 * populations costs one look at the ledger, not one for each.
 *
 * Claim  charge_log.all  the charges of a population from an entry on, each with the last time that
 *                        was noted before it, from the last one backwards
 * Claim  charge_log.promise  a charge with a promise is private with that epsilon and delta
 * Claim  charge_log.windows  in a standing, all windows of one series and version are one part, of all that they were charged
 */

typedef struct sc_logged_charge {
    uint64_t entry, time; /* 0: no time is known */
    uint64_t analyst;     /* who made it */
    uint64_t series;      /* of which it is a window; 0: none */
    uint64_t version;     /* of the dataset */
    size_t before;        /* the one before it of the same population; 0: none */
    sc_ratio amount, delta;
    /* Where rhos are charged: the epsilon that its text promises at a delta. */
    bool has_promise;
    sc_ratio epsilon, promised_delta;
} sc_logged_charge;

typedef struct sc_charge_log {
    sc_logged_charge *list; /* numbers are places plus 1 */
    size_t count, capacity;
    size_t *last; /* by population, from 1 on */
} sc_charge_log;

/* For plans: the charges from that entry on, of all populations or (not 0) of one. Cleared also on
 * failure. */
SCRIM_MUST_USE scrim_status sc_charge_log_read(scrim_vault *vault, uint64_t from,
                                               uint64_t population, sc_charge_log *out,
                                               scrim_error *error);
void sc_charge_log_clear(sc_charge_log *log);
/* The last charge of a population, and the one before another; NULL: none. */
const sc_logged_charge *sc_charge_log_last(const sc_charge_log *log, uint64_t population);
const sc_logged_charge *sc_charge_log_before(const sc_charge_log *log,
                                             const sc_logged_charge *charge);

/* Budgets as they are shown, for one population or for all of them in one look at the ledger. */

/* A ledger of up to this many entries has all charges logged, a longer one only the last of
 * them. */
#define SC_LOGGED_ENTRIES 65536

/* For plans: the charges that forecasts and standings are made of, of all populations or (not 0) of
 * one. */
SCRIM_MUST_USE scrim_status sc_vault_log_charges(scrim_vault *vault, uint64_t population,
                                                 sc_charge_log *out, scrim_error *error);
/* For plans: the standing of the population of that index. */
SCRIM_MUST_USE scrim_status sc_vault_standing_from(const scrim_vault *vault,
                                                   const sc_charge_log *log, size_t index,
                                                   scrim_standing *out,
                                                   scrim_error *error);

#endif
