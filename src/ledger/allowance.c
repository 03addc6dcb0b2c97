#include "ledger/allowance.h"

#include "base/memory.h"
#include "base/number/ratio.h"
#include "ledger/bundle.h"
#include "ledger/ledger.h"
#include "model/renyi_conversion.h"

#define BITS 256

/* An epsilon and a delta. */
typedef struct pair {
    sc_ratio epsilon, delta;
} pair;

static void pair_init(pair *p)
{
    sc_ratio_init(&p->epsilon);
    sc_ratio_init(&p->delta);
}

static void pair_clear(pair *p)
{
    sc_ratio_clear(&p->delta);
    sc_ratio_clear(&p->epsilon);
}

struct sc_allowance {
    sc_exact_cost cost; /* with the reserve */
    bool is_summed, has_reserve;
    sc_ratio total, used;
    sc_ratio delta, delta_used; /* beside a total of epsilons */
    pair reserve, reserve_used;
};

/* Sums of unlike fractions are rounded up from SC_RATIO_BITS on, as those of a ledger. */
#define USED_PLACES 2048

static scrim_status check_numbers(const sc_ratio *rho, const sc_ratio *epsilon,
                                  const sc_ratio *delta, scrim_error *error)
{
    const int sign = sc_ratio_sign(delta);
    if (sc_ratio_sign(epsilon) <= 0 || !sc_cost_fits(epsilon))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "epsilon",
                           "epsilon must be above 0");
    if (rho == NULL &&
        (sign < 0 || sc_ratio_compare_int64(delta, 1) >= 0 || !sc_cost_fits(delta)))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "delta",
                           "delta must be at least 0 and less than 1");
    if (rho != NULL &&
        (sign <= 0 || sc_ratio_compare_int64(delta, 1) >= 0 || !sc_cost_fits(delta)))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "delta",
                           "delta must be above 0 and less than 1");
    if (rho != NULL && (sc_ratio_sign(rho) <= 0 || !sc_cost_fits(rho)))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "rho",
                           "rho must be above 0");
    if (rho != NULL && !sc_rho_implies(rho, epsilon, delta))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "rho",
                           "rho is too large for this epsilon and this delta");
    return SCRIM_OK;
}

scrim_status sc_allowance_new(scrim_neighbours neighbours, const sc_ratio *rho,
                              const sc_ratio *epsilon, const sc_ratio *delta,
                              sc_allowance **out, scrim_error *error)
{
    scrim_status status = check_numbers(rho, epsilon, delta, error);
    if (status != SCRIM_OK)
        return status;
    if (neighbours != SCRIM_ADD_REMOVE && neighbours != SCRIM_REPLACE)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "neighbours",
            "neighbours is not set; use SCRIM_ADD_REMOVE or SCRIM_REPLACE");
    sc_allowance *a = sc_allocate(1, sizeof *a);
    if (a == NULL)
        return sc_no_memory(error, "a release");
    sc_cost_init(&a->cost);
    sc_ratio_init(&a->total);
    sc_ratio_init(&a->used);
    sc_ratio_init(&a->delta);
    sc_ratio_init(&a->delta_used);
    pair_init(&a->reserve);
    pair_init(&a->reserve_used);
    a->is_summed = rho == NULL;
    sc_ratio_set(&a->total, rho == NULL ? epsilon : rho);
    if (rho == NULL)
        sc_ratio_set(&a->delta, delta);
    if (sc_allowance_is_pure(a)) {
        sc_cost_set_pure(&a->cost, epsilon);
    } else {
        sc_cost_set_approximate(&a->cost, epsilon, delta);
    }
    if (rho != NULL) {
        a->cost.has_rho = true;
        sc_ratio_set(&a->cost.rho, rho);
        sc_curve_set_concentrated(&a->cost.curve, rho);
    }
    a->cost.neighbours = neighbours;
    *out = a;
    return SCRIM_OK;
}

void sc_allowance_free(sc_allowance *a)
{
    if (a == NULL)
        return;
    pair_clear(&a->reserve_used);
    pair_clear(&a->reserve);
    sc_ratio_clear(&a->delta_used);
    sc_ratio_clear(&a->delta);
    sc_ratio_clear(&a->used);
    sc_ratio_clear(&a->total);
    sc_cost_clear(&a->cost);
    sc_free(a);
}

/* The charge from now on: both sums, and no rho. */
static scrim_status charge_both(sc_allowance *a, const sc_ratio *epsilon,
                                const sc_ratio *delta, scrim_error *error)
{
    SC_OWN(pair, sum);
    sc_exact_cost both;
    sc_ratio_add(&sum.epsilon, &a->cost.epsilon, epsilon);
    sc_ratio_add(&sum.delta, &a->cost.delta, delta);
    if (sc_ratio_compare_int64(&sum.delta, 1) >= 0 || !sc_cost_fits(&sum.epsilon) ||
        !sc_cost_fits(&sum.delta))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "delta",
                           "delta must be less than 1 with what is set aside");
    sc_cost_init(&both);
    sc_cost_set_approximate(&both, &sum.epsilon, &sum.delta);
    both.neighbours = a->cost.neighbours;
    sc_cost_set(&a->cost, &both);
    sc_cost_clear(&both);
    return SCRIM_OK;
}

