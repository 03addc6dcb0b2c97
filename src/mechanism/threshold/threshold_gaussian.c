#include "mechanism/threshold/threshold_gaussian.h"

#include "base/memory.h"
#include "mechanism/noise/gaussian_calibration.h"
#include "mechanism/threshold/group_division.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/domain.h"
#include "scrim/threshold.h"

#define BITS 128

static const sc_parameter_rule parameters[] = {
    SC_PARAMETER_SHOWN_EPSILON,
    SC_PARAMETER_SHOWN_DELTA,
    SC_PARAMETER_MAX_GROUPS,
    SC_PARAMETER_NEIGHBOURS,
};

typedef struct thresholding {
    sc_noisy_threshold shown; /* first: see noisy_threshold.h */
    sc_group_division division;
} thresholding;

/* Choosing the noise and the threshold. */

typedef struct target {
    const sc_ratio *epsilon, *delta;
    sc_ball enough; /* delta */
    sc_law noise;
    sc_group_division division; /* of that noise */
    uint64_t changed;
} target;

static void target_init(target *w, const scrim_measurement *m)
{
    w->epsilon = sc_measurement_get(m, "epsilon");
    w->delta = sc_measurement_get(m, "delta");
    w->changed = sc_unit_counts_changed(m);
    sc_ball_init(&w->enough);
    sc_ball_set_ratio(&w->enough, w->delta, BITS);
    sc_law_init(&w->noise, &sc_discrete_gaussian_law, NULL, 0);
    w->division =
        (sc_group_division){.variance = &w->noise.shape,
                            .groups = sc_unit_counts_groups(m),
                            .is_replace = sc_measurement_neighbours(m) == SCRIM_REPLACE};
}

static void target_clear(target *w)
{
    sc_law_clear(&w->noise);
    sc_ball_clear(&w->enough);
}

/* Are new groups alone within delta? */
static bool is_mass_enough(const void *context, int64_t threshold)
{
    const target *w = context;
    SC_OWN(sc_ball, mass);
    sc_noisy_threshold_mass(&w->noise, threshold, w->division.groups, BITS, &mass);
    return sc_ball_is_less_equal(&mass, &w->enough);
}

static bool is_enough(const void *context, int64_t threshold)
{
    const target *w = context;
    sc_group_division division = w->division;
    division.threshold = threshold;
    SC_OWN(sc_ball, delta);
    sc_group_division_delta_upper(&division, w->epsilon, &w->enough, BITS, &delta);
    return sc_ball_is_less_equal(&delta, &w->enough);
}

/* The choice where the noise alone has a share of delta. `least` is the T that new groups alone
 * need; no T is chosen at or above the limit. */
typedef struct choice {
    sc_ratio variance;
    int64_t least, threshold;
} choice;

static scrim_status choose(target *w, const sc_ratio *share, int64_t limit, choice *out,
                           scrim_error *error)
{
    SC_OWN(sc_ratio, part);
    sc_ratio_mul(&part, w->delta, share);
    scrim_status status =
        sc_gaussian_draws_variance(w->epsilon, &part, w->changed, &w->noise.shape, error);
    if (status == SCRIM_OK) {
        sc_ratio_set(&out->variance, &w->noise.shape);
        out->least = sc_noisy_threshold_search(is_mass_enough, w, 1);
        out->threshold = SC_THRESHOLD_MAX;
        if (out->least < limit && is_enough(w, limit - 1))
            out->threshold = sc_noisy_threshold_search(is_enough, w, out->least);
    }
    return status;
}

#define SHARES 5 /* halvings of the shares from 1/2 to 1 */

/* The first choice is that of the whole delta, whose least no other has below: more noise reaches
 * further. Else shares are halved between 1/2 and 1, towards the smaller threshold. */
static scrim_status choose_share(target *w, choice *best, choice *other,
                                 scrim_error *error)
{
    SC_OWN(sc_ratio, low, high, share, half);
    sc_ratio_set_int64(&high, 1);
    sc_ratio_set_int64(&half, 2);
    sc_ratio_div(&half, &high, &half);
    sc_ratio_set(&low, &half);
    sc_ratio_set(&share, &half);
    scrim_status status = choose(w, &high, SC_THRESHOLD_MAX, best, error);
    const int64_t least = best->least;
    for (int i = 0; status == SCRIM_OK && i < SHARES && best->threshold > least; i++) {
        status = choose(w, &share, best->threshold, other, error);
        if (status != SCRIM_OK)
            break;
        const bool is_better = other->threshold < best->threshold;
        if (is_better) {
            sc_ratio_set(&best->variance, &other->variance);
            best->threshold = other->threshold;
        }
        if (i > 0)
            sc_ratio_set(is_better ? &high : &low, &share);
        sc_ratio_add(&share, &low, &high);
        sc_ratio_mul(&share, &share, &half);
    }
    return status;
}

