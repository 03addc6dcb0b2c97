#include "mechanism/noise/robust.h"

#include "base/memory.h"
#include "mechanism/noise/gaussian.h"
#include "mechanism/noise/laplace.h"
#include "model/at_once.h"
#include "model/certificate.h"
#include "model/outcomes.h"

#include <string.h>

static const sc_parameter_rule parameters[] = {
    SC_RULE_POSITIVE("rho", "2^-60", "2^60",
                     "a rational above 0, from 8.7e-19 to 1.1e18"),
    SC_RULE_POSITIVE("epsilon", "2^-60", "1000",
                     "a rational above 0, from 8.7e-19 to 1000"),
    {.name = "theta",
     .kind = SC_PARAMETER_RATIONAL,
     .optional = true,
     .at_least = "0",
     .below = "1",
     .domain = "a rational of at least 0 and below 1"},
};

typedef struct robust {
    sc_law law; /* of the noise, in steps */
    sc_blocks blocks;
    bool is_ready;
} robust;

static const robust *state_of(const scrim_measurement *m)
{
    return m->state;
}

/* Making one. */

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    if (m->then == NULL)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "of",
                           "robust: name the mechanism to wrap, as in 'robust rho=1 "
                           "epsilon=1 of laplace sensitivity=1 epsilon=1'");
    robust *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_no_memory(error, "a measurement");
    m->state = s;
    m->domain = m->then->domain;
    SC_OWN(sc_integer, steps);
    SC_OWN(sc_ratio, scale);
    sc_grid_sensitivity_upper(&m->domain.grid, sc_measurement_get(m, "rho"), &steps);
    sc_ratio_set_integer(&scale, &steps);
    sc_ratio_div(&scale, &scale, sc_measurement_get(m, "epsilon"));
    sc_law_init(&s->law, &sc_discrete_laplace_law, &scale, 0);
    scrim_status status = sc_laplace_scale_check(m, &scale, error);
    if (status == SCRIM_OK)
        status = sc_blocks_init_shape(
            &s->blocks, &(sc_blocks_law){.sides = SC_SIDES_BOTH}, &scale, error);
    s->is_ready = status == SCRIM_OK;
    return status;
}

static void discard(scrim_measurement *m)
{
    robust *s = m->state;
    if (s == NULL)
        return;
    if (s->is_ready)
        sc_blocks_clear(&s->blocks);
    sc_law_clear(&s->law);
    sc_free(s);
}

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    (void)error;
    sc_cost_set(out, &m->then->cost);
    out->curve.is_attained = false;
    return SCRIM_OK;
}

/* Accuracy. */

/* out = radius + k steps, P(|Z| > k) <= beta. */
static scrim_status add_noise(const scrim_measurement *m, const sc_ratio *radius,
                              const sc_ratio *beta, sc_ratio *out, scrim_error *error)
{
    sc_int128 k = 0;
    const scrim_status status = sc_law_radius(&state_of(m)->law, beta, &k, error);
    SC_OWN(sc_ratio, step, more);
    sc_grid_step(&m->domain.grid, &step);
    sc_ratio_set_int128(&more, k);
    sc_ratio_mul(&more, &more, &step);
    sc_ratio_add(out, radius, &more);
    return status;
}

/* Noise A of the mechanism itself and W of this one are both symmetric, and W falls off on both sides. So P(|a + W| > k)
 * grows with |a|, and the mass of A in a cell may be put at its far end. */

#define CELLS 128
#define SUM_BITS 128

/* The masses of |A| in cells, the far ends, and the mass beyond all of them. */
typedef struct cells {
    sc_ball mass[CELLS];
    sc_int128 end[CELLS];
    size_t count;
    sc_ball beyond;
} cells;

static void cells_clear(cells *c)
{
    for (size_t i = 0; i < c->count; i++)
        sc_ball_clear(&c->mass[i]);
    sc_ball_clear(&c->beyond);
}