scrim_status sc_allowance_reserve(sc_allowance *a, const sc_ratio *epsilon,
                                  const sc_ratio *delta, scrim_error *error)
{
    if (a->has_reserve || !sc_allowance_is_fresh(a))
        return sc_fail(error, SCRIM_E_INTERNAL, "an allowance was used before");
    if (sc_ratio_sign(epsilon) <= 0 || sc_ratio_sign(delta) <= 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE,
                           sc_ratio_sign(epsilon) <= 0 ? "epsilon" : "delta",
                           "epsilon and delta that are set aside must be above 0");
    const scrim_status status = charge_both(a, epsilon, delta, error);
    if (status != SCRIM_OK)
        return status;
    sc_ratio_set(&a->reserve.epsilon, epsilon);
    sc_ratio_set(&a->reserve.delta, delta);
    a->has_reserve = true;
    return SCRIM_OK;
}

/* floor(10^6 x), of the lower end of what the search finds; 0 where it finds none. */
static void millionths(const sc_ratio *epsilon, const sc_ratio *delta, sc_integer *out)
{
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, log_delta, rho);
    SC_OWN(sc_ratio, bound);
    sc_integer_set_int128(out, 0);
    sc_ball_set_ratio(&log_delta, delta, BITS);
    sc_ball_log(&log_delta, &log_delta, BITS);
    if (!sc_renyi_rho(epsilon, &log_delta, BITS, &rho))
        return;
    sc_ball_mul_int64(&rho, &rho, 1000000, BITS);
    if (sc_ball_round_up(&rho, 0, &bound))
        sc_ratio_floor(&bound, out);
}

scrim_status sc_allowance_rho(const sc_ratio *epsilon, const sc_ratio *delta,
                              sc_ratio *out, scrim_error *error)
{
    SC_OWN(sc_integer, steps, one, million);
    SC_OWN(sc_ratio, rho);
    sc_integer_set_int128(&one, 1);
    sc_integer_set_int128(&million, 1000000);
    if (sc_ratio_sign(epsilon) > 0 && sc_ratio_sign(delta) > 0 &&
        sc_ratio_compare_int64(delta, 1) < 0)
        millionths(epsilon, delta, &steps);
    /* The search may be a step too high: rounded up, and not the best order. */
    for (int step = 0; step < 4 && sc_integer_sign(&steps) > 0; step++) {
        sc_ratio_set_fraction(&rho, &steps, &million);
        if (sc_rho_implies(&rho, epsilon, delta)) {
            sc_ratio_set(out, &rho);
            return SCRIM_OK;
        }
        sc_integer_sub(&steps, &steps, &one);
    }
    return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "epsilon",
                       "epsilon and delta are too small: they allow a rho of less than "
                       "0.000001");
}

scrim_status sc_allowance_epsilon(const sc_ratio *rho, const sc_ratio *delta,
                                  sc_ratio *out, scrim_error *error)
{
    SC_OWN(sc_curve, curve);
    SC_OWN(sc_ratio, epsilon, million);
    SC_OWN(sc_integer, steps, places);
    const bool is_legal = sc_ratio_sign(rho) > 0 && sc_cost_fits(rho) &&
                          sc_ratio_sign(delta) > 0 &&
                          sc_ratio_compare_int64(delta, 1) < 0 && sc_cost_fits(delta);
    if (is_legal)
        sc_curve_set_concentrated(&curve, rho);
    if (!is_legal || !sc_curve_epsilon_upper(&curve, delta, &epsilon))
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "rho",
                           "rho must be above 0 with an epsilon below 1048576 at delta, "
                           "and delta above 0 and less than 1");
    sc_ratio_set_int64(&million, 1000000);
    sc_ratio_mul(&epsilon, &epsilon, &million);
    sc_ratio_ceil(&epsilon, &steps);
    sc_integer_set_int128(&places, 1000000);
    sc_ratio_set_fraction(out, &steps, &places);
    return SCRIM_OK;
}

const sc_exact_cost *sc_allowance_cost(const sc_allowance *a)
{
    return &a->cost;
}

const sc_ratio *sc_allowance_total(const sc_allowance *a)
{
    return &a->total;
}

const sc_ratio *sc_allowance_used(const sc_allowance *a)
{
    return &a->used;
}

void sc_allowance_reserve_used(const sc_allowance *a, sc_ratio *epsilon, sc_ratio *delta)
{
    sc_ratio_set(epsilon, &a->reserve_used.epsilon);
    sc_ratio_set(delta, &a->reserve_used.delta);
}

bool sc_allowance_is_fresh(const sc_allowance *a)
{
    return sc_ratio_sign(&a->used) == 0 && sc_ratio_sign(&a->reserve_used.epsilon) == 0;
}

