/* The kinds of distribution, one after the other, and the list of them. */
#include "sampling/bounded_laplace.h"
#include "sampling/distribution.h"

#define SCALE                                                                            \
    {                                                                                    \
        .name = "scale", .kind = SC_PARAMETER_RATIONAL, .above = "0",                    \
        .limit_low = "2^-60", .limit_high = "2^60",                                      \
        .domain = "a rational above 0, from 8.7e-19 to 1.1e18"                           \
    }
#define BOUND(parameter)                                                                 \
    {                                                                                    \
        .name = (parameter), .kind = SC_PARAMETER_INTEGER, .at_least = "1",              \
        .limit_high = "2^60", .domain = "an integer from 1 to 1.1e18"                    \
    }
#define COUNT(list) (sizeof(list) / sizeof *(list))

static const sc_ratio *shape_of(const scrim_distribution *d)
{
    return &d->law.shape;
}

/* Uniform. */

static const sc_parameter_rule uniform_parameters[] = {
    {.name = "n",
     .kind = SC_PARAMETER_INTEGER,
     .at_least = "1",
     .limit_high = "2^120",
     .domain = "an integer from 1 to 1.3e36"},
};

static scrim_status uniform_prepare(scrim_distribution *d, scrim_error *error)
{
    (void)error;
    d->is_narrow = d->law.bound - 1 <= INT64_MAX;
    return SCRIM_OK;
}

static void nothing_to_discard(scrim_distribution *d)
{
    (void)d;
}

static scrim_status uniform_reference(const scrim_distribution *d, sc_bits *bits,
                                      sc_int128 *out, scrim_error *error)
{
    sc_uint128 value = 0;
    SC_TRY(sc_uniform_128(bits, (sc_uint128)d->law.bound, &value, error));
    *out = (sc_int128)value;
    return SCRIM_OK;
}

static scrim_status uniform_fast(const scrim_distribution *d, sc_bits *bits,
                                 sc_int128 *out, scrim_error *error)
{
    uint64_t value = 0;
    if (d->law.bound > (sc_int128)UINT64_MAX)
        return uniform_reference(d, bits, out, error);
    SC_TRY(sc_uniform_fast(bits, (uint64_t)d->law.bound, &value, error));
    *out = value;
    return SCRIM_OK;
}

/* Coins. */

static const sc_parameter_rule bernoulli_parameters[] = {
    {.name = "p",
     .kind = SC_PARAMETER_RATIONAL,
     .at_least = "0",
     .at_most = "1",
     .domain = "a rational from 0 to 1"},
};

static scrim_status bernoulli_prepare(scrim_distribution *d, scrim_error *error)
{
    (void)error;
    sc_coin_init(&d->fast.coin, shape_of(d));
    return SCRIM_OK;
}

static void bernoulli_discard(scrim_distribution *d)
{
    sc_coin_clear(&d->fast.coin);
}

static scrim_status bernoulli_fast(const scrim_distribution *d, sc_bits *bits,
                                   sc_int128 *out, scrim_error *error)
{
    bool side = false;
    SC_TRY(sc_coin_toss(bits, &d->fast.coin, &side, error));
    *out = side;
    return SCRIM_OK;
}

static scrim_status bernoulli_reference(const scrim_distribution *d, sc_bits *bits,
                                        sc_int128 *out, scrim_error *error)
{
    bool side = false;
    scrim_status status =
        sc_bernoulli_integer(bits, &d->parts.n, &d->parts.d, &side, error);
    if (status == SCRIM_OK)
        *out = side;
    return status;
}

static const sc_parameter_rule bernoulli_exp_parameters[] = {
    {.name = "x",
     .kind = SC_PARAMETER_RATIONAL,
     .at_least = "0",
     .limit_high = "2^60",
     .domain = "a rational from 0 to 1.1e18"},
};

static scrim_status bernoulli_exp_prepare(scrim_distribution *d, scrim_error *error)
{
    return sc_exp_coin_init(&d->fast.exp_coin, shape_of(d), error);
}

static void bernoulli_exp_discard(scrim_distribution *d)
{
    sc_exp_coin_clear(&d->fast.exp_coin);
}

static scrim_status bernoulli_exp_fast(const scrim_distribution *d, sc_bits *bits,
                                       sc_int128 *out, scrim_error *error)
{
    bool side = false;
    SC_TRY(sc_exp_coin_toss(bits, &d->fast.exp_coin, &side, error));
    *out = side;
    return SCRIM_OK;
}

