#include "ledger/bundle.h"

#include "base/memory.h"
#include "base/number/ratio.h"
#include "ledger/joint.h"
#include "ledger/ledger.h"

#define BITS 256

typedef struct part {
    const scrim_measurement *measurement;
    uint64_t copies;
} part;

struct sc_bundle {
    scrim_neighbours neighbours;
    part *parts;
    size_t count, capacity;
    sc_exact_cost *costs; /* NULL until it is fixed; initialised up to cost_count */
    size_t cost_count;
    bool is_fixed;
    bool has_concentrated; /* it is the last of the costs */
    bool is_joint;
    sc_exact_cost total, joint;
    scrim_cost shown;
};

scrim_status sc_bundle_new(scrim_neighbours neighbours, sc_bundle **out,
                           scrim_error *error)
{
    if (neighbours < SCRIM_ADD_REMOVE || neighbours > SCRIM_LOCAL)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "neighbours",
            "neighbours is not set; use SCRIM_ADD_REMOVE or SCRIM_REPLACE");
    sc_bundle *bundle = sc_allocate(1, sizeof *bundle);
    if (bundle == NULL)
        return sc_no_memory(error, "a release of several parts");
    bundle->neighbours = neighbours;
    sc_cost_init(&bundle->total);
    sc_cost_init(&bundle->joint);
    *out = bundle;
    return SCRIM_OK;
}

static void clear_costs(sc_bundle *bundle)
{
    for (size_t i = 0; i < bundle->cost_count; i++)
        sc_cost_clear(&bundle->costs[i]);
    sc_free(bundle->costs);
    bundle->costs = NULL;
    bundle->cost_count = 0;
}

void sc_bundle_free(sc_bundle *bundle)
{
    if (bundle == NULL)
        return;
    clear_costs(bundle);
    sc_cost_clear(&bundle->total);
    sc_cost_clear(&bundle->joint);
    sc_free(bundle->parts);
    sc_free(bundle);
}

scrim_status sc_bundle_add(sc_bundle *bundle, const scrim_measurement *measurement,
                           uint64_t copies, size_t *out, scrim_error *error)
{
    if (bundle->is_fixed)
        return sc_fail(error, SCRIM_E_STATE, "the parts of this release are fixed");
    if (copies < 1 || copies > INT64_MAX)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "count",
                           "a part must be drawn at least once");
    if (!sc_make_room(&bundle->parts, bundle->count, &bundle->capacity,
                      sizeof *bundle->parts))
        return sc_no_memory(error, "a release of several parts");
    bundle->parts[bundle->count] = (part){measurement, copies};
    *out = bundle->count++;
    return SCRIM_OK;
}

/* Costs of parts. */

static void multiply(sc_ratio *x, uint64_t by)
{
    SC_OWN(sc_ratio, factor);
    sc_ratio_set_int128(&factor, (sc_int128)by);
    sc_ratio_mul(x, x, &factor);
    sc_cost_round_up(x, x);
}

/* Everything else that its kind needs stays the measurement's. */
static void copy_curve(const sc_curve *from, sc_curve *to)
{
    to->functions = from->functions;
    sc_ratio_set(&to->epsilon, &from->epsilon);
    sc_ratio_set(&to->delta, &from->delta);
    sc_ratio_set(&to->shape, &from->shape);
    to->count = from->count;
    to->context = from->context;
}

/* One draw in its own relation keeps its curve. Of several, or of a group of two, that they are
 * pure is all that is left of it; their rho is in the cost besides. */
static void set_curve(const sc_exact_cost *one, const sc_exact_cost *here, uint64_t draws,
                      sc_exact_cost *out)
{
    if (draws == 1 && one->neighbours == here->neighbours)
        copy_curve(&one->curve, &out->curve);
    else if (here->has_epsilon && sc_ratio_sign(&here->delta) == 0)
        sc_curve_set_composed(&out->curve, &here->epsilon, draws);
    else if (here->has_epsilon)
        sc_curve_set_approximate(&out->curve, &out->epsilon, &out->delta);
    else
        sc_curve_set_concentrated(&out->curve, &out->rho);
}

/* A group of two counts for two of the copies. */
static uint64_t draws_of(const sc_bundle *bundle, const part *p)
{
    const bool by_two = p->measurement->cost.neighbours == SCRIM_ADD_REMOVE &&
                        bundle->neighbours == SCRIM_REPLACE;
    return by_two ? p->copies / 2 + p->copies % 2 : p->copies;
}

