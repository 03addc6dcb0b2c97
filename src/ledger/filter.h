/* Filters: how much may be charged in all, when every charge may depend on what came before.
 *
 * A budget (epsilon, delta) is turned once, before the first release, into a sum that may not
 * be passed: of epsilons; or of rhos; or of Renyi divergences at one order. These are the rules
 * whose bound holds although an analyst chooses the next parameters after seeing the last
 * answer. Parts that are private only but for a delta of their own draw on a second sum.
 *
 *     rule            an amount is         budget of amounts               budget of deltas
 *     sum             epsilon              epsilon                         delta
 *     concentrated    rho                  largest rho whose delta at      delta / 2
 *                                          epsilon is at most delta / 2
 *     renyi=ORDER     D_ORDER              the same at that order alone    delta / 2
 *
 * Which accountant may be used when. Within one charge everything is declared in advance: its parts
 * are fixed before it is made, so any theorem of composition may say what it costs, and under the
 * rule sum the smallest of those that give the same number on every machine is charged (joint.h).
 * From charge to charge an analyst chooses after having seen answers, so only the sums above are
 * used. A joint loss gives nothing where rhos or divergences of one order are summed: they add up
 * within a charge as they do between charges. What a better accountant says of all charges as they
 * stand is bookkeeping, not a guarantee, and decides nothing.
 *
 * Claim  filter.budget  the budget of amounts, converted back, does not pass (epsilon, delta),
 *                       and is the largest such number to ten digits
 * Claim  filter.price   a charge is never below what the measurement costs in the filter's
 *                       relation and notion
 * Claim  filter.joint   a charge of parts that were declared in advance is never above the sum of
 *                       their prices, and under every rule but sum it is that sum
 *
 * Reference  spec/mechanisms.md 8.1, 8.5; spec/local-and-accounting.md 5, 6, 9
 */
#ifndef SC_LEDGER_FILTER_H
#define SC_LEDGER_FILTER_H

#include "model/cost.h"

typedef enum sc_filter_rule {
    SC_FILTER_UNSET = 0,
    SC_FILTER_SUM = 1,
    SC_FILTER_CONCENTRATED = 2,
    SC_FILTER_RENYI = 3
} sc_filter_rule;

typedef struct sc_filter {
    sc_filter_rule rule;
    scrim_neighbours neighbours;
    sc_ratio order;          /* of SC_FILTER_RENYI */
    sc_ratio epsilon, delta; /* what was declared */
    sc_ratio amount, parts;  /* the budgets of amounts and of deltas */
} sc_filter;

void sc_filter_init(sc_filter *filter);
void sc_filter_clear(sc_filter *filter);

/* "epsilon", "rho" or "divergence": what an amount is called. */
const char *sc_filter_unit(sc_filter_rule rule);

/* Computes the budgets from the other members. SCRIM_E_PARAM when nothing can be had from them:
 * no epsilon, a delta outside [0, 1), none where the rule needs one, an order of at most 1 or
 * one that is too small for that delta. */
SCRIM_MUST_USE scrim_status sc_filter_fix(sc_filter *filter, scrim_error *error);
/* Sets the budget of deltas, and tells whether the budget of amounts that was fixed earlier,
 * perhaps by another version of this code, keeps the declared pair. */
bool sc_filter_holds(sc_filter *filter);

/* The amount of a cost by this rule, rounded up. SCRIM_E_POLICY when the relation does not fit or the
 * measurement promises nothing that this rule counts. */
SCRIM_MUST_USE scrim_status sc_filter_price(const sc_filter *filter,
                                            const sc_exact_cost *cost, sc_ratio *amount,
                                            sc_ratio *delta, scrim_error *error);
/* The sum of the prices of several costs, charged together: of costs that were declared in advance,
 * an upper bound in every rule. */
SCRIM_MUST_USE scrim_status sc_filter_price_all(const sc_filter *filter,
                                                const sc_exact_cost *costs, size_t count,
                                                sc_ratio *amount, sc_ratio *delta,
                                                scrim_error *error);
/* Costs that are charged together, and their joint cost (joint.h) if they were declared in advance, or NULL. */
typedef struct sc_filter_parts {
    const sc_exact_cost *costs;
    size_t count;
    const sc_exact_cost *joint;
} sc_filter_parts;

/* The smaller of that sum and of the joint cost, which is charged under the rule sum alone, and where its delta
 * is at most most_delta: the delta that is left. */
SCRIM_MUST_USE scrim_status sc_filter_price_jointly(const sc_filter *filter,
                                                    const sc_filter_parts *parts,
                                                    const sc_ratio *most_delta,
                                                    sc_ratio *amount, sc_ratio *delta,
                                                    bool *is_joint, scrim_error *error);

#endif