static scrim_status calibrate(const scrim_measurement *m, choice *best,
                              scrim_error *error)
{
    choice other = {.least = 0};
    target w;
    sc_ratio_init(&other.variance);
    target_init(&w, m);
    scrim_status status = choose_share(&w, best, &other, error);
    if (status == SCRIM_OK && best->threshold >= SC_THRESHOLD_MAX)
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "threshold-gaussian: that epsilon and delta need a threshold of "
                         "1.1e18 units or more; choose larger ones or fewer max-groups");
    target_clear(&w);
    sc_ratio_clear(&other.variance);
    return status;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    choice best = {.least = 0};
    thresholding *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    sc_ratio_init(&best.variance);
    scrim_status status = calibrate(m, &best, error);
    if (status == SCRIM_OK)
        status = sc_noisy_threshold_init(&s->shown, &sc_discrete_gaussian_law,
                                         &best.variance, error);
    if (status == SCRIM_OK) {
        s->shown.threshold = best.threshold;
        s->division = (sc_group_division){.variance = &s->shown.noise.shape,
                                          .threshold = best.threshold,
                                          .groups = sc_unit_counts_groups(m),
                                          .is_replace = sc_measurement_neighbours(m) ==
                                                        SCRIM_REPLACE};
        status = sc_unit_counts_domain(m, error);
    }
    sc_ratio_clear(&best.variance);
    return status;
}

/* The cost. */

static void curve_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                        sc_ball *out)
{
    const thresholding *s = curve->context;
    sc_group_division_delta_upper(&s->division, epsilon, NULL, bits, out);
}

static const sc_curve_functions curve_functions = {.name = "threshold-gaussian",
                                                   .delta = curve_delta};

/* But for new groups that are shown, counts change by one each, which costs 1/(2 variance) for each of them. */
static void set_aside(const thresholding *s, sc_exact_cost *out)
{
    SC_OWN(sc_ratio, changed);
    SC_OWN(sc_ball, mass);
    sc_noisy_threshold_mass(&s->shown.noise, s->shown.threshold, s->division.groups, BITS,
                            &mass);
    sc_ratio_set_int128(&changed,
                        (sc_int128)s->division.groups * (s->division.is_replace ? 2 : 1));
    sc_ratio_div(&out->aside_rho, &changed, s->division.variance);
    sc_ratio_set_int64(&changed, 2);
    sc_ratio_div(&out->aside_rho, &out->aside_rho, &changed);
    sc_cost_round_up(&out->aside_rho, &out->aside_rho);
    out->has_aside = sc_cost_round_up_ball(&mass, &out->aside);
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_cost_set_approximate(out, sc_measurement_get(m, "epsilon"),
                            sc_measurement_get(m, "delta"));
    set_aside(m->state, out);
    out->curve.functions = &curve_functions;
    out->curve.context = m->state;
    return SCRIM_OK;
}

const sc_mechanism sc_threshold_gaussian = {
    .entry = {.name = "threshold-gaussian",
              .parameters = "epsilon=R delta=R [max-groups=N]",
              .input = "counts",
              .claim = "(epsilon, delta)-DP; noisy counts from a threshold on",
              .does = "Adds discrete Gaussian noise to the count of each group and "
                      "shows only counts at or above a threshold. Better than "
                      "threshold-laplace where a person is in many groups.",
              .example = "epsilon=1 delta=1e-6 max-groups=20 neighbours=add-remove",
              .example_input = "400\n3\n900\n",
              .reference =
                  "Korolova, Kenthapadi, Mishra, Ntoulas: Releasing Search Queries and "
                  "Clicks Privately, 2009; Canonne, Kamath, Steinke: The Discrete "
                  "Gaussian for Differential Privacy, 2020"},
    SC_MECHANISM_PARAMETERS,
    .answers_numbers = true,
    .check = check,
    .discard = sc_noisy_threshold_discard,
    .cost = cost,
    SC_NOISY_THRESHOLD_MEMBERS,
    .certify = sc_noisy_threshold_certify,
    .change = sc_unit_counts_change,
};