static scrim_status bernoulli_exp_reference(const scrim_distribution *d, sc_bits *bits,
                                            sc_int128 *out, scrim_error *error)
{
    bool side = false;
    scrim_status status =
        sc_bernoulli_exp_integer(bits, &d->parts.n, &d->parts.d, &side, error);
    if (status == SCRIM_OK)
        *out = side;
    return status;
}

/* Noise: all on the fast implementation of blocks.h. */

/* 1/x times 1/divisor. */
static void reciprocal(const sc_ratio *x, int64_t divisor, sc_ratio *out)
{
    SC_OWN(sc_ratio, divided);
    sc_ratio_set_int64(&divided, divisor);
    sc_ratio_mul(&divided, &divided, x);
    sc_ratio_set_int64(out, 1);
    sc_ratio_div(out, out, &divided);
}

static scrim_status prepare_blocks(scrim_distribution *d, const sc_blocks_law *law,
                                   const sc_ratio *rate, scrim_error *error)
{
    SC_TRY(sc_blocks_init(&d->fast.blocks, law, rate, error));
    d->is_narrow = d->fast.blocks.is_narrow;
    return SCRIM_OK;
}

/* The rate of a law with a scale is 1/scale. */
static scrim_status prepare_scale(scrim_distribution *d, sc_blocks_law law,
                                  scrim_error *error)
{
    SC_OWN(sc_ratio, rate);
    reciprocal(shape_of(d), law.is_square ? 2 : 1, &rate);
    return prepare_blocks(d, &law, &rate, error);
}

static void blocks_discard(scrim_distribution *d)
{
    sc_blocks_clear(&d->fast.blocks);
}

static scrim_status blocks_fast(const scrim_distribution *d, sc_bits *bits,
                                sc_int128 *out, scrim_error *error)
{
    return sc_blocks_fill_wide(bits, &d->fast.blocks, 1, out, error);
}

static scrim_status blocks_fill(const scrim_distribution *d, sc_bits *bits, size_t count,
                                int64_t *out, scrim_error *error)
{
    return sc_blocks_fill(bits, &d->fast.blocks, count, out, error);
}

static const sc_parameter_rule scale_parameters[] = {SCALE};
static const sc_parameter_rule scale_bound_parameters[] = {SCALE, BOUND("bound")};

static scrim_status geometric_prepare(scrim_distribution *d, scrim_error *error)
{
    return prepare_scale(d, (sc_blocks_law){.sides = SC_SIDES_ONE}, error);
}

static scrim_status geometric_reference(const scrim_distribution *d, sc_bits *bits,
                                        sc_int128 *out, scrim_error *error)
{
    return sc_geometric_reference(bits, &d->parts, out, error);
}

static scrim_status laplace_prepare(scrim_distribution *d, scrim_error *error)
{
    return prepare_scale(d, (sc_blocks_law){.sides = SC_SIDES_BOTH}, error);
}

static scrim_status laplace_reference(const scrim_distribution *d, sc_bits *bits,
                                      sc_int128 *out, scrim_error *error)
{
    return sc_discrete_laplace_reference(bits, &d->parts, out, error);
}

static scrim_status laplace_reference_fill(const scrim_distribution *d, sc_bits *bits,
                                           size_t count, sc_int128 *out,
                                           scrim_error *error)
{
    return sc_discrete_laplace_reference_fill(bits, &d->parts, count, out, error);
}

static const sc_parameter_rule gaussian_parameters[] = {
    SC_RULE_POSITIVE("variance", "2^-120", "2^120",
                     "a rational above 0, from 7.6e-37 to 1.3e36"),
};

static scrim_status gaussian_prepare(scrim_distribution *d, scrim_error *error)
{
    scrim_status status = prepare_scale(
        d, (sc_blocks_law){.sides = SC_SIDES_BOTH, .is_square = true}, error);
    if (status == SCRIM_OK)
        sc_gaussian_init(&d->gaussian, shape_of(d));
    return status;
}

static void gaussian_discard(scrim_distribution *d)
{
    sc_blocks_clear(&d->fast.blocks);
    sc_gaussian_clear(&d->gaussian);
}

static scrim_status gaussian_reference(const scrim_distribution *d, sc_bits *bits,
                                       sc_int128 *out, scrim_error *error)
{
    return sc_discrete_gaussian_reference(bits, &d->gaussian, out, error);
}

static scrim_status gaussian_reference_fill(const scrim_distribution *d, sc_bits *bits,
                                            size_t count, sc_int128 *out,
                                            scrim_error *error)
{
    return sc_discrete_gaussian_reference_fill(bits, &d->gaussian, count, out, error);
}

static scrim_status truncated_prepare(scrim_distribution *d, scrim_error *error)
{
    return prepare_scale(d,
                         (sc_blocks_law){.sides = SC_SIDES_BOTH,
                                         .is_bounded = true,
                                         .bound = (uint64_t)d->law.bound},
                         error);
}

