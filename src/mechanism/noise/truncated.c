#include "mechanism/noise/truncated.h"

#include "base/memory.h"
#include "mechanism/noise/additive.h"
#include "mechanism/noise/laplace.h"
#include "model/certificate.h"
#include "model/neighbours.h"

#define BITS 256
#define BOUND_MAX ((sc_int128)1 << 60)

static const sc_parameter parameters[] = {
    SC_PARAMETER_SENSITIVITY,
    SC_PARAMETER_EPSILON,
    SC_PARAMETER_SCALE,
    {.name = "bound",
     .kind = SC_PARAMETER_INTEGER,
     .optional = true,
     .at_least = "1",
     .limit_high = "2^60",
     .domain = "a number of steps, an integer from 1 to 2^60"},
    SC_PARAMETER_DELTA,
    SC_PARAMETER_GRID,
    SC_PARAMETER_LOWER,
    SC_PARAMETER_UPPER,
    SC_PARAMETER_SIZE,
    SC_PARAMETER_WHOLE,
    SC_PARAMETER_NEIGHBOURS,
};

typedef struct truncated {
    sc_ratio steps;   /* the sensitivity, in steps */
    sc_ratio epsilon; /* steps / scale */
    uint64_t shift;   /* the same as steps */
    sc_law law;       /* its shape is the scale, in steps */
    sc_blocks blocks;
    bool is_ready;
} truncated;

static const truncated *state_of(const scrim_measurement *m)
{
    return m->state;
}

/* The mass of the shift outermost points of one side. */
static void outermost(const sc_law *law, uint64_t shift, sc_ball *out)
{
    sc_law_at_least(law, law->bound - (sc_int128)shift + 1, BITS, out);
}

static bool has_delta(truncated *s, sc_int128 bound, const sc_ball *delta)
{
    sc_ball mass;
    sc_ball_init(&mass);
    s->law.bound = bound;
    outermost(&s->law, s->shift, &mass);
    bool result = sc_ball_is_less_equal(&mass, delta);
    sc_ball_clear(&mass);
    return result;
}

/* The smallest bound whose mass is at most delta; the mass falls as the bound grows. */
static scrim_status find_bound(truncated *s, const sc_ratio *delta, scrim_error *error)
{
    sc_ball target;
    sc_int128 low = (sc_int128)s->shift - 1, high = (sc_int128)s->shift;
    scrim_status status = SCRIM_OK;
    sc_ball_init(&target);
    sc_ball_set_ratio(&target, delta, BITS);
    while (high <= BOUND_MAX && !has_delta(s, high, &target)) {
        low = high;
        high *= 2;
    }
    if (high > BOUND_MAX)
        high = BOUND_MAX;
    if (!has_delta(s, high, &target))
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "truncated-laplace: that delta needs a bound above 2^60 steps; "
                         "choose a coarser grid");
    while (status == SCRIM_OK && high - low > 1) {
        sc_int128 middle = low + (high - low) / 2;
        if (has_delta(s, middle, &target))
            high = middle;
        else
            low = middle;
    }
    s->law.bound = high;
    sc_ball_clear(&target);
    return status;
}

static scrim_status set_bound(const scrim_measurement *m, truncated *s,
                              scrim_error *error)
{
    const sc_ratio *delta = sc_measurement_get(m, "delta");
    s->shift = sc_additive_shift(&s->steps);
    if (sc_ratio_compare_int64(&s->steps, (int64_t)s->shift) != 0 ||
        (sc_int128)s->shift > BOUND_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "truncated-laplace: the sensitivity is above 2^60 steps; choose a "
                       "coarser grid");
    if (delta != NULL)
        return find_bound(s, delta, error);
    s->law.bound = sc_measurement_integer(m, "bound", 0);
    if (s->law.bound < (sc_int128)s->shift)
        return sc_fail(error, SCRIM_E_PARAM,
                       "truncated-laplace: bound is at least the sensitivity, which is "
                       "%llu steps",
                       (unsigned long long)s->shift);
    return SCRIM_OK;
}

static scrim_status prepare(truncated *s, scrim_error *error)
{
    scrim_status status = sc_blocks_init_shape(
        &s->blocks,
        &(sc_blocks_law){
            .sides = SC_SIDES_BOTH, .is_bounded = true, .bound = (uint64_t)s->law.bound},
        &s->law.shape, error);
    s->is_ready = status == SCRIM_OK;
    return status;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    static const char *const noise[] = {"epsilon", "scale", NULL};
    static const char *const end[] = {"bound", "delta", NULL};
    scrim_status status = sc_measurement_one_of(m, noise, error);
    if (status == SCRIM_OK)
        status = sc_measurement_one_of(m, end, error);
    if (status == SCRIM_OK)
        status = sc_additive_domain(m, error);
    if (status != SCRIM_OK)
        return status;
    truncated *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for a measurement");
    m->state = s;
    sc_ratio scale;
    sc_ratio_init(&scale);
    sc_ratio_init(&s->steps);
    sc_ratio_init(&s->epsilon);
    status = sc_laplace_scale(m, &s->steps, &s->epsilon, &scale, error);
    sc_law_init(&s->law, &sc_truncated_laplace_law, &scale, 1);
    if (status == SCRIM_OK)
        status = set_bound(m, s, error);
    if (status == SCRIM_OK)
        status = prepare(s, error);
    sc_ratio_clear(&scale);
    return status;
}

