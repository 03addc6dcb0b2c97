/* The total of a population's charges as they stand: a view, which decides nothing. */
#include "base/memory.h"
#include "ledger/joint.h"
#include "vault/vault_budgets.h"

#include <string.h>

/* Charges that are composed. */
#define CHARGES 1024

typedef struct standing {
    sc_exact_cost *costs;
    sc_joint_part *parts;
    const sc_logged_charge **charges; /* of each part the last one */
    size_t count;
} standing;

static bool is_beside(const sc_logged_charge *a, const sc_logged_charge *b)
{
    return a->series != 0 && a->series == b->series && a->version == b->version;
}

/* All windows of one series and version are one part: a row is in one of them, whose price may be all that they were charged
 * together. False for a window that is in the part of a later one. */
static bool add_windows(const sc_charge_log *log, const standing *s,
                        const sc_logged_charge *charge, sc_ratio *epsilon,
                        sc_ratio *delta)
{
    for (size_t i = 0; i < s->count; i++)
        if (is_beside(s->charges[i], charge))
            return false;
    const sc_logged_charge *other = charge;
    while ((other = sc_charge_log_before(log, other)) != NULL)
        if (is_beside(other, charge)) {
            sc_ratio_add(epsilon, epsilon, &other->amount);
            sc_ratio_add(delta, delta, &other->delta);
        }
    return true;
}

/* A charge is a part of which an epsilon and a delta are known, and no more: what was charged, or promised where rhos
 * are charged. Windows have no promise. */
static void add_charge(standing *s, const sc_charge_log *log,
                       const sc_logged_charge *charge, const sc_filter *filter)
{
    const bool is_sum = filter->rule == SC_FILTER_SUM;
    SC_OWN(sc_ratio, epsilon, delta);
    sc_ratio_set(&epsilon, is_sum ? &charge->amount : &charge->epsilon);
    sc_ratio_set(&delta, is_sum ? &charge->delta : &charge->promised_delta);
    if (charge->series != 0 && !add_windows(log, s, charge, &epsilon, &delta))
        return;
    if (sc_ratio_sign(&epsilon) == 0 && sc_ratio_sign(&delta) == 0)
        return;
    s->charges[s->count] = charge;
    sc_exact_cost *cost = &s->costs[s->count];
    sc_cost_init(cost);
    if (sc_ratio_sign(&delta) == 0)
        sc_cost_set_pure(cost, &epsilon);
    else
        sc_cost_set_approximate(cost, &epsilon, &delta);
    cost->neighbours = filter->neighbours;
    s->parts[s->count++] = (sc_joint_part){cost, 1};
}

/* The smallest epsilon so far, and the delta at which it holds. */
typedef struct bound {
    bool is_found;
    sc_ratio epsilon, delta;
} bound;

static void take_bound(bound *best, const sc_ratio *epsilon, const sc_ratio *delta)
{
    if (best->is_found && sc_ratio_compare(epsilon, &best->epsilon) >= 0)
        return;
    best->is_found = true;
    sc_ratio_set(&best->epsilon, epsilon);
    sc_ratio_set(&best->delta, delta);
}

/* The plain sums, where their epsilon is hardly larger: their delta is smaller, and they need no theorem. */
static void prefer_sum(const standing *s, const sc_filter *filter, bound *best)
{
    SC_OWN(sc_ratio, epsilon, delta, nearly);
    for (size_t i = 0; i < s->count; i++) {
        sc_ratio_add(&epsilon, &epsilon, &s->costs[i].epsilon);
        sc_ratio_add(&delta, &delta, &s->costs[i].delta);
    }
    sc_ratio_set_quotient(&nearly, 999, 1000);
    sc_ratio_mul(&nearly, &nearly, &epsilon);
    if (sc_ratio_compare(&delta, &filter->delta) <= 0 &&
        (!best->is_found || sc_ratio_compare(&nearly, &best->epsilon) <= 0)) {
        best->is_found = true;
        sc_ratio_set(&best->epsilon, &epsilon);
        sc_ratio_set(&best->delta, &delta);
    }
}

/* Epsilons: all charges together, at the delta of the budget. */
static scrim_status compose(standing *s, const sc_filter *filter, bound *best,
                            scrim_error *error)
{
    bool is_found = false;
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, epsilon);
    if (s->count > 0)
        status = sc_joint_epsilon(s->parts, s->count, &filter->delta, &is_found, &epsilon,
                                  error);
    if (status == SCRIM_OK && is_found)
        take_bound(best, &epsilon, &filter->delta);
    if (status == SCRIM_OK && s->count > 0)
        prefer_sum(s, filter, best);
    return status;
}