/* All the draws of a part, in the relation of the bundle. */
static scrim_status cost_of(const sc_bundle *bundle, const part *p, sc_exact_cost *out,
                            scrim_error *error)
{
    const sc_exact_cost *one = &p->measurement->cost;
    const uint64_t draws = draws_of(bundle, p);
    sc_exact_cost here;
    if (!one->has_epsilon && !one->has_rho)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "epsilon",
                           "%s has only a curve; give it epsilon and delta, or rho",
                           p->measurement->mechanism->entry.name);
    sc_cost_init(&here);
    scrim_status status = sc_ledger_convert(one, bundle->neighbours, &here, error);
    if (status == SCRIM_OK) {
        out->neighbours = bundle->neighbours;
        out->has_epsilon = here.has_epsilon;
        out->has_rho = here.has_rho;
        sc_ratio_set(&out->epsilon, &here.epsilon);
        sc_ratio_set(&out->delta, &here.delta);
        sc_ratio_set(&out->rho, &here.rho);
        multiply(&out->epsilon, draws);
        multiply(&out->delta, draws);
        multiply(&out->rho, draws);
        set_curve(one, &here, draws, out);
    }
    sc_cost_clear(&here);
    return status;
}

/* Concentrated parts. */

/* Is the curve's delta at this epsilon at most delta? */
static bool keeps(const sc_curve *curve, const sc_ratio *epsilon, const sc_ratio *delta)
{
    SC_OWN(sc_ball, got, most);
    sc_curve_delta_upper(curve, epsilon, BITS, &got);
    sc_ball_set_ratio(&most, delta, BITS);
    return sc_ball_is_finite(&got) && sc_ball_is_less_equal(&got, &most);
}

/* The smaller epsilon of two curves of the same thing. */
static bool find_epsilon(const sc_curve *first, const sc_curve *second,
                         const sc_ratio *delta, sc_ratio *out)
{
    SC_OWN(sc_ratio, other);
    bool found = sc_curve_epsilon_upper(first, delta, out);
    if (sc_curve_epsilon_upper(second, delta, &other) &&
        (!found || sc_ratio_compare(&other, out) < 0)) {
        sc_ratio_set(out, &other);
        found = true;
    }
    sc_cost_round_up(out, out);
    return found;
}

/* Sets epsilon and delta of what has a rho and a curve: a curve of one Gaussian may be smaller
 * than that of its rho. wanted may be NULL. */
static scrim_status convert(sc_exact_cost *cost, const sc_ratio *wanted,
                            const sc_ratio *delta, scrim_error *error)
{
    if (sc_ratio_sign(delta) <= 0 || sc_ratio_compare_int64(delta, 1) >= 0)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "delta",
            "a part that has only a rho needs a delta above 0 and below 1");
    SC_OWN(sc_curve, by_rho);
    sc_curve_set_concentrated(&by_rho, &cost->rho);
    bool found = false;
    if (wanted == NULL) {
        found = find_epsilon(&cost->curve, &by_rho, delta, &cost->epsilon);
    } else {
        sc_ratio_set(&cost->epsilon, wanted);
        found = keeps(&cost->curve, wanted, delta) || keeps(&by_rho, wanted, delta);
    }
    if (!found)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "rho",
                           wanted == NULL
                               ? "rho is too large for any epsilon at this delta"
                               : "rho is too large for this epsilon and this delta");
    sc_cost_round_up(delta, &cost->delta);
    cost->has_epsilon = true;
    return SCRIM_OK;
}

/* Adds a part that has rho alone to the last of the costs, where they are all one. */
static void join(sc_exact_cost *all, sc_exact_cost *cost, bool is_first)
{
    if (is_first) {
        sc_ratio_set(&all->rho, &cost->rho);
        copy_curve(&cost->curve, &all->curve);
        return;
    }
    sc_ratio_add(&all->rho, &all->rho, &cost->rho);
    sc_cost_round_up(&all->rho, &all->rho);
    sc_curve_set_concentrated(&all->curve, &all->rho);
}

/* Fixing. */