static void discard(scrim_measurement *m)
{
    truncated *s = m->state;
    if (s == NULL)
        return;
    if (s->is_ready)
        sc_blocks_clear(&s->blocks);
    sc_law_clear(&s->law);
    sc_ratio_clear(&s->epsilon);
    sc_ratio_clear(&s->steps);
    sc_free(s);
}

/* floor((shift - epsilon scale) / 2), which is 0 or more below shift / scale; else -1. */
static sc_int128 last_above(const sc_law *law, uint64_t shift, const sc_ratio *epsilon)
{
    sc_ratio edge, two;
    sc_integer whole;
    sc_int128 x = 0;
    sc_ratio_init(&edge);
    sc_ratio_init(&two);
    sc_integer_init(&whole);
    sc_ratio_set_int128(&two, (sc_int128)shift);
    sc_ratio_mul(&edge, epsilon, &law->shape);
    sc_ratio_sub(&edge, &two, &edge);
    sc_ratio_set_int64(&two, 2);
    sc_ratio_div(&edge, &edge, &two);
    sc_ratio_floor(&edge, &whole);
    const bool is_above = sc_ratio_sign(&edge) > 0;
    (void)sc_integer_get_int128(&whole, &x);
    sc_integer_clear(&whole);
    sc_ratio_clear(&two);
    sc_ratio_clear(&edge);
    return is_above ? x : -1;
}

/* Against a shift by D the loss falls with x: infinite up to D - bound - 1, D / scale up to 0,
 * then less. So delta is P(X <= x) - exp(epsilon) P(X <= x - D) at the last x whose loss is above
 * epsilon. P(X <= x - D) falls as D grows, so that no smaller one has more. */
void sc_truncated_delta(const sc_law *law, uint64_t shift, const sc_ratio *epsilon,
                        long bits, sc_ball *out)
{
    const sc_int128 by = (sc_int128)shift, x = last_above(law, shift, epsilon);
    sc_ball part;
    if (x < 0) {
        sc_law_at_least(law, law->bound - by + 1, bits, out);
        return;
    }
    sc_ball_init(&part);
    sc_law_at_most(law, x - by, bits, &part);
    sc_ball_set_ratio(out, epsilon, bits);
    sc_ball_exp(out, out, bits);
    sc_ball_mul(&part, &part, out, bits);
    sc_law_at_most(law, x, bits, out);
    sc_ball_sub(out, out, &part, bits);
    sc_ball_clear(&part);
}

static void curve_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                        sc_ball *out)
{
    const truncated *s = curve->context;
    sc_truncated_delta(&s->law, s->shift, epsilon, bits, out);
}

static const sc_curve_functions curve_functions = {.name = "truncated-laplace",
                                                   .delta = curve_delta};

static scrim_status cost(const scrim_measurement *m, sc_cost *out, scrim_error *error)
{
    const truncated *s = state_of(m);
    const sc_ratio *given = sc_measurement_get(m, "delta");
    sc_ball mass;
    sc_ratio delta;
    scrim_status status = SCRIM_OK;
    sc_ball_init(&mass);
    sc_ratio_init(&delta);
    outermost(&s->law, s->shift, &mass);
    if (given != NULL)
        sc_ratio_set(&delta, given);
    else if (!sc_cost_round_up_ball(&mass, &delta))
        status = sc_fail(error, SCRIM_E_INTERNAL, "a mass that is not finite");
    sc_cost_set_approximate(out, &s->epsilon, &delta);
    if (m->domain.count_max == 1) {
        out->curve.functions = &curve_functions;
        out->curve.context = s;
    }
    sc_ratio_clear(&delta);
    sc_ball_clear(&mass);
    return status;
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, scrim_certificate *out, scrim_error *error)
{
    sc_ratio radius, never;
    (void)beta;
    (void)count;
    (void)error;
    sc_ratio_init(&radius);
    sc_ratio_init(&never);
    sc_additive_radius(m, state_of(m)->law.bound, &radius);
    sc_certificate_interval(out, &radius, &never,
                            "rounding to the grid and clamping of the input");
    sc_ratio_clear(&never);
    sc_ratio_clear(&radius);
    return SCRIM_OK;
}

static const sc_law *noise(const scrim_measurement *m)
{
    return &state_of(m)->law;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits, const sc_input *input,
                         sc_draw *out, scrim_error *error)
{
    return sc_additive_draw(m, &state_of(m)->blocks, bits, input, out, error);
}

static scrim_status law(const scrim_measurement *m, const sc_input *input, long bits,
                        sc_outcomes *out, scrim_error *error)
{
    return sc_additive_law(m, &state_of(m)->law, sc_measurement_get(m, "lower") != NULL,
                           input, bits, out, error);
}

static size_t pair_count(const scrim_measurement *m)
{
    return sc_additive_pair_count(m, state_of(m)->shift);
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    sc_additive_pair(m, state_of(m)->shift, index, out);
}

const sc_mechanism sc_truncated_laplace = {
    .entry = {.name = "truncated-laplace",
              .parameters = "sensitivity=R epsilon=R|scale=R bound=N|delta=R [grid=R "
                            "lower=R upper=R size=N whole=yes]",
              .input = "numbers",
              .claim = "(epsilon, delta)-DP, within bound always",
              .reference = "Geng, Ding, Guo, Kumar 2020"},
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof *parameters,
    .takes_wide = true,
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .answer_count = sc_additive_count,
    .draw = draw,
    .noise = noise,
    .width = sc_additive_count,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
    .change = sc_additive_change_sum,
};
