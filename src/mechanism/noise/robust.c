#include "mechanism/noise/robust.h"

#include "base/memory.h"
#include "mechanism/noise/gaussian.h"
#include "mechanism/noise/laplace.h"
#include "mechanism/noise/robust_laplace.h"
#include "mechanism/noise/truncated.h"
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

/* Let A be the mechanism's error and W the noise, symmetric and falling off on both sides. P(|a + W| > k) grows with |a|, so
 * that any distribution that |A| is never beyond more often may stand for |A|: masses in cells, at their far ends. The cells
 * come from the law of A, or from the mechanism's own radii: |A| is beyond its radius at t with probability t at most. */

#define CELLS 160
#define SUM_BITS 128

typedef struct cells {
    sc_ball mass[CELLS];
    sc_int128 end[CELLS];
    size_t count;
    sc_ball beyond; /* the mass beyond all of them */
} cells;

static void cells_init(cells *c)
{
    c->count = 0;
    sc_ball_init(&c->beyond);
}

static void cells_clear(cells *c)
{
    for (size_t i = 0; i < c->count; i++)
        sc_ball_clear(&c->mass[i]);
    sc_ball_clear(&c->beyond);
}

/* All but a 1024th of beta is in the cells. */
static scrim_status cells_of_law(const sc_law *law, const sc_ratio *beta, cells *c,
                                 scrim_error *error)
{
    SC_OWN(sc_ratio, part);
    sc_int128 most = 0;
    sc_ratio_set_int64(&part, 1024);
    sc_ratio_div(&part, beta, &part);
    SC_TRY(sc_law_radius(law, &part, &most, error));
    sc_ball_set_ratio(&c->beyond, &part, SUM_BITS);
    const sc_int128 width = most / (CELLS - 1) + 1;
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

/* Chooses one of the radii of an accuracy statement. */
typedef const sc_ratio *radius_choice(const sc_certificate *statement);

static const sc_ratio *radius_of_each(const sc_certificate *statement)
{
    return &statement->radius;
}

static const sc_ratio *radius_of_all(const sc_certificate *statement)
{
    return &statement->radius_all;
}

static const sc_ratio *radius_of_shown(const sc_certificate *statement)
{
    return &statement->value_radius;
}

/* The mechanism's radius at beta, in steps; its statement has that number at any beta. */
static scrim_status inner_radius(const scrim_measurement *m, const sc_ratio *beta,
                                 size_t count, radius_choice *chosen, sc_int128 *out,
                                 scrim_error *error)
{
    sc_certificate statement;
    SC_OWN(sc_ratio, step);
    SC_OWN(sc_integer, steps);
    sc_certificate_init(&statement);
    scrim_status status =
        m->then->mechanism->certify(m->then, beta, count, &statement, error);
    sc_grid_step(&m->domain.grid, &step);
    if (status == SCRIM_OK) {
        sc_ratio_div(&step, chosen(&statement), &step);
        sc_ratio_ceil(&step, &steps);
        if (!sc_integer_get_int128(&steps, out))
            status = sc_fail(error, SCRIM_E_LIMIT, "the radius has too many digits");
    }
    sc_certificate_clear(&statement);
    return status;
}

/* Radii at t = 15/16, each next t an eighth less, until a 16th of beta is left, or no cell is. */
static scrim_status cells_of_radii(const scrim_measurement *m, const sc_ratio *beta,
                                   size_t count, radius_choice *chosen, cells *c,
                                   scrim_error *error)
{
    SC_OWN(sc_ratio, before, t, least, less, mass);
    sc_ratio_set_int64(&before, 1);
    sc_ratio_set_quotient(&t, 15, 16);
    sc_ratio_set_quotient(&less, 7, 8);
    sc_ratio_set_quotient(&least, 1, 16);
    sc_ratio_mul(&least, &least, beta);
    while (c->count < CELLS && sc_ratio_compare(&before, &least) > 0) {
        SC_TRY(inner_radius(m, &t, count, chosen, &c->end[c->count], error));
        sc_ratio_sub(&mass, &before, &t);
        sc_ball_init(&c->mass[c->count]);
        sc_ball_set_ratio(&c->mass[c->count++], &mass, SUM_BITS);
        sc_ratio_set(&before, &t);
        sc_ratio_mul(&t, &t, &less);
    }
    sc_ball_set_ratio(&c->beyond, &before, SUM_BITS);
    return SCRIM_OK;
}

/* An upper bound on the probability that |A + W| > k for any of `count` values: the noise of each is added up. */
static void sum_beyond(const cells *c, const sc_law *noise, size_t count, sc_int128 k,
                       sc_ball *out)
{
    SC_OWN(sc_ball, near, far, one);
    sc_ball_set(out, &c->beyond);
    sc_ball_set_int64(&one, 1);
    for (size_t i = 0; i < c->count; i++) {
        sc_law_at_least(noise, k + 1 - c->end[i], SUM_BITS, &near);
        sc_law_at_least(noise, k + 1 + c->end[i], SUM_BITS, &far);
        sc_ball_add(&near, &near, &far, SUM_BITS);
        sc_ball_mul_int64(&near, &near, (int64_t)count, SUM_BITS);
        sc_ball_take_smaller(&near, &one);
        sc_ball_mul(&near, &near, &c->mass[i], SUM_BITS);
        sc_ball_add(out, out, &near, SUM_BITS);
    }
}

/* The least k up to most, which is known to hold, with a failure of at most beta. */
static sc_int128 least_radius(const cells *c, const sc_law *noise, size_t count,
                              const sc_ratio *beta, sc_int128 most)
{
    sc_int128 low = -1;
    SC_OWN(sc_ball, beyond, limit);
    sc_ball_set_ratio(&limit, beta, SUM_BITS);
    while (most - low > 1) {
        const sc_int128 middle = low + (most - low) / 2;
        sum_beyond(c, noise, count, middle, &beyond);
        if (sc_ball_is_less_equal(&beyond, &limit))
            most = middle;
        else
            low = middle;
    }
    return most;
}

/* A statement of the mechanism that is to be widened by the noise of count values. */
typedef struct widening {
    const scrim_measurement *m;
    const sc_ratio *beta;
    const sc_law *own; /* of the error of a value; NULL: its radii say what is known */
    size_t input;      /* values of the input, which statements are made for */
    size_t count;
    radius_choice *chosen;
    bool is_sure; /* the mechanism's radius always holds */
} widening;

/* The two radii added up: either stage may fail with half of beta, of which each value gets an equal share for its
 * noise. Never less than the radius of the sum. */
static scrim_status apart(const widening *w, sc_int128 *out, scrim_error *error)
{
    SC_OWN(sc_ratio, half, each);
    sc_int128 noise = 0;
    sc_ratio_set_quotient(&half, 1, 2);
    sc_ratio_mul(&half, &half, w->beta);
    SC_TRY(inner_radius(w->m, &half, w->input, w->chosen, out, error));
    sc_at_once_each(w->is_sure ? w->beta : &half, w->count, &each);
    SC_TRY(sc_law_radius(&state_of(w->m)->law, &each, &noise, error));
    *out += noise;
    return SCRIM_OK;
}

static scrim_status fill(const widening *w, cells *c, scrim_error *error)
{
    if (w->is_sure) {
        sc_ball_init(&c->mass[0]);
        sc_ball_set_int64(&c->mass[0], 1);
        c->count = 1;
        return inner_radius(w->m, w->beta, w->input, w->chosen, &c->end[0], error);
    }
    if (w->own == NULL)
        return cells_of_radii(w->m, w->beta, w->input, w->chosen, c, error);
    return cells_of_law(w->own, w->beta, c, error);
}

static scrim_status widened(const widening *w, sc_ratio *out, scrim_error *error)
{
    sc_int128 most = 0;
    SC_OWN(sc_ratio, step);
    cells *c = sc_allocate(1, sizeof *c);
    if (c == NULL)
        return sc_no_memory(error, "a measurement");
    cells_init(c);
    scrim_status status = fill(w, c, error);
    if (status == SCRIM_OK)
        status = apart(w, &most, error);
    if (status == SCRIM_OK)
        sc_ratio_set_int128(
            out, least_radius(c, &state_of(w->m)->law, w->count, w->beta, most));
    sc_grid_step(&w->m->domain.grid, &step);
    sc_ratio_mul(out, out, &step);
    cells_clear(c);
    sc_free(c);
    return status;
}

/* Independent values whose error has one symmetric law, clamped at most. */
static const sc_law *law_of_error(const scrim_measurement *then)
{
    const sc_mechanism *m = then->mechanism;
    const bool is_additive = m == &sc_laplace || m == &sc_gaussian_noise ||
                             m == &sc_robust_laplace || m == &sc_truncated_laplace;
    return is_additive ? &sc_additive_of(then)->law : NULL;
}

static scrim_status widen(widening *w, const sc_certificate *inner, sc_certificate *out,
                          scrim_error *error)
{
    SC_OWN(sc_ratio, radius, each);
    const size_t all = w->count;
    w->count = 1;
    SC_TRY(widened(w, &radius, error));
    sc_certificate_interval(out, &radius, w->beta, inner->excludes);
    if (all <= 1 || (!w->is_sure && w->own == NULL && !inner->has_radius_all))
        return SCRIM_OK;
    const sc_ratio *beta = w->beta;
    if (w->own != NULL) {
        sc_at_once_each(beta, all, &each);
        w->beta = &each;
    } else {
        w->count = all;
        w->chosen = inner->has_radius_all ? radius_of_all : radius_of_each;
    }
    SC_TRY(widened(w, &radius, error));
    sc_certificate_add_radius_all(out, &radius);
    return SCRIM_OK;
}

/* Which values are shown does not change; those that are have more noise. */
static scrim_status widen_shown(widening *w, const sc_certificate *inner,
                                sc_certificate *out, scrim_error *error)
{
    SC_OWN(sc_ratio, radius);
    w->chosen = radius_of_shown;
    w->count = 1;
    SC_TRY(widened(w, &radius, error));
    sc_certificate_pac(out, &inner->radius, w->beta, inner->excludes);
    sc_certificate_add_value_radius(out, &radius);
    return SCRIM_OK;
}

/* P(W > k) + P(W > q + k): a value that is below the truth by a, up to q, is outside with P(W > k + a) + P(W > q + k - a),
 * which is convex in a and largest at both ends. */
static void drop_beyond(const sc_law *noise, sc_int128 q, sc_int128 k, sc_ball *out)
{
    SC_OWN(sc_ball, far);
    sc_law_at_least(noise, k + 1, SUM_BITS, out);
    sc_law_at_least(noise, q + k + 1, SUM_BITS, &far);
    sc_ball_add(out, out, &far, SUM_BITS);
}

/* The values of the inner mechanism are never too large, so only the noise can make one too large. */
static scrim_status widen_drop(const widening *w, const sc_certificate *inner,
                               sc_certificate *out, scrim_error *error)
{
    const sc_law *law = &state_of(w->m)->law;
    SC_OWN(sc_ratio, step, above, radius);
    SC_OWN(sc_ball, beyond, limit);
    sc_int128 noise = 0, low = -1, q = 0;
    SC_TRY(sc_law_radius(law, w->beta, &noise, error));
    SC_TRY(inner_radius(w->m, w->beta, w->input, w->chosen, &q, error));
    sc_ball_set_ratio(&limit, w->beta, SUM_BITS);
    while (noise - low > 1) {
        const sc_int128 middle = low + (noise - low) / 2;
        drop_beyond(law, q, middle, &beyond);
        if (sc_ball_is_less_equal(&beyond, &limit))
            noise = middle;
        else
            low = middle;
    }
    sc_grid_step(&w->m->domain.grid, &step);
    sc_ratio_set_int128(&above, noise);
    sc_ratio_mul(&above, &above, &step);
    sc_ratio_add(&radius, &inner->radius, &above);
    sc_certificate_drop(out, &radius, inner->excludes);
    sc_ratio_set_int64(&out->confidence, 1);
    sc_ratio_sub(&out->confidence, &out->confidence, w->beta);
    sc_certificate_add_value_radius(out, &above);
    return SCRIM_OK;
}

static const char in_other_terms[] =
    "everything: the mechanism promises ranks, elements or counts of intervals, and "
    "noise "
    "on its answers leaves no such promise; without robust it states its accuracy";

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    const sc_mechanism *then = m->then->mechanism;
    sc_certificate inner;
    sc_certificate_init(&inner);
    scrim_status status = then->certify(m->then, beta, count, &inner, error);
    widening w = {.m = m,
                  .beta = beta,
                  .own = law_of_error(m->then),
                  .input = count,
                  .count = then->answer_count(m->then, count),
                  .chosen = radius_of_each,
                  .is_sure = inner.form == SCRIM_CERTIFICATE_RANGE};
    w.is_sure = w.is_sure && w.own == NULL;
    if (status == SCRIM_OK && inner.form == SCRIM_CERTIFICATE_DROP)
        status = widen_drop(&w, &inner, out, error);
    else if (status == SCRIM_OK && (inner.form == SCRIM_CERTIFICATE_RANGE ||
                                    inner.form == SCRIM_CERTIFICATE_INTERVAL))
        status = widen(&w, &inner, out, error);
    else if (status == SCRIM_OK && inner.has_value_radius)
        status = widen_shown(&w, &inner, out, error);
    else if (status == SCRIM_OK)
        sc_certificate_none(out, in_other_terms);
    sc_certificate_clear(&inner);
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

/* A value that the inner mechanism leaves out gets no noise and stays out. */
static bool is_kept(const scrim_measurement *m, sc_mark mark, sc_int128 value)
{
    const sc_mechanism *then = m->then->mechanism;
    return then->is_kept == NULL || then->is_kept(m->then, mark, value);
}

static const sc_mechanism *wrap(const scrim_measurement *then);

/* The gate treats the input as that of the inner mechanism. A mechanism whose law is folded has no law here: a folded
 * law does not give that of a sum. */
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
