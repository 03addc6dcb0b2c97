#include "mechanism/linear/linear_noise.h"

#include "mechanism/noise/gaussian_calibration.h"
#include "mechanism/noise/laplace.h"
#include "model/outcomes.h"

bool sc_linear_is_gaussian(const scrim_measurement *m)
{
    return sc_measurement_get(m, "delta") != NULL || sc_measurement_get(m, "rho") != NULL;
}

/* The noise. The move is measured once, before: it is what the state has as its steps. */

static scrim_status set_laplace(scrim_measurement *m, sc_additive *s, sc_ratio *scale,
                                scrim_error *error)
{
    sc_ratio_set(&s->epsilon, sc_measurement_get(m, "epsilon"));
    sc_ratio_div(scale, &s->steps, &s->epsilon);
    return sc_laplace_scale_check(m, scale, error);
}

/* square / (2 rho), or as much as epsilon and delta need at a distance of 1, times the square. */
static scrim_status set_gaussian(scrim_measurement *m, sc_additive *s, sc_ratio *variance,
                                 scrim_error *error)
{
    const sc_ratio *rho = sc_measurement_get(m, "rho");
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ratio, one);
    sc_ratio_set_int64(&one, 1);
    if (rho != NULL) {
        sc_ratio_add(variance, rho, rho);
        sc_ratio_div(variance, &one, variance);
    } else {
        status = sc_gaussian_variance_concentrated(sc_measurement_get(m, "epsilon"),
                                                   sc_measurement_get(m, "delta"), &one,
                                                   variance, error);
    }
    sc_ratio_mul(variance, variance, &s->steps);
    if (status == SCRIM_OK && !sc_additive_fits(variance, 120))
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "%s: the variance in steps is beyond 7.6e-37 to 1.3e36; choose "
                         "another cost",
                         m->mechanism->entry.name);
    return status;
}

static scrim_status check_parameters(const scrim_measurement *m, scrim_error *error)
{
    static const char *const either[] = {"epsilon", "rho", NULL};
    if (sc_measurement_get(m, "delta") != NULL &&
        sc_measurement_get(m, "epsilon") == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_CONFLICT, "delta",
                           "%s: delta needs epsilon", m->mechanism->entry.name);
    return sc_measurement_one_of(m, either, error);
}

/* The moves of Gaussian noise, where they can be listed. */
static scrim_status list_moves(const scrim_measurement *m, uint64_t sums,
                               scrim_error *error)
{
    sc_additive *s = m->state;
    if (s->shift < 2 || s->shift > SC_VECTOR_LOSS_SQUARE)
        return SCRIM_OK;
    return sc_vector_loss_new(&s->law.shape, s->shift, sums, &s->vector, error);
}

scrim_status sc_linear_check(scrim_measurement *m, const sc_linear_move *move,
                             uint64_t values, uint64_t sums, scrim_error *error)
{
    static const sc_noise_kind laplace = {.law = &sc_discrete_laplace_law,
                                          .blocks = {.sides = SC_SIDES_BOTH},
                                          .scale = set_laplace};
    static const sc_noise_kind gaussian = {
        .law = &sc_discrete_gaussian_law,
        .blocks = {.sides = SC_SIDES_BOTH, .is_square = true},
        .scale = set_gaussian};
    const bool is_gaussian = sc_linear_is_gaussian(m);
    scrim_status status = check_parameters(m, error);
    if (status == SCRIM_OK)
        status = sc_additive_check_move(m, is_gaussian ? &gaussian : &laplace,
                                        is_gaussian ? &move->square : &move->sum, error);
    m->domain.count_min = m->domain.count_max = (size_t)values;
    m->domain.is_whole = true;
    if (status == SCRIM_OK && is_gaussian)
        status = list_moves(m, sums, error);
    return status;
}

static void gaussian_cost(const scrim_measurement *m, sc_exact_cost *out)
{
    const sc_additive *s = sc_additive_of(m);
    SC_OWN(sc_ratio, rho);
    sc_ratio_add(&rho, &s->law.shape, &s->law.shape);
    sc_ratio_div(&rho, &s->steps, &rho);
    if (sc_measurement_get(m, "epsilon") != NULL)
        sc_cost_set_approximate(out, sc_measurement_get(m, "epsilon"),
                                sc_measurement_get(m, "delta"));
    out->has_rho = true;
    sc_cost_round_up(&rho, &out->rho);
    if (s->vector != NULL)
        sc_curve_set_vector(&out->curve, s->vector, &rho);
    else if (s->shift == 1 && sc_additive_is_whole(s))
        sc_curve_set_gaussian(&out->curve, &s->law.shape, 1);
    else
        sc_curve_set_concentrated(&out->curve, &rho);
}

scrim_status sc_linear_cost(const scrim_measurement *m, sc_exact_cost *out,
                            scrim_error *error)
{
    const sc_additive *s = sc_additive_of(m);
    (void)error;
    if (sc_linear_is_gaussian(m))
        gaussian_cost(m, out);
    else
        sc_laplace_cost(s, &s->epsilon, out);
    return SCRIM_OK;
}

/* A count: what is no whole number counts as 0. */
int64_t sc_linear_place(const scrim_measurement *m, size_t index, const sc_ratio *value)
{
    sc_int128 wide = 0;
    (void)index;
    if (value == NULL || !sc_ratio_is_integer(value))
        return 0;
    SC_OWN(sc_integer, whole);
    sc_ratio_numerator(value, &whole);
    if (!sc_integer_get_int128(&whole, &wide))
        wide = sc_ratio_sign(value) < 0 ? INT64_MIN : INT64_MAX;
    return sc_grid_clamp(&m->domain.grid, wide);
}

/* One noisy sum between two ends. */

typedef struct ends {
    const sc_law *noise;
    int64_t low, high;
} ends;

static scrim_status list_sum(const void *context, int64_t sum, long bits,
                             sc_outcomes *out, scrim_error *error)
{
    const ends *e = context;
    scrim_status status = SCRIM_OK;
    SC_OWN(sc_ball, mass);
    for (int64_t k = e->low; status == SCRIM_OK && k <= e->high; k++) {
        if (k == e->low)
            sc_law_at_most(e->noise, (sc_int128)k - sum, bits, &mass);
        else if (k == e->high)
            sc_law_at_least(e->noise, (sc_int128)k - sum, bits, &mass);
        else
            sc_law_pmf(e->noise, (sc_int128)k - sum, bits, &mass);
        status = sc_outcomes_add(out, &k, &mass, error);
    }
    return status;
}

scrim_status sc_linear_list(const scrim_measurement *m, const sc_private_input *sums,
                            int64_t low, int64_t high, long bits, sc_outcomes *out,
                            scrim_error *error)
{
    if (sc_linear_is_gaussian(m))
        return sc_additive_law(m, sums, bits, out, error);
    const ends context = {.noise = &sc_additive_of(m)->law, .low = low, .high = high};
    return sc_outcomes_of_each(&(sc_outcomes_each){.values = sums->values,
                                                   .count = sums->count,
                                                   .list = list_sum,
                                                   .context = &context},
                               bits, out, error);
}