static void add_to_total(const sc_exact_cost *cost, sc_exact_cost *total)
{
    total->has_rho = total->has_rho && cost->has_rho;
    sc_ratio_add(&total->epsilon, &total->epsilon, &cost->epsilon);
    sc_ratio_add(&total->delta, &total->delta, &cost->delta);
    sc_ratio_add(&total->rho, &total->rho, &cost->rho);
    sc_cost_round_up(&total->epsilon, &total->epsilon);
    sc_cost_round_up(&total->delta, &total->delta);
    sc_cost_round_up(&total->rho, &total->rho);
}

static void set_total(sc_bundle *bundle)
{
    sc_exact_cost *total = &bundle->total;
    total->neighbours = bundle->neighbours;
    total->has_epsilon = total->has_rho = true;
    for (size_t i = 0; i < bundle->cost_count; i++)
        add_to_total(&bundle->costs[i], total);
    if (!total->has_rho)
        sc_ratio_set_int64(&total->rho, 0);
    if (bundle->cost_count == 1)
        copy_curve(&bundle->costs[0].curve, &total->curve);
    else
        sc_curve_set_approximate(&total->curve, &total->epsilon, &total->delta);
    sc_cost_format(total, &bundle->shown);
}

/* The costs of all parts, into memory for one more than there are parts. */
static scrim_status set_costs(sc_bundle *bundle, const sc_ratio *epsilon,
                              const sc_ratio *delta, scrim_error *error)
{
    sc_exact_cost all; /* that is concentrated */
    size_t joined = 0;
    scrim_status status = SCRIM_OK;
    sc_cost_init(&all);
    all.neighbours = bundle->neighbours;
    all.has_rho = true;
    for (size_t i = 0; status == SCRIM_OK && i < bundle->count; i++) {
        sc_exact_cost *cost = &bundle->costs[bundle->cost_count];
        sc_cost_init(cost);
        status = cost_of(bundle, &bundle->parts[i], cost, error);
        if (status == SCRIM_OK && cost->has_epsilon) {
            bundle->cost_count++;
            continue;
        }
        if (status == SCRIM_OK)
            join(&all, cost, joined++ == 0);
        sc_cost_clear(cost);
    }
    if (status == SCRIM_OK && joined > 0) {
        status = convert(&all, epsilon, delta, error);
        bundle->costs[bundle->cost_count++] = all;
        bundle->has_concentrated = true;
    } else {
        sc_cost_clear(&all);
    }
    return status;
}

static scrim_status fix(sc_bundle *bundle, const sc_ratio *epsilon, const sc_ratio *delta,
                        scrim_error *error)
{
    if (bundle->is_fixed)
        return sc_fail(error, SCRIM_E_STATE, "the parts of this release are fixed");
    if (bundle->count == 0)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "part",
                           "a release has at least one part");
    bundle->costs = sc_allocate(bundle->count + 1, sizeof *bundle->costs);
    if (bundle->costs == NULL)
        return sc_no_memory(error, "a release of several parts");
    SC_BALL_SCOPE(scope);
    scrim_status status = set_costs(bundle, epsilon, delta, error);
    if (status == SCRIM_OK)
        set_total(bundle);
    bundle->is_fixed = status == SCRIM_OK;
    if (status != SCRIM_OK)
        clear_costs(bundle);
    return status;
}

scrim_status sc_bundle_fix(sc_bundle *bundle, const sc_ratio *delta, scrim_error *error)
{
    return fix(bundle, NULL, delta, error);
}

scrim_status sc_bundle_fix_at(sc_bundle *bundle, const sc_ratio *epsilon,
                              const sc_ratio *delta, scrim_error *error)
{
    return fix(bundle, epsilon, delta, error);
}

/* Joining. */

/* One draw of each part that has an epsilon, and what is concentrated, as they enter the joint
 * loss. */
static scrim_status declare(const sc_bundle *bundle, sc_exact_cost *ones,
                            sc_joint_part *parts, size_t *count, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    for (size_t i = 0; status == SCRIM_OK && i < bundle->count; i++) {
        const sc_exact_cost *own = &bundle->parts[i].measurement->cost;
        if (!own->has_epsilon)
            continue;
        sc_exact_cost *one = &ones[*count];
        parts[*count] = (sc_joint_part){one, draws_of(bundle, &bundle->parts[i])};
        (*count)++;
        sc_cost_init(one);
        status = sc_ledger_convert(own, bundle->neighbours, one, error);
        set_curve(own, one, 1, one);
    }
    if (status == SCRIM_OK && bundle->has_concentrated)
        parts[(*count)++] = (sc_joint_part){&bundle->costs[bundle->cost_count - 1], 1};
    return status;
}