/* All but a 1024th of beta is in the cells. */
static scrim_status cells_fill(const sc_law *law, const sc_ratio *beta, cells *c,
                               scrim_error *error)
{
    SC_OWN(sc_ratio, part);
    sc_int128 most = 0;
    sc_ratio_set_int64(&part, 1024);
    sc_ratio_div(&part, beta, &part);
    c->count = 0;
    sc_ball_init(&c->beyond);
    SC_TRY(sc_law_radius(law, &part, &most, error));
    sc_ball_set_ratio(&c->beyond, &part, SUM_BITS);
    const sc_int128 width = most / CELLS + 1;
    for (sc_int128 low = 0; low <= most; low += width) {
        const sc_int128 high = low + width - 1 < most ? low + width - 1 : most;
        sc_ball *mass = &c->mass[c->count];
        SC_OWN(sc_ball, negative);
        sc_ball_init(mass);
        sc_law_between(law, low, high, SUM_BITS, mass);
        if (low > 0 || high > 0)
            sc_law_between(law, -high, low > 0 ? -low : -1, SUM_BITS, &negative);
        sc_ball_add(mass, mass, &negative, SUM_BITS);
        c->end[c->count++] = high;
    }
    return SCRIM_OK;
}

/* P(|A + W| > k), from above. */
static void sum_beyond(const cells *c, const sc_law *noise, sc_int128 k, sc_ball *out)
{
    SC_OWN(sc_ball, near, far);
    sc_ball_set(out, &c->beyond);
    for (size_t i = 0; i < c->count; i++) {
        sc_law_at_least(noise, k + 1 - c->end[i], SUM_BITS, &near);
        sc_law_at_least(noise, k + 1 + c->end[i], SUM_BITS, &far);
        sc_ball_add(&near, &near, &far, SUM_BITS);
        sc_ball_mul(&near, &near, &c->mass[i], SUM_BITS);
        sc_ball_add(out, out, &near, SUM_BITS);
    }
}

/* The least k up to most, which is known to hold, with P(|A + W| > k) <= beta. */
static sc_int128 least_radius(const cells *c, const sc_law *noise, const sc_ratio *beta,
                              sc_int128 most)
{
    sc_int128 low = -1;
    SC_OWN(sc_ball, beyond, limit);
    sc_ball_set_ratio(&limit, beta, SUM_BITS);
    while (most - low > 1) {
        const sc_int128 middle = low + (most - low) / 2;
        sum_beyond(c, noise, middle, &beyond);
        if (sc_ball_is_less_equal(&beyond, &limit))
            most = middle;
        else
            low = middle;
    }
    return most;
}

/* The radius of both noises together; most is that of the two, each with half of beta. */
static scrim_status sum_radius(const scrim_measurement *m, const sc_ratio *beta,
                               sc_ratio *out, scrim_error *error)
{
    const sc_law *own = &sc_additive_of(m->then)->law, *noise = &state_of(m)->law;
    cells *c = sc_allocate(1, sizeof *c);
    if (c == NULL)
        return sc_no_memory(error, "a measurement");
    SC_OWN(sc_ratio, half, step);
    sc_int128 first = 0, second = 0;
    sc_ratio_set_int64(&half, 2);
    sc_ratio_div(&half, beta, &half);
    scrim_status status = cells_fill(own, beta, c, error);
    if (status == SCRIM_OK)
        status = sc_law_radius(own, &half, &first, error);
    if (status == SCRIM_OK)
        status = sc_law_radius(noise, &half, &second, error);
    if (status == SCRIM_OK)
        sc_ratio_set_int128(out, least_radius(c, noise, beta, first + second));
    sc_grid_step(&m->domain.grid, &step);
    sc_ratio_mul(out, out, &step);
    cells_clear(c);
    sc_free(c);
    return status;
}

/* Is the error of the mechanism symmetric noise, clamped at most? */
static bool is_additive(const scrim_measurement *then)
{
    return then->mechanism == &sc_laplace || then->mechanism == &sc_gaussian_noise;
}

static scrim_status certify_sum(const scrim_measurement *m, const sc_ratio *beta,
                                size_t answers, const char *excludes, sc_certificate *out,
                                scrim_error *error)
{
    SC_OWN(sc_ratio, radius, each);
    SC_TRY(sum_radius(m, beta, &radius, error));
    sc_certificate_interval(out, &radius, beta, excludes);
    if (answers <= 1)
        return SCRIM_OK;
    sc_at_once_each(beta, answers, &each);
    SC_TRY(sum_radius(m, &each, &radius, error));
    sc_certificate_add_radius_all(out, &radius);
    return SCRIM_OK;
}

/* The inner one, and the failures of the noise. */
typedef struct both {
    sc_certificate inner;
    bool is_sure; /* the inner one has no failures */
    const sc_ratio *noise;
} both;