static scrim_status truncated_reference(const scrim_distribution *d, sc_bits *bits,
                                        sc_int128 *out, scrim_error *error)
{
    return sc_truncated_laplace_reference(bits, &d->parts, d->law.bound, out, error);
}

/* The clamp makes every draw narrow, whatever the scale. */
static scrim_status clamped_prepare(scrim_distribution *d, scrim_error *error)
{
    scrim_status status = laplace_prepare(d, error);
    d->is_narrow = true;
    return status;
}

static scrim_status clamped_fast(const scrim_distribution *d, sc_bits *bits,
                                 sc_int128 *out, scrim_error *error)
{
    SC_TRY(blocks_fast(d, bits, out, error));
    *out = sc_clamp(*out, d->law.bound);
    return SCRIM_OK;
}

static scrim_status clamped_fill(const scrim_distribution *d, sc_bits *bits, size_t count,
                                 int64_t *out, scrim_error *error)
{
    sc_int128 value = 0;
    scrim_status status = SCRIM_OK;
    if (d->fast.blocks.is_narrow)
        status = blocks_fill(d, bits, count, out, error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++) {
        if (d->fast.blocks.is_narrow)
            value = out[i];
        else
            status = blocks_fast(d, bits, &value, error);
        out[i] = (int64_t)sc_clamp(value, d->law.bound);
    }
    return status;
}

static scrim_status clamped_reference(const scrim_distribution *d, sc_bits *bits,
                                      sc_int128 *out, scrim_error *error)
{
    return sc_clamped_laplace_reference(bits, &d->parts, d->law.bound, out, error);
}

static const sc_parameter_rule shifted_parameters[] = {
    SC_RULE_POSITIVE("epsilon", "2^-60", "2^60",
                     "a rational above 0, from 8.7e-19 to 1.1e18"),
    BOUND("q"),
};

/* Distances from the centre -q/2; for odd q it lies between two integers. */
static scrim_status shifted_prepare(scrim_distribution *d, scrim_error *error)
{
    sc_blocks_law law = {.sides = d->law.bound % 2 == 0 ? SC_SIDES_BOTH : SC_SIDES_TWICE,
                         .is_bounded = true,
                         .bound = (uint64_t)d->law.bound / 2};
    return prepare_blocks(d, &law, shape_of(d), error);
}

static scrim_status shifted_fast(const scrim_distribution *d, sc_bits *bits,
                                 sc_int128 *out, scrim_error *error)
{
    SC_TRY(blocks_fast(d, bits, out, error));
    *out -= d->law.bound / 2;
    return SCRIM_OK;
}

static scrim_status shifted_fill(const scrim_distribution *d, sc_bits *bits, size_t count,
                                 int64_t *out, scrim_error *error)
{
    scrim_status status = blocks_fill(d, bits, count, out, error);
    for (size_t i = 0; status == SCRIM_OK && i < count; i++)
        out[i] -= (int64_t)(d->law.bound / 2);
    return status;
}

static scrim_status shifted_reference(const scrim_distribution *d, sc_bits *bits,
                                      sc_int128 *out, scrim_error *error)
{
    return sc_shifted_laplace_reference(bits, &d->parts, d->law.bound, out, error);
}

/* The list. */

#define KIND(text_name, text_parameters, text_law, text_domain, list, what_it_is,        \
             text_example)                                                               \
    .entry = {.name = (text_name),                                                       \
              .parameters = (text_parameters),                                           \
              .law = (text_law),                                                         \
              .domain = (text_domain),                                                   \
              .does = (what_it_is),                                                      \
              .example = (text_example)},                                                \
    .parameters = (list), .parameter_count = COUNT(list)