/* Is the epsilon of every charge known? */
static bool has_epsilons(const sc_charge_log *log, uint64_t population,
                         const sc_filter *filter)
{
    const sc_logged_charge *charge = sc_charge_log_last(log, population);
    while (charge != NULL && (filter->rule == SC_FILTER_SUM || charge->has_promise))
        charge = sc_charge_log_before(log, charge);
    return charge == NULL;
}

static scrim_status compose_all(const sc_charge_log *log, uint64_t population,
                                const sc_filter *filter, uint64_t charges, bound *best,
                                scrim_error *error)
{
    standing s = {.costs = sc_allocate((size_t)charges, sizeof *s.costs),
                  .parts = sc_allocate((size_t)charges, sizeof *s.parts),
                  .charges = sc_allocate((size_t)charges, sizeof *s.charges)};
    const sc_logged_charge *charge = sc_charge_log_last(log, population);
    scrim_status status = SCRIM_OK;
    if (s.costs == NULL || s.parts == NULL || s.charges == NULL)
        status = sc_no_memory(error, "the budgets");
    for (; status == SCRIM_OK && charge != NULL && s.count < charges;
         charge = sc_charge_log_before(log, charge))
        add_charge(&s, log, charge, filter);
    if (status == SCRIM_OK)
        status = compose(&s, filter, best, error);
    for (size_t i = 0; i < s.count; i++)
        sc_cost_clear(&s.costs[i]);
    sc_free(s.charges);
    sc_free(s.parts);
    sc_free(s.costs);
    return status;
}

/* Rhos: what is spent, converted at the delta of the budget less what parts have had of it, so that every
 * bound of a budget is at the same delta. */
static void convert(const sc_filter *filter, const sc_tally *all, bound *best)
{
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_curve, curve);
    SC_OWN(sc_ratio, epsilon, rest);
    sc_curve_set_concentrated(&curve, &all->amount);
    sc_ratio_sub(&rest, &filter->delta, &all->delta);
    if (sc_ratio_sign(&rest) > 0 && sc_curve_epsilon_upper(&curve, &rest, &epsilon))
        take_bound(best, &epsilon, &filter->delta);
}

scrim_status sc_vault_standing_from(const scrim_vault *v, const sc_charge_log *log,
                                    size_t index, scrim_standing *out, scrim_error *error)
{
    const sc_filter *filter = &v->book.populations[index].filter;
    const sc_tally *all = sc_book_tally(&v->book, index + 1, 0);
    memset(out, 0, sizeof *out);
    out->charges = all->charges;
    if (all->charges == 0 || sc_ratio_sign(&filter->delta) == 0)
        return SCRIM_OK;
    bound best = {.is_found = false};
    scrim_status status = SCRIM_OK;
    sc_ratio_init(&best.epsilon);
    sc_ratio_init(&best.delta);
    if (filter->rule == SC_FILTER_CONCENTRATED)
        convert(filter, all, &best);
    if (filter->rule != SC_FILTER_RENYI && all->charges <= CHARGES &&
        v->chain.generation <= SC_LOGGED_ENTRIES && has_epsilons(log, index + 1, filter))
        status = compose_all(log, index + 1, filter, all->charges, &best, error);
    if (status == SCRIM_OK && best.is_found) {
        sc_book_format_upper(&best.epsilon, out->epsilon);
        sc_book_format_upper(&best.delta, out->delta);
    }
    sc_ratio_clear(&best.delta);
    sc_ratio_clear(&best.epsilon);
    return status;
}

typedef struct standing_request {
    size_t index;
    scrim_standing *out;
} standing_request;

static scrim_status plan_standing(scrim_vault *v, void *context, scrim_error *error)
{
    const standing_request *a = context;
    sc_charge_log log;
    if (sc_book_population(&v->book, a->index + 1) == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNKNOWN, "population",
                           "the vault has no such population");
    scrim_status status = sc_vault_log_charges(v, a->index + 1, &log, error);
    if (status != SCRIM_OK)
        return status;
    status = sc_vault_standing_from(v, &log, a->index, a->out, error);
    sc_charge_log_clear(&log);
    return status;
}

scrim_status scrim_vault_standing(scrim_vault *vault, size_t index, scrim_standing *out,
                                  scrim_error *error)
{
    SC_REQUIRE(error, "vault out", vault, out);
    standing_request a = {index, out};
    return sc_vault_read(vault, plan_standing, &a, error);
}