static scrim_status widen(const scrim_measurement *m, const both *x, const sc_ratio *beta,
                          size_t answers, sc_certificate *out, scrim_error *error)
{
    const sc_certificate *inner = &x->inner;
    SC_OWN(sc_ratio, radius, each);
    scrim_status status = add_noise(m, &inner->radius, x->noise, &radius, error);
    if (status != SCRIM_OK)
        return status;
    sc_certificate_interval(out, &radius, beta, inner->excludes);
    if (answers > 1 && (x->is_sure || inner->has_radius_all)) {
        sc_at_once_each(x->noise, answers, &each);
        status = add_noise(m, inner->has_radius_all ? &inner->radius_all : &inner->radius,
                           &each, &radius, error);
        sc_certificate_add_radius_all(out, &radius);
    }
    return status;
}

/* Which values are shown does not change; those that are have more noise. */
static scrim_status widen_shown(const scrim_measurement *m, const both *x,
                                const sc_ratio *beta, sc_certificate *out,
                                scrim_error *error)
{
    SC_OWN(sc_ratio, radius);
    const scrim_status status =
        add_noise(m, &x->inner.value_radius, x->noise, &radius, error);
    sc_certificate_pac(out, &x->inner.radius, beta, x->inner.excludes);
    sc_certificate_add_value_radius(out, &radius);
    return status;
}

static const char in_other_terms[] =
    "everything: the mechanism promises ranks, elements or counts of intervals, and "
    "noise "
    "on its answers leaves no such promise; without robust it states its accuracy";

/* Noise on noise has the radius of the sum. Otherwise each of both stages may fail with half of beta, unless the other one
 * cannot fail. */
static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    const sc_mechanism *then = m->then->mechanism;
    both x = {.is_sure = false};
    SC_OWN(sc_ratio, half);
    sc_ratio_set_int64(&half, 2);
    sc_ratio_div(&half, beta, &half);
    sc_certificate_init(&x.inner);
    scrim_status status = then->certify(m->then, &half, count, &x.inner, error);
    x.is_sure =
        x.inner.form == SCRIM_CERTIFICATE_RANGE || x.inner.form == SCRIM_CERTIFICATE_DROP;
    x.noise = x.is_sure ? beta : &half;
    if (status == SCRIM_OK && is_additive(m->then) &&
        x.inner.form == SCRIM_CERTIFICATE_INTERVAL)
        status = certify_sum(m, beta, then->answer_count(m->then, count),
                             x.inner.excludes, out, error);
    else if (status == SCRIM_OK &&
             (x.is_sure || x.inner.form == SCRIM_CERTIFICATE_INTERVAL))
        status = widen(m, &x, beta, then->answer_count(m->then, count), out, error);
    else if (status == SCRIM_OK && x.inner.has_value_radius)
        status = widen_shown(m, &x, beta, out, error);
    else if (status == SCRIM_OK)
        sc_certificate_none(out, in_other_terms);
    sc_certificate_clear(&x.inner);
    return status;
}

/* Drawing: the answer is there. Values that are not shown have no noise. */

#define CHUNK ((size_t)512)

static bool is_number(sc_mark mark)
{
    return mark == SC_MARK_VALUE || mark == SC_MARK_ABOVE_VALUE;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    (void)input;
    sc_int128 noise[CHUNK];
    scrim_status status = SCRIM_OK;
    for (size_t at = 0; status == SCRIM_OK && at < out->count; at += CHUNK) {
        const size_t left = out->count - at, size = left < CHUNK ? left : CHUNK;
        status = sc_blocks_fill_wide(bits, &state_of(m)->blocks, size, noise, error);
        for (size_t i = 0; status == SCRIM_OK && i < size; i++)
            if (is_number(out->marks[at + i]))
                out->values[at + i] += noise[i];
    }
    if (status != SCRIM_OK) {
        sc_wipe(out->values, out->count * sizeof *out->values);
        out->count = 0;
    }
    sc_wipe(noise, sizeof noise);
    return status;
}

/* The law. */

static size_t answer_count(const scrim_measurement *m, size_t count)
{
    return m->then->mechanism->answer_count(m->then, count);
}

static size_t width(const scrim_measurement *m, size_t count)
{
    return m->then->mechanism->width(m->then, count);
}