static const sc_distribution_kind kinds[] = {
    {KIND("uniform", "n=N", "P(k) = 1/n, 0 <= k < n", "n from 1 to 1.3e36",
          uniform_parameters, "Every integer from 0 to n-1 is equally likely.", "n=6"),
     .law = &sc_uniform_law, .bound = "n", .prepare = uniform_prepare,
     .discard = nothing_to_discard, .fast = uniform_fast, .reference = uniform_reference},
    {KIND("bernoulli", "p=R", "P(1) = p, P(0) = 1-p", "p from 0 to 1",
          bernoulli_parameters, "A coin that shows 1 with an exact rational probability.",
          "p=1/3"),
     .law = &sc_bernoulli_law, .shape = "p", .prepare = bernoulli_prepare,
     .discard = bernoulli_discard, .fast = bernoulli_fast,
     .reference = bernoulli_reference},
    {KIND("bernoulli-exp", "x=R", "P(1) = exp(-x), P(0) = 1-exp(-x)",
          "x from 0 to 1.1e18", bernoulli_exp_parameters,
          "A coin that shows 1 with probability exp(-x), by comparisons of integers "
          "alone. The other distributions are built from it.",
          "x=1/2"),
     .law = &sc_bernoulli_exp_law, .shape = "x", .prepare = bernoulli_exp_prepare,
     .discard = bernoulli_exp_discard, .fast = bernoulli_exp_fast,
     .reference = bernoulli_exp_reference},
    {KIND("geometric", "scale=R", "P(k) ~ exp(-k/scale), k >= 0",
          "scale from 8.7e-19 to 1.1e18", scale_parameters,
          "One-sided geometric noise on the integers from 0 on. The mechanism that "
          "papers call geometric has noise on both sides: discrete-laplace.",
          "scale=10"),
     .law = &sc_geometric_law, .shape = "scale", .prepare = geometric_prepare,
     .discard = blocks_discard, .fast = blocks_fast, .reference = geometric_reference,
     .fill = blocks_fill},
    {KIND("discrete-laplace", "scale=R", "P(k) ~ exp(-abs(k)/scale)",
          "scale from 8.7e-19 to 1.1e18", scale_parameters,
          "Two-sided geometric noise, symmetric about 0: the noise of the mechanism "
          "laplace. Added to an integer of sensitivity 1 it gives epsilon = 1/scale.",
          "scale=10"),
     .law = &sc_discrete_laplace_law, .shape = "scale", .prepare = laplace_prepare,
     .discard = blocks_discard, .fast = blocks_fast, .reference = laplace_reference,
     .reference_fill = laplace_reference_fill, .fill = blocks_fill},
    {KIND("discrete-gaussian", "variance=R", "P(k) ~ exp(-k^2/(2 variance))",
          "variance from 7.6e-37 to 1.3e36", gaussian_parameters,
          "Gaussian noise on the integers, symmetric about 0: the noise of the mechanism "
          "gaussian. Added to an integer of sensitivity 1 it gives rho = 1/(2 variance).",
          "variance=100"),
     .law = &sc_discrete_gaussian_law, .shape = "variance", .prepare = gaussian_prepare,
     .discard = gaussian_discard, .fast = blocks_fast, .reference = gaussian_reference,
     .reference_fill = gaussian_reference_fill, .fill = blocks_fill},
    {KIND("truncated-laplace", "scale=R bound=N",
          "P(k) ~ exp(-abs(k)/scale), -bound <= k <= bound",
          "scale from 8.7e-19 to 1.1e18, bound from 1 to 1.1e18", scale_bound_parameters,
          "Discrete Laplace noise restricted to -bound..bound, known as the truncated "
          "double geometric distribution (TDGeo). The noise of the mechanism "
          "truncated-laplace.",
          "scale=10 bound=100"),
     .law = &sc_truncated_laplace_law, .shape = "scale", .bound = "bound",
     .prepare = truncated_prepare, .discard = blocks_discard, .fast = blocks_fast,
     .reference = truncated_reference, .fill = blocks_fill},
    {KIND("clamped-laplace", "scale=R bound=N",
          "discrete-laplace clamped to -bound..bound",
          "scale from 8.7e-19 to 1.1e18, bound from 1 to 1.1e18", scale_bound_parameters,
          "Discrete Laplace noise moved to the nearest end if it is outside "
          "-bound..bound. Unlike truncated-laplace both ends have a probability of their "
          "own.",
          "scale=10 bound=100"),
     .law = &sc_clamped_laplace_law, .shape = "scale", .bound = "bound",
     .prepare = clamped_prepare, .discard = blocks_discard, .fast = clamped_fast,
     .reference = clamped_reference, .fill = clamped_fill},
    {KIND("shifted-laplace", "epsilon=R q=N",
          "P(k) ~ exp(-epsilon abs(k + q/2)), -q <= k <= 0",
          "epsilon from 8.7e-19 to 1.1e18, q from 1 to 1.1e18", shifted_parameters,
          "Noise from -q to 0 that never raises a count: the noise of the mechanism "
          "stlap.",
          "epsilon=1/10 q=219"),
     .law = &sc_shifted_laplace_law, .shape = "epsilon", .shape_is_rate = true,
     .bound = "q", .prepare = shifted_prepare, .discard = blocks_discard,
     .fast = shifted_fast, .reference = shifted_reference, .fill = shifted_fill},
};

const sc_distribution_kind *sc_distribution_kind_at(size_t index)
{
    return index < COUNT(kinds) ? &kinds[index] : NULL;
}
