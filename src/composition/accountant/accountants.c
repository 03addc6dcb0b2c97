#include "composition/accountant/accountants.h"

#include "composition/accountant/basic.h"
#include "composition/accountant/loss_accountants.h"
#include "composition/accountant/optimal.h"
#include "composition/accountant/renyi.h"

#include <string.h>

static const sc_accountant *const all[] = {
    &sc_accountant_basic,        &sc_accountant_advanced,     &sc_accountant_optimal,
    &sc_accountant_lattice,      &sc_accountant_closed,       &sc_accountant_renyi,
    &sc_accountant_renyi_filter, &sc_accountant_concentrated, &sc_accountant_loss,
    &sc_accountant_fast_loss,
};

const sc_accountant *sc_accountant_at(size_t index)
{
    return index < sizeof all / sizeof all[0] ? all[index] : NULL;
}

const sc_accountant *sc_accountant_find(const char *name)
{
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}

#define BITS 256L

static const char exact_losses[] = "loss";     /* never asked: fast-loss is enough */
static const char fast_losses[] = "fast-loss"; /* not asked for a quick bound */
static const char filtered[] = "renyi-filter"; /* never asked: renyi is never worse */
static const char own_curve[] = "curve";       /* names the bound of a single release */

void sc_joint_bound_init(sc_joint_bound *bound)
{
    sc_enclosure_init(&bound->bounds);
    bound->source = "";
}

void sc_joint_bound_clear(sc_joint_bound *bound)
{
    sc_enclosure_clear(&bound->bounds);
}

/* Privacy losses are computed quickly for a pair of distributions that are few steps apart. For a mere curve, or for noise on a fine
 * grid, they take minutes. */
#define SHIFT_MOST 64

static bool is_quick(const sc_bag *bag)
{
    for (size_t i = 0; i < bag->count; i++)
        if (!bag->parts[i].has_pair || bag->parts[i].pair.shift > SHIFT_MOST)
            return false;
    return true;
}

static bool is_asked(const sc_accountant *accountant, const sc_bag *bag,
                     sc_joint_effort effort)
{
    if (strcmp(accountant->name, exact_losses) == 0 ||
        strcmp(accountant->name, filtered) == 0)
        return false;
    return strcmp(accountant->name, fast_losses) != 0 ||
           (effort == SC_JOINT_FULL && is_quick(bag));
}

static scrim_status ask_accountants(const sc_bag *bag, const sc_ratio *at,
                                    bool for_epsilon, sc_joint_effort effort,
                                    sc_best *best, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    const sc_accountant *one;
    for (size_t i = 0; status == SCRIM_OK && (one = sc_accountant_at(i)) != NULL; i++) {
        const char *remark = NULL;
        if (!is_asked(one, bag, effort))
            continue;
        SC_OWN(sc_enclosure, found);
        status =
            (for_epsilon ? one->epsilon : one->delta)(bag, at, &found, &remark, error);
        if (status == SCRIM_OK)
            sc_best_take(best, one, &found);
        else if (status == SCRIM_E_LIMIT)
            status = SCRIM_OK;
    }
    return status;
}

static bool is_single(const sc_bag *bag)
{
    return bag->count == 1 && bag->parts[0].count == 1 && !bag->parts[0].is_sampled;
}

/* Takes the bound of the release's own curve, if that is not larger. */
static void take_curve(const sc_curve *curve, const sc_ratio *at, bool for_epsilon,
                       sc_joint_bound *out)
{
    sc_enclosure *bounds = &out->bounds;
    bool known = true;
    SC_OWN(sc_ball, own);
    SC_OWN(sc_ratio, epsilon);
    if (for_epsilon) {
        known = sc_curve_epsilon_upper(curve, at, &epsilon);
        sc_ball_set_ratio(&own, &epsilon, BITS);
    } else {
        sc_curve_delta_upper(curve, at, BITS, &own);
    }
    if (known && (!bounds->has_upper || !sc_ball_is_less(&bounds->upper, &own))) {
        sc_ball_set(&bounds->upper, &own);
        bounds->has_upper = true;
        out->source = own_curve;
    }
}

static scrim_status ask(const sc_bag *bag, const sc_ratio *at, bool for_epsilon,
                        sc_joint_effort effort, sc_joint_bound *out, scrim_error *error)
{
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_best, best);
    sc_joint_bound_clear(out);
    sc_joint_bound_init(out);
    /* For a single release the curve is enough if the answer is to be quick. */
    if (!is_single(bag) || effort == SC_JOINT_FULL)
        status = ask_accountants(bag, at, for_epsilon, effort, &best, error);
    if (status == SCRIM_OK && best.upper_by != NULL) {
        out->bounds.has_upper = true;
        sc_ball_set(&out->bounds.upper, &best.bounds.upper);
        out->source = best.upper_by->name;
    }
    if (status == SCRIM_OK && best.lower_by != NULL) {
        out->bounds.has_lower = true;
        sc_ball_set(&out->bounds.lower, &best.bounds.lower);
    }
    if (status == SCRIM_OK && is_single(bag))
        take_curve(&bag->parts[0].cost.curve, at, for_epsilon, out);
    return status;
}

scrim_status sc_joint_bound_delta(const sc_bag *bag, const sc_ratio *epsilon,
                                  sc_joint_effort effort, sc_joint_bound *out,
                                  scrim_error *error)
{
    return ask(bag, epsilon, false, effort, out, error);
}

scrim_status sc_joint_bound_epsilon(const sc_bag *bag, const sc_ratio *delta,
                                    sc_joint_effort effort, sc_joint_bound *out,
                                    scrim_error *error)
{
    return ask(bag, delta, true, effort, out, error);
}