/* The unlisted mass of the answer is far below the unlisted mass of the sum. */
static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const sc_mechanism *then = m->then->mechanism;
    const long inner_bits = (out->width == 1 ? 4 : (long)out->width + 1) * bits;
    sc_outcomes inner;
    sc_outcomes_init(&inner, out->width);
    scrim_status status = then->law(m->then, input, inner_bits, &inner, error);
    if (status == SCRIM_OK)
        status =
            sc_outcomes_add_laplace_each(&inner, &state_of(m)->law, bits, out, error);
    sc_outcomes_clear(&inner);
    return status;
}

static size_t pair_count(const scrim_measurement *m)
{
    return m->then->mechanism->pair_count(m->then);
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    m->then->mechanism->pair(m->then, index, out);
}

/* Whole values, of which none is declared, do not change by rounding. */
static void change(const scrim_measurement *m, sc_change *out)
{
    if (m->then->mechanism->change != NULL)
        m->then->mechanism->change(m->then, out);
}

static int64_t place(const scrim_measurement *m, size_t index, const sc_ratio *value)
{
    return m->then->mechanism->place(m->then, index, value);
}

/* Noise leaves out what the mechanism has left out. */
static bool is_kept(const scrim_measurement *m, sc_mark mark, sc_int128 value)
{
    const sc_mechanism *then = m->then->mechanism;
    return then->is_kept == NULL || then->is_kept(m->then, mark, value);
}

static const sc_mechanism *wrap(const scrim_measurement *then);

/* As the gate treats the input of the mechanism, it treats that of both. A law that is folded says
 * nothing of sums. */
#define ROBUST(its_input, clamps, has_rows, its_place, its_width, its_law)               \
    {                                                                                    \
        .entry = {.name = "robust",                                                      \
                  .parameters = "rho=R epsilon=R [theta=R] of MECHANISM ...",            \
                  .input = (its_input),                                                  \
                  .claim = "that of the mechanism; its answers within rho but for "      \
                           "theta become (epsilon, theta)-close",                        \
                  .does = "Adds noise to the answers of another mechanism, so that "     \
                          "answers whose distributions are close become hard to tell "   \
                          "apart. The cost stays that of the other mechanism.",          \
                  .example = "rho=2 epsilon=1 of laplace sensitivity=1 epsilon=1 "       \
                             "neighbours=add-remove",                                    \
                  .example_input = "1234\n",                                             \
                  .reference =                                                           \
                      "Extending the Foundations of Differential Privacy: Robustness "   \
                      "and Flexibility (anonymous draft), Mechanism 2, corrected: "      \
                      "errata 2 to 5"},                                                  \
        SC_MECHANISM_PARAMETERS, .clamps_itself = (clamps), .input_is_rows = (has_rows), \
        .followed = wrap, .link = "of", .wraps = true, .check = check,                   \
        .discard = discard, .cost = cost, .certify = certify, .is_kept = is_kept,        \
        .answer_count = answer_count, .draw = draw, .place = (its_place),                \
        .width = (its_width), .law = (its_law), .pair_count = pair_count, .pair = pair,  \
        .change = change                                                                 \
    }

const sc_mechanism sc_robust = ROBUST("numbers", false, false, NULL, width, law);
static const sc_mechanism others[] = {
    ROBUST("numbers", false, false, place, NULL, NULL), /* counter, linear-queries */
    ROBUST("numbers", false, false, NULL, NULL, NULL),  /* mwem */
    ROBUST("counts", true, false, NULL, width, law),    /* stlap */
    ROBUST("counts", false, false, NULL, width, law),   /* threshold-laplace */
    ROBUST("counts", false, false, NULL, NULL, NULL),   /* sum-first */
    ROBUST("rows", true, true, NULL, width, law),       /* quantile */
    ROBUST("points", true, true, place, NULL, NULL),    /* interval-counts */
    ROBUST("values", false, false, NULL, width, law),   /* randomised-query */
};

static bool is_for(const sc_mechanism *wrapper, const sc_mechanism *then)
{
    return strcmp(wrapper->entry.input, then->entry.input) == 0 &&
           wrapper->clamps_itself == then->clamps_itself &&
           wrapper->input_is_rows == then->input_is_rows &&
           (wrapper->place == NULL) == (then->place == NULL) &&
           (wrapper->law == NULL) == then->law_is_folded;
}

static const sc_mechanism *wrap(const scrim_measurement *then)
{
    if (!then->mechanism->answers_numbers)
        return NULL;
    if (is_for(&sc_robust, then->mechanism))
        return &sc_robust;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (is_for(&others[i], then->mechanism))
            return &others[i];
    return NULL;
}