/* Is it enough less than the sum? A delta that the parts do not have anyway is paid for. */
static bool is_worth_it(const sc_bundle *bundle, const sc_ratio *epsilon,
                        const sc_ratio *delta)
{
    const bool is_free = sc_ratio_compare(delta, &bundle->total.delta) <= 0;
    SC_OWN(sc_ratio, most, parts);
    sc_ratio_set_int64(&most, is_free ? 999 : 95);
    sc_ratio_set_int64(&parts, is_free ? 1000 : 100);
    sc_ratio_div(&most, &most, &parts);
    sc_ratio_mul(&most, &most, &bundle->total.epsilon);
    return sc_ratio_compare(epsilon, &most) <= 0;
}

static scrim_status find_joint(sc_bundle *bundle, const sc_ratio *delta,
                               sc_exact_cost *ones, sc_joint_part *parts, size_t *count,
                               scrim_error *error)
{
    bool is_found = false;
    sc_exact_cost *joint = &bundle->joint;
    scrim_status status = declare(bundle, ones, parts, count, error);
    /* One draw by itself was made for its epsilon and its delta. */
    if (status == SCRIM_OK && (*count > 1 || parts[0].count > 1))
        status =
            sc_joint_epsilon(parts, *count, delta, &is_found, &joint->epsilon, error);
    if (status != SCRIM_OK || !is_found || !is_worth_it(bundle, &joint->epsilon, delta))
        return status;
    joint->neighbours = bundle->neighbours;
    joint->has_epsilon = true;
    sc_ratio_set(&joint->delta, delta);
    sc_curve_set_approximate(&joint->curve, &joint->epsilon, delta);
    bundle->is_joint = true;
    return SCRIM_OK;
}

scrim_status sc_bundle_join(sc_bundle *bundle, const sc_ratio *delta, scrim_error *error)
{
    size_t count = 0;
    bundle->is_joint = false;
    if (!sc_cost_fits(delta))
        return SCRIM_OK;
    sc_exact_cost *ones = sc_allocate(bundle->count, sizeof *ones);
    sc_joint_part *parts = sc_allocate(bundle->count + 1, sizeof *parts);
    scrim_status status = ones == NULL || parts == NULL
                              ? sc_no_memory(error, "a release of several parts")
                              : find_joint(bundle, delta, ones, parts, &count, error);
    for (size_t i = 0; i < count; i++)
        if (parts[i].cost == &ones[i])
            sc_cost_clear(&ones[i]);
    sc_free(parts);
    sc_free(ones);
    return status;
}

bool sc_bundle_is_fixed(const sc_bundle *bundle)
{
    return bundle->is_fixed;
}

const sc_exact_cost *sc_bundle_costs(const sc_bundle *bundle, size_t *count)
{
    *count = bundle->cost_count;
    return bundle->costs;
}

const sc_exact_cost *sc_bundle_total(const sc_bundle *bundle)
{
    return &bundle->total;
}

const scrim_cost *sc_bundle_cost(const sc_bundle *bundle)
{
    return &bundle->shown;
}

const sc_exact_cost *sc_bundle_joint(const sc_bundle *bundle)
{
    return bundle->is_joint ? &bundle->joint : NULL;
}

/* The concentrated parts, with their epsilon and delta; NULL: none is concentrated. */
const sc_exact_cost *sc_bundle_concentrated(const sc_bundle *bundle)
{
    return bundle->has_concentrated ? &bundle->costs[bundle->cost_count - 1] : NULL;
}

scrim_neighbours sc_bundle_neighbours(const sc_bundle *bundle)
{
    return bundle->neighbours;
}

size_t sc_bundle_count(const sc_bundle *bundle)
{
    return bundle->count;
}

const scrim_measurement *sc_bundle_measurement(const sc_bundle *bundle, size_t index)
{
    return bundle->parts[index].measurement;
}

uint64_t sc_bundle_copies(const sc_bundle *bundle, size_t index)
{
    return bundle->parts[index].copies;
}