bool sc_allowance_is_pure(const sc_allowance *a)
{
    return a->is_summed && sc_ratio_sign(&a->delta) == 0;
}

static void put_all(const sc_allowance *a, sc_text_sink *sink)
{
    sc_text_put(sink, sc_text_of("drawing " SC_DECLARED_DRAWING "\nneighbours "));
    sc_text_put(sink, sc_text_of(scrim_neighbours_name(a->cost.neighbours)));
    if (!a->is_summed)
        sc_ratio_put(sink, "\nrho ", &a->total);
    sc_ratio_put(sink, "\nepsilon ", &a->cost.epsilon);
    sc_ratio_put(sink, "\ndelta ", &a->cost.delta);
    if (a->has_reserve) {
        sc_ratio_put(sink, "\nreserve ", &a->reserve.epsilon);
        sc_ratio_put(sink, " ", &a->reserve.delta);
    }
    sc_text_put(sink, sc_text_of("\n"));
}

scrim_status sc_allowance_parts(const sc_allowance *a, char **out, scrim_error *error)
{
    sc_text_sink sink;
    sc_text_sink_init(&sink, NULL, 0);
    put_all(a, &sink);
    const size_t bytes = sink.length + 1;
    char *text = sc_allocate(bytes, 1);
    if (text == NULL)
        return sc_no_memory(error, "the parts of a charge");
    sc_text_sink_init(&sink, text, bytes);
    put_all(a, &sink);
    *out = text;
    return SCRIM_OK;
}

/* Has a cost, in the relation of the allowance, what is summed? */
static bool is_summed_here(const sc_allowance *a, const sc_exact_cost *here)
{
    if (!a->is_summed)
        return here->has_rho;
    return here->has_epsilon &&
           (sc_ratio_sign(&here->delta) == 0 || sc_ratio_sign(&a->delta) > 0);
}

static scrim_status refuse_more(scrim_error *error)
{
    return sc_fail(error, SCRIM_E_INTERNAL,
                   "a draw costs more than its release has left");
}

static scrim_status take_summed(sc_allowance *a, const sc_exact_cost *here,
                                scrim_error *error)
{
    SC_OWN(pair, sum);
    sc_ratio_add_up(&sum.epsilon, &a->used, a->is_summed ? &here->epsilon : &here->rho,
                    SC_RATIO_BITS, USED_PLACES);
    if (a->is_summed)
        sc_ratio_add_up(&sum.delta, &a->delta_used, &here->delta, SC_RATIO_BITS,
                        USED_PLACES);
    if (sc_ratio_compare(&sum.epsilon, &a->total) > 0 ||
        sc_ratio_compare(&sum.delta, &a->delta) > 0)
        return refuse_more(error);
    sc_ratio_set(&a->used, &sum.epsilon);
    sc_ratio_set(&a->delta_used, &sum.delta);
    return SCRIM_OK;
}

static scrim_status take_reserved(sc_allowance *a, const sc_exact_cost *here,
                                  scrim_error *error)
{
    SC_OWN(pair, sum);
    if (!here->has_epsilon || !a->has_reserve || sc_ratio_sign(&a->used) != 0)
        return sc_fail(error, SCRIM_E_INTERNAL, "a draw has no cost in its release");
    sc_ratio_add_up(&sum.epsilon, &a->reserve_used.epsilon, &here->epsilon, SC_RATIO_BITS,
                    USED_PLACES);
    sc_ratio_add_up(&sum.delta, &a->reserve_used.delta, &here->delta, SC_RATIO_BITS,
                    USED_PLACES);
    if (sc_ratio_compare(&sum.epsilon, &a->reserve.epsilon) > 0 ||
        sc_ratio_compare(&sum.delta, &a->reserve.delta) > 0)
        return refuse_more(error);
    sc_ratio_set(&a->reserve_used.epsilon, &sum.epsilon);
    sc_ratio_set(&a->reserve_used.delta, &sum.delta);
    return SCRIM_OK;
}

scrim_status sc_allowance_take(sc_allowance *a, const scrim_measurement *m,
                               scrim_error *error)
{
    sc_exact_cost here;
    sc_cost_init(&here);
    scrim_status status =
        sc_ledger_convert(&m->cost, a->cost.neighbours, &here, NULL) == SCRIM_OK
            ? SCRIM_OK
            : sc_fail(error, SCRIM_E_INTERNAL, "a draw has no cost in its release");
    if (status == SCRIM_OK)
        status = is_summed_here(a, &here) ? take_summed(a, &here, error)
                                          : take_reserved(a, &here, error);
    sc_cost_clear(&here);
    return status;
}

scrim_status sc_allowance_take_parts(sc_allowance *a, const sc_bundle *bundle,
                                     scrim_error *error)
{
    const sc_exact_cost *total = sc_bundle_total(bundle);
    if (total->neighbours != a->cost.neighbours || a->has_reserve ||
        !is_summed_here(a, total))
        return sc_fail(error, SCRIM_E_INTERNAL, "parts have no cost in their release");
    return take_summed(a, total, error);
}
