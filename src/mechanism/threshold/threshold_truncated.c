#include "mechanism/threshold/threshold_truncated.h"

#include "base/memory.h"
#include "mechanism/noise/truncated.h"
#include "mechanism/threshold/threshold_laplace.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/domain.h"
#include "scrim/threshold.h"

#define BITS 256

static const sc_parameter_rule parameters[] = {
    SC_PARAMETER_SHOWN_EPSILON,
    SC_PARAMETER_SHOWN_DELTA,
    SC_PARAMETER_MAX_GROUPS,
    SC_PARAMETER_NEIGHBOURS,
};

/* own.groups is k, noise the curve of k parts of epsilon / k each, without delta, and mass is 1 - (1 - b)^k. */
typedef sc_laplace_threshold thresholding;

/* Making one. */

/* The bound of the noise is the least one whose mass is at most delta. */
typedef struct target {
    sc_law noise;     /* of any bound: its scale is used */
    uint64_t changed; /* k */
    sc_ball delta;
} target;

/* out = 1 - (1 - P(Z = B))^changed, the mass that only one of two neighbours can have. */
static void mass_of(const sc_law *noise, uint64_t changed, sc_ball *out)
{
    sc_law_at_least(noise, noise->bound, BITS, out);
    sc_ball_neg(out, out);
    sc_ball_log1p(out, out, BITS);
    sc_ball_mul_int64(out, out, (int64_t)changed, BITS);
    sc_ball_expm1(out, out, BITS);
    sc_ball_neg(out, out);
}

static bool is_enough(const void *context, int64_t bound)
{
    const target *w = context;
    sc_law noise;
    SC_OWN(sc_ball, mass);
    sc_law_init(&noise, &sc_truncated_laplace_law, &w->noise.shape, bound);
    mass_of(&noise, w->changed, &mass);
    const bool result = sc_ball_is_less_equal(&mass, &w->delta);
    sc_law_clear(&noise);
    return result;
}

static int64_t find_bound(const sc_ratio *scale, uint64_t changed, const sc_ratio *delta)
{
    target w = {.changed = changed};
    sc_law_init(&w.noise, &sc_truncated_laplace_law, scale, 1);
    sc_ball_init(&w.delta);
    sc_ball_set_ratio(&w.delta, delta, BITS);
    const int64_t bound = sc_noisy_threshold_search(is_enough, &w, 1);
    sc_ball_clear(&w.delta);
    sc_law_clear(&w.noise);
    return bound;
}

static scrim_status set_noise(const scrim_measurement *m, thresholding *s,
                              scrim_error *error)
{
    const sc_ratio *epsilon = sc_measurement_get(m, "epsilon");
    SC_OWN(sc_ratio, part, scale);
    sc_ratio_set_int64(&part, (int64_t)s->own.groups);
    sc_ratio_div(&scale, &part, epsilon);
    sc_ratio_div(&part, epsilon, &part);
    sc_curve_set_composed(&s->noise, &part, s->own.groups);
    const int64_t bound =
        find_bound(&scale, s->own.groups, sc_measurement_get(m, "delta"));
    scrim_status status =
        bound < SC_THRESHOLD_MAX - 1
            ? sc_noisy_threshold_init_bounded(&s->shown, &scale, bound, error)
            : sc_fail(error, SCRIM_E_LIMIT,
                      "threshold-truncated: that epsilon and delta need noise of 1.1e18 "
                      "units or more; choose larger ones or fewer max-groups");
    s->shown.threshold = bound + 1;
    if (status == SCRIM_OK)
        mass_of(&s->shown.noise, s->own.groups, &s->mass);
    return status;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    thresholding *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    s->own = (sc_new_groups){.groups = sc_unit_counts_changed(m), .each = 1};
    sc_curve_init(&s->noise);
    sc_ball_init(&s->mass);
    scrim_status status = set_noise(m, s, error);
    return status == SCRIM_OK ? sc_unit_counts_domain(m, error) : status;
}

/* The cost. */

/* For one count the exact curve; for more, the mass that tells neighbours apart for certain, and k parts of noise for the rest. */
static void curve_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                        sc_ball *out)
{
    const thresholding *s = curve->context;
    if (s->own.groups == 1)
        sc_truncated_delta(&s->shown.noise, 1, epsilon, bits, out);
    else
        sc_noisy_threshold_delta(&s->noise, &s->mass, epsilon, bits, out);
}

static const sc_curve_functions curve_functions = {.name = "threshold-truncated",
                                                   .delta = curve_delta};

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    const thresholding *s = m->state;
    (void)error;
    sc_noisy_threshold_cost(m, &s->mass, &curve_functions, out);
    return SCRIM_OK;
}

const sc_mechanism sc_threshold_truncated = {
    .entry = {.name = "threshold-truncated",
              .parameters = "epsilon=R delta=R [max-groups=N]",
              .input = "counts",
              .claim = "(epsilon, delta)-DP; counts from a threshold on, in a hard range",
              .does = "Adds bounded noise to the count of each group and shows only "
                      "counts at or above a threshold. Each count that is shown is "
                      "within a fixed range of the truth, with certainty.",
              .example = "epsilon=1 delta=1e-6 neighbours=add-remove",
              .example_input = "40\n3\n900\n",
              .reference = "Desfontaines, Voss, Gipson, Mandayam: Differentially Private "
                           "Partition Selection, 2022"},
    SC_MECHANISM_PARAMETERS,
    .answers_numbers = true,
    .check = check,
    .discard = sc_laplace_threshold_discard,
    .cost = cost,
    SC_NOISY_THRESHOLD_MEMBERS,
    .certify = sc_noisy_threshold_certify,
    .change = sc_unit_counts_change,
};
