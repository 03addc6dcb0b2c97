/* What the vault understands of a dataset's policy: whose budget, how large, how it is counted,
 * what one question may cost. All other lines are kept as they are, for whoever reads the data.
 *
 * Claim  policy.lines  a line is "key=value" or "key value"; a key of the vault's own is given at
 *                      most once and with exact numbers
 */
#ifndef SC_VAULT_POLICY_H
#define SC_VAULT_POLICY_H

#include "vault/event.h"

typedef struct sc_policy {
    sc_text population; /* empty: not said */
    bool has_budget;
    sc_ratio epsilon, delta;
    scrim_neighbours neighbours; /* 0: not said */
    sc_filter_rule rule;         /* 0: not said */
    sc_ratio order;
    bool has_cap;
    sc_text unit; /* of the cap: "epsilon", "rho", "divergence"; empty: it has no most */
    bool has_cap_delta, has_least;
    sc_ratio most, cap_delta, least;
} sc_policy;

void sc_policy_init(sc_policy *policy);
void sc_policy_clear(sc_policy *policy);
/* SCRIM_E_SYNTAX for a line that is none, SCRIM_E_PARAM for a key that is given twice or a value
 * that is not one. The views of policy point into text. */
SCRIM_MUST_USE scrim_status sc_policy_parse(sc_text text, sc_policy *policy,
                                            scrim_error *error);
/* "sum", "concentrated", "renyi=ORDER"; false for anything else. */
bool sc_policy_accounting(sc_text text, sc_filter_rule *rule, sc_ratio *order);

#endif
