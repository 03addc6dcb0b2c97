#include "mechanism/threshold/threshold_weighted.h"

#include "base/memory.h"
#include "mechanism/noise/gaussian_calibration.h"
#include "mechanism/threshold/group_division.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/certificate.h"
#include "model/domain.h"
#include "scrim/threshold.h"

#define BITS 128

static const sc_parameter_rule parameters[] = {
    SC_PARAMETER_SHOWN_EPSILON,
    SC_PARAMETER_SHOWN_DELTA,
    SC_RULE_POSITIVE("grid", "2^-20", "1",
                     "the step of weights, a power of 2 or of 10 from 9.6e-7 to 1"),
    SC_RULE_COUNT(
        "max-groups", "64",
        "the number of contribution bound: groups per unit, an integer from 1 to 64"),
    SC_PARAMETER_WHOLE,
    SC_PARAMETER_NEIGHBOURS,
};

typedef struct weighting {
    sc_noisy_threshold shown; /* first: see noisy_threshold.h; in steps of the grid */
    uint64_t groups;
    uint64_t
        weights[SC_WEIGHTED_GROUPS_MAX]; /* of a unit in 1, 2, ... groups, in steps */
} weighting;

static const weighting *state_of(const scrim_measurement *m)
{
    return m->state;
}

/* Weights. */

/* The largest w with w^2 <= x. */
static uint64_t root_of(uint64_t x)
{
    uint64_t low = 0, high = (uint64_t)1 << 32;
    while (high - low > 1) {
        const uint64_t middle = low + (high - low) / 2;
        if (middle * middle <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* k w^2 <= steps^2 is w^2 <= floor(steps^2 / k). */
static scrim_status set_weights(const scrim_measurement *m, weighting *s,
                                scrim_error *error)
{
    uint64_t steps = 0;
    SC_OWN(sc_ratio, one);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_div(&one, &one, sc_measurement_get(m, "grid"));
    sc_ratio_floor(&one, &whole);
    const bool is_whole =
        sc_ratio_is_integer(&one) && sc_integer_get_uint64(&whole, &steps);
    s->groups = sc_unit_counts_groups(m);
    for (uint64_t k = 1; k <= s->groups; k++)
        s->weights[k - 1] = root_of(steps * steps / k);
    if (!is_whole || s->weights[s->groups - 1] == 0)
        return sc_fail_parameter(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "grid",
            "a unit in max-groups groups would have no weight; choose a "
            "smaller step, a power of 2 or of 10");
    return SCRIM_OK;
}

uint64_t sc_weighted_steps(const scrim_measurement *m, uint64_t groups)
{
    return state_of(m)->weights[groups - 1];
}

scrim_status scrim_threshold_weight(const scrim_measurement *m, uint64_t groups,
                                    char out[SCRIM_NUMBER_BYTES], scrim_error *error)
{
    SC_REQUIRE(error, "measurement weight", m, out);
    if (m->mechanism != &sc_threshold_weighted)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "mechanism",
                           "%s has no weights", m->mechanism->entry.name);
    if (groups < 1 || groups > state_of(m)->groups)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "max-groups",
                           "a unit must be in 1 to max-groups groups");
    SC_OWN(sc_ratio, weight);
    sc_ratio_set_int128(&weight, (sc_int128)sc_weighted_steps(m, groups));
    sc_ratio_mul(&weight, &weight, sc_measurement_get(m, "grid"));
    const size_t bytes = sc_ratio_format(&weight, out, SCRIM_NUMBER_BYTES);
    if (bytes >= SCRIM_NUMBER_BYTES)
        return sc_fail(error, SCRIM_E_LIMIT, "the weight has too many digits");
    return SCRIM_OK;
}

/* The worst unit. */

static void take_larger(sc_ball *out, const sc_ball *other)
{
    if (!sc_ball_is_less_equal(other, out))
        sc_ball_set(out, other);
}

static int64_t from_move(const weighting *s, int64_t threshold, uint64_t k)
{
    return threshold - (int64_t)(s->weights[k - 1] - 1);
}

/* Upper ends, so that of two balls one is the larger. */
static void mass_upper(const weighting *s, const sc_law *noise, int64_t threshold,
                       long bits, sc_ball *out)
{
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(out, 0);
    for (uint64_t k = 1; k <= s->groups; k++) {
        sc_noisy_threshold_mass(noise, from_move(s, threshold, k), k, bits, &one);
        sc_ball_set_upper(&one, &one, bits);
        take_larger(out, &one);
    }
}

static void noise_upper(const weighting *s, const sc_ratio *variance,
                        const sc_ratio *epsilon, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(out, 0);
    for (uint64_t k = 1; k <= s->groups; k++) {
        sc_gaussian_draws_moved_upper(variance, k, s->weights[k - 1], epsilon, bits,
                                      &one);
        sc_ball_set_upper(&one, &one, bits);
        take_larger(out, &one);
    }
}

/* The largest delta over all divisions; stops as soon as one is above `enough`, unless that is NULL. */
static void delta_upper(const weighting *s, const sc_ratio *variance, int64_t threshold,
                        const sc_ratio *epsilon, const sc_ball *enough, long bits,
                        sc_ball *out)
{
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(out, 0);
    for (uint64_t k = 1; k <= s->groups; k++) {
        const sc_group_division division = {.variance = variance,
                                            .threshold = threshold,
                                            .groups = k,
                                            .move = s->weights[k - 1]};
        sc_group_division_delta_upper(&division, epsilon, enough, bits, &one);
        sc_ball_set_upper(&one, &one, bits);
        take_larger(out, &one);
        if (enough != NULL && !sc_ball_is_less_equal(out, enough))
            break;
    }
}

void sc_weighted_mass(const scrim_measurement *m, long bits, sc_ball *out)
{
    const weighting *s = m->state;
    mass_upper(s, &s->shown.noise, s->shown.threshold, bits, out);
}

void sc_weighted_noise(const scrim_measurement *m, const sc_ratio *epsilon, long bits,
                       sc_ball *out)
{
    const weighting *s = m->state;
    noise_upper(s, &s->shown.noise.shape, epsilon, bits, out);
}

/* Choosing the noise and the threshold. */

typedef struct target {
    const weighting *s;
    const sc_ratio *epsilon;
    sc_ball enough; /* delta */
    sc_law noise;
} target;

static bool is_mass_enough(const void *context, int64_t threshold)
{
    const target *w = context;
    SC_OWN(sc_ball, mass);
    mass_upper(w->s, &w->noise, threshold, BITS, &mass);
    return sc_ball_is_less_equal(&mass, &w->enough);
}

static bool is_enough(const void *context, int64_t threshold)
{
    const target *w = context;
    SC_OWN(sc_ball, delta);
    delta_upper(w->s, &w->noise.shape, threshold, w->epsilon, &w->enough, BITS, &delta);
    return sc_ball_is_less_equal(&delta, &w->enough);
}

#define PARTS 64 /* variances are j / PARTS */
#define TRIES 4096
#define TRY_BITS 12 /* each has 2^-12 more variance than the one before, about */

static void set_variance(sc_int128 j, sc_ratio *out)
{
    SC_OWN(sc_ratio, parts);
    sc_ratio_set_int128(out, j);
    sc_ratio_set_int64(&parts, PARTS);
    sc_ratio_div(out, out, &parts);
}

/* floor(64 sigma^2), sigma being that of continuous noise and the weight of a unit in one group;
 * at least 1. */
static scrim_status continuous_floor(const target *w, const sc_ratio *delta,
                                     sc_int128 *out, scrim_error *error)
{
    SC_OWN(sc_ratio, sigma, factor);
    SC_OWN(sc_integer, whole);
    scrim_status status =
        sc_analytic_gaussian_sigma_upper(w->epsilon, delta, &sigma, error);
    if (status == SCRIM_OK) {
        sc_ratio_set_int128(&factor, (sc_int128)w->s->weights[0]);
        sc_ratio_mul(&sigma, &sigma, &factor);
        sc_ratio_mul(&sigma, &sigma, &sigma);
        sc_ratio_set_int64(&factor, PARTS);
        sc_ratio_mul(&sigma, &sigma, &factor);
        sc_ratio_floor(&sigma, &whole);
        if (!sc_integer_get_int128(&whole, out) || *out >> 120 != 0)
            status = sc_fail(error, SCRIM_E_LIMIT,
                             "that epsilon and delta need a variance above 2e34");
        else if (*out < 1)
            *out = 1;
    }
    return status;
}

/* From that of continuous noise on until the noise of all units has at most that delta. */
static scrim_status choose_variance(target *w, const sc_ratio *delta, scrim_error *error)
{
    sc_int128 j = 0;
    bool is_found = false;
    SC_OWN(sc_ball, wanted, found);
    sc_ball_set_ratio(&wanted, delta, BITS);
    scrim_status status = continuous_floor(w, delta, &j, error);
    for (int i = 0; status == SCRIM_OK && !is_found && i < TRIES; i++) {
        set_variance(j, &w->noise.shape);
        noise_upper(w->s, &w->noise.shape, w->epsilon, BITS, &found);
        is_found = sc_ball_is_less_equal(&found, &wanted);
        j += 1 + (j >> TRY_BITS);
    }
    if (status == SCRIM_OK && !is_found)
        status = sc_fail(error, SCRIM_E_INTERNAL, "no variance was found");
    return status;
}

/* The noise alone may have all of delta, or 3/4 of it, or half: whichever has the smallest
 * threshold, which no other has below what new groups need beside the first. */
static scrim_status calibrate(const scrim_measurement *m, target *w, sc_ratio *variance,
                              int64_t *threshold, scrim_error *error)
{
    static const char *const shares[] = {"1", "3/4", "1/2"};
    scrim_status status = SCRIM_OK;
    int64_t least = 0;
    SC_OWN(sc_ratio, part);
    *threshold = SC_THRESHOLD_MAX;
    for (size_t i = 0; status == SCRIM_OK && i < 3 && (i == 0 || *threshold > least);
         i++) {
        status = sc_ratio_parse(sc_text_of(shares[i]), &part, error);
        sc_ratio_mul(&part, &part, sc_measurement_get(m, "delta"));
        if (status == SCRIM_OK)
            status = choose_variance(w, &part, error);
        if (status != SCRIM_OK)
            break;
        const int64_t from = sc_noisy_threshold_search(is_mass_enough, w, 1);
        const int64_t found = sc_noisy_threshold_search(is_enough, w, from);
        least = i == 0 ? from : least;
        if (found < *threshold) {
            *threshold = found;
            sc_ratio_set(variance, &w->noise.shape);
        }
    }
    if (status == SCRIM_OK && *threshold >= SC_THRESHOLD_MAX)
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "threshold-weighted: that epsilon and delta need a threshold of "
                         "1.1e18 steps or more; choose larger ones or a larger grid");
    return status;
}

static scrim_status set_noise(scrim_measurement *m, weighting *s, scrim_error *error)
{
    target w = {.s = s, .epsilon = sc_measurement_get(m, "epsilon")};
    int64_t threshold = 0;
    SC_OWN(sc_ratio, variance);
    sc_ball_init(&w.enough);
    sc_ball_set_ratio(&w.enough, sc_measurement_get(m, "delta"), BITS);
    sc_law_init(&w.noise, &sc_discrete_gaussian_law, NULL, 0);
    scrim_status status = calibrate(m, &w, &variance, &threshold, error);
    if (status == SCRIM_OK)
        status = sc_noisy_threshold_init(&s->shown, &sc_discrete_gaussian_law, &variance,
                                         error);
    s->shown.threshold = threshold;
    sc_law_clear(&w.noise);
    sc_ball_clear(&w.enough);
    return status;
}

/* Sizes, and what is listed of the law of each, are as many as there are steps: of a fine grid
 * fewer sizes. */
#define PAIRS_WORK 32768
#define PAIRS_MIN 24
#define PAIRS_MAX 512

/* The audit has a unit add all of its weight to one group, or its two weights to two groups. */
static void set_moves(weighting *s)
{
    const int64_t two = s->groups > 1 ? (int64_t)s->weights[1] : 0;
    const int64_t pairs = PAIRS_WORK / s->shown.threshold;
    s->shown.pairs = (size_t)(pairs < PAIRS_MIN   ? PAIRS_MIN
                              : pairs > PAIRS_MAX ? PAIRS_MAX
                                                  : pairs);
    s->shown.moves = (sc_threshold_moves){(int64_t)s->weights[0], {two, two}};
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    if (sc_measurement_neighbours(m) == SCRIM_REPLACE)
        return sc_fail_parameter(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT,
                                 "neighbours",
                                 "weights are for add-remove; threshold-gaussian is "
                                 "for replace as well");
    weighting *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    SC_OWN(sc_ratio, zero);
    scrim_status status =
        sc_domain_set_grid(&m->domain, sc_measurement_get(m, "grid"), &zero, NULL, error);
    m->domain.count_min = 0; /* there may be no group at all */
    m->domain.count_max = SIZE_MAX;
    sc_unit_counts_sum(
        m); /* weights are rounded down, unit by unit, before they are summed */
    if (status == SCRIM_OK)
        status = set_weights(m, s, error);
    if (status == SCRIM_OK)
        status = set_noise(m, s, error);
    if (status == SCRIM_OK)
        set_moves(s);
    return status;
}

/* The cost. */

static void curve_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                        sc_ball *out)
{
    const weighting *s = curve->context;
    delta_upper(s, &s->shown.noise.shape, s->shown.threshold, epsilon, NULL, bits, out);
}

static const sc_curve_functions curve_functions = {.name = "threshold-weighted",
                                                   .delta = curve_delta};

/* But for new groups that are shown: the largest k W_k^2 / (2 variance). */
static void set_aside(const scrim_measurement *m, sc_exact_cost *out)
{
    const weighting *s = m->state;
    sc_int128 most = 0;
    SC_OWN(sc_ratio, twice);
    SC_OWN(sc_ball, mass);
    for (uint64_t k = 1; k <= s->groups; k++) {
        const sc_int128 w = (sc_int128)s->weights[k - 1];
        const sc_int128 moved = (sc_int128)k * w * w;
        most = moved > most ? moved : most;
    }
    sc_ratio_add(&twice, &s->shown.noise.shape, &s->shown.noise.shape);
    sc_ratio_set_int128(&out->aside_rho, most);
    sc_ratio_div(&out->aside_rho, &out->aside_rho, &twice);
    sc_cost_round_up(&out->aside_rho, &out->aside_rho);
    sc_weighted_mass(m, BITS, &mass);
    out->has_aside = sc_cost_round_up_ball(&mass, &out->aside);
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_cost_set_approximate(out, sc_measurement_get(m, "epsilon"),
                            sc_measurement_get(m, "delta"));
    set_aside(m, out);
    out->curve.functions = &curve_functions;
    out->curve.context = m->state;
    return SCRIM_OK;
}

/* As noisy_threshold.h, in the unit of weights. */
static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    const sc_noisy_threshold *s = sc_noisy_threshold_of(m);
    const sc_ratio *grid = sc_measurement_get(m, "grid");
    sc_int128 steps = 0, radius = 0;
    (void)count;
    SC_OWN(sc_ratio, number);
    sc_ratio_set_int64(&number, 1);
    sc_ratio_sub(&number, &number, beta);
    SC_TRY(sc_noisy_threshold_units(m, &number, &steps, error));
    SC_TRY(sc_law_radius(&s->noise, beta, &radius, error));
    sc_ratio_set_int128(&number, steps);
    sc_ratio_mul(&number, &number, grid);
    sc_certificate_pac(out, &number, beta,
                       "groups of less weight, which may be left out; that a value is "
                       "shown only where it is large");
    sc_ratio_set_int128(&number, radius);
    sc_ratio_mul(&number, &number, grid);
    sc_certificate_add_value_radius(out, &number);
    return SCRIM_OK;
}

static void change(const scrim_measurement *m, sc_change *out)
{
    (void)m;
    out->kind = SC_CHANGE_LENGTH; /* of the weights of one unit */
    sc_ratio_set_int64(&out->amount, 1);
}

const sc_mechanism sc_threshold_weighted = {
    .entry = {.name = "threshold-weighted",
              .parameters = "epsilon=R delta=R grid=R [max-groups=N whole=yes]",
              .input = "counts",
              .claim = "(epsilon, delta)-DP; noisy weights from a threshold on",
              .does = "Adds noise to the weight of each group and shows only weights "
                      "at or above a threshold. A person in k groups adds 1/sqrt(k) to "
                      "each, so that the noise is that of one group, however many a "
                      "person is in.",
              .example = "epsilon=1 delta=1e-6 grid=1/4 max-groups=4 whole=yes "
                         "neighbours=add-remove",
              .example_input = "40.5\n3\n900\n",
              .reference = "Canonne, Kamath, Steinke: The Discrete Gaussian for "
                           "Differential Privacy, 2020, on weighted keys"},
    SC_MECHANISM_PARAMETERS,
    .answers_numbers = true,
    .check = check,
    .discard = sc_noisy_threshold_discard,
    .cost = cost,
    .certify = certify,
    SC_NOISY_THRESHOLD_MEMBERS,
    .change = change,
};
