/* The doubles here are views: bounds of a law, rounded outwards by base/number/ball. */
#include "mechanism/threshold/hard_range.h"

#include "base/memory.h"
#include "mechanism/noise/laplace.h"
#include "mechanism/noise/truncated.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "model/domain.h"
#include "model/outcomes.h"
#include "scrim/threshold.h"

#define BITS 256

static const sc_parameter_rule parameters[] = {
    SC_PARAMETER_SENSITIVITY,
    SC_RULE_POSITIVE("epsilon", "2^-60", "1000",
                     "a rational above 0, from 8.7e-19 to 1000"),
    SC_RULE_COUNT("width", "2^60",
                  "the steps to either side of the centre, an integer from 1 to 1.1e18"),
    SC_PARAMETER_DELTA,
    SC_PARAMETER_GRID,
    SC_PARAMETER_SIZE,
    SC_PARAMETER_WHOLE,
    SC_PARAMETER_NEIGHBOURS,
};

/* The width L is the bound of the state; the noise itself is unbounded. */
uint64_t sc_hard_range_width(const scrim_measurement *m)
{
    return (uint64_t)sc_additive_noise(m)->bound;
}

/* Making one. */

/* (1 - exp(-epsilon)) P(Z >= L - D + 1), L from D on. */
static void delta_of(const sc_additive *s, int64_t width, sc_ball *out)
{
    SC_OWN(sc_ball, part);
    sc_ball_set_ratio(&part, &s->epsilon, BITS);
    sc_ball_neg(&part, &part);
    sc_ball_expm1(&part, &part, BITS);
    sc_ball_neg(&part, &part);
    sc_law_at_least(&s->law, (sc_int128)width - (sc_int128)s->shift + 1, BITS, out);
    sc_ball_mul(out, out, &part, BITS);
}

typedef struct target {
    const sc_additive *range;
    sc_ball delta;
} target;

static bool is_enough(const void *context, int64_t width)
{
    const target *w = context;
    SC_OWN(sc_ball, mass);
    delta_of(w->range, width, &mass);
    return sc_ball_is_less_equal(&mass, &w->delta);
}

static scrim_status find_width(sc_additive *s, const sc_ratio *delta, scrim_error *error)
{
    target w = {.range = s};
    sc_ball_init(&w.delta);
    sc_ball_set_ratio(&w.delta, delta, BITS);
    s->law.bound = sc_noisy_threshold_search(is_enough, &w, (int64_t)s->shift);
    sc_ball_clear(&w.delta);
    return s->law.bound < SC_THRESHOLD_MAX
               ? SCRIM_OK
               : sc_fail(
                     error, SCRIM_E_LIMIT,
                     "range: that delta needs a width of 1.1e18 steps or more; choose "
                     "a coarser grid");
}

static scrim_status set_width(const scrim_measurement *m, sc_additive *s,
                              scrim_error *error)
{
    const sc_ratio *delta = sc_measurement_get(m, "delta");
    if (!sc_additive_is_whole(s) || s->shift >= (uint64_t)SC_THRESHOLD_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "range: the sensitivity is 1.1e18 steps or more; choose a coarser "
                       "grid");
    if (delta != NULL)
        return find_width(s, delta, error);
    s->law.bound = sc_measurement_integer(m, "width", 0);
    if (s->law.bound < (sc_int128)s->shift)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "width",
            "range: width must be at least the sensitivity, which is %llu steps",
            (unsigned long long)s->shift);
    return SCRIM_OK;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    static const char *const end[] = {"width", "delta", NULL};
    static const sc_noise_kind kind = {.law = &sc_discrete_laplace_law,
                                       .blocks = {.sides = SC_SIDES_BOTH},
                                       .scale = sc_laplace_scale,
                                       .bound = set_width};
    scrim_status status = sc_measurement_one_of(m, end, error);
    return status == SCRIM_OK ? sc_additive_check(m, &kind, error) : status;
}

/* The cost. */

static void none_of_one(const sc_additive *s, long bits, sc_ball *out)
{
    sc_law_at_least(&s->law, s->law.bound + 1, bits, out);
    sc_ball_mul_power2(out, out, 1);
}

/* 1 - (1 - p)^count. */
void sc_hard_range_none(const scrim_measurement *m, uint64_t count, long bits,
                        sc_ball *out)
{
    SC_OWN(sc_ball, values);
    sc_ball_set_int128(&values, (sc_int128)count);
    none_of_one(sc_additive_of(m), bits, out);
    sc_ball_neg(out, out);
    sc_ball_log1p(out, out, bits);
    sc_ball_mul(out, out, &values, bits);
    sc_ball_expm1(out, out, bits);
    sc_ball_neg(out, out);
}

/* The curve of noise within L, times the probability of a range: "no range" is equally likely on either side. */
static void curve_delta(const sc_curve *curve, const sc_ratio *epsilon, long bits,
                        sc_ball *out)
{
    const sc_additive *s = curve->context;
    sc_law within = s->law; /* the law of what is shown, where anything is */
    within.functions = &sc_truncated_laplace_law;
    SC_OWN(sc_ball, shown);
    none_of_one(s, bits, &shown);
    sc_ball_neg(&shown, &shown);
    sc_ball_add_int64(&shown, &shown, 1, bits);
    sc_truncated_delta(&within, s->shift, epsilon, bits, out);
    sc_ball_mul(out, out, &shown, bits);
}

static const sc_curve_functions curve_functions = {.name = "range", .delta = curve_delta};

static scrim_status cost(const scrim_measurement *m, sc_exact_cost *out,
                         scrim_error *error)
{
    const sc_additive *s = sc_additive_of(m);
    SC_OWN(sc_ball, mass);
    delta_of(s, (int64_t)s->law.bound, &mass);
    return sc_additive_cost_bounded(m, &mass, &curve_functions, out, error);
}

static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, sc_certificate *out, scrim_error *error)
{
    (void)beta;
    (void)count;
    (void)error;
    sc_additive_certify_bound(m, "rounding to the grid; values that have no range", out);
    return SCRIM_OK;
}

/* Drawing. */

static scrim_status draw(const scrim_measurement *m, sc_bits *bits,
                         const sc_private_input *input, sc_draw *out, scrim_error *error)
{
    const sc_additive *s = sc_additive_of(m);
    const sc_int128 width = s->law.bound;
    scrim_status status =
        sc_blocks_fill_wide(bits, &s->blocks, input->count, out->values, error);
    if (status != SCRIM_OK) {
        sc_wipe(out->values, input->count * sizeof *out->values);
        return status;
    }
    for (size_t i = 0; i < input->count; i++) {
        /* as in additive.c, no sum leaves 128 bits */
        const sc_int128 noise = out->values[i];
        const sc_int128 x = input->wide != NULL ? input->wide[i] : input->values[i];
        const bool is_shown = -width <= noise && noise <= width;
        out->values[i] = is_shown ? x + noise : 0;
        out->marks[i] = is_shown ? SC_MARK_VALUE : SC_MARK_NONE;
    }
    out->count = input->count;
    return SCRIM_OK;
}

/* The law. */

static scrim_status list_value(const void *context, int64_t x, long bits,
                               sc_outcomes *out, scrim_error *error)
{
    const sc_additive *s = context;
    const int64_t none = SC_RANGE_NONE, width = (int64_t)s->law.bound;
    SC_OWN(sc_ball, mass);
    none_of_one(s, bits, &mass);
    scrim_status status = sc_outcomes_add(out, &none, &mass, error);
    for (int64_t z = -width; status == SCRIM_OK && z <= width; z++) {
        const int64_t centre = x + z;
        sc_law_pmf(&s->law, z, bits, &mass);
        status = sc_outcomes_add(out, &centre, &mass, error);
    }
    return status;
}

static scrim_status law(const scrim_measurement *m, const sc_private_input *input,
                        long bits, sc_outcomes *out, scrim_error *error)
{
    const sc_additive *s = sc_additive_of(m);
    if (input->count > SC_PAIR_VALUES || s->law.bound >= (sc_int128)(SC_OUTCOMES_MAX / 2))
        return sc_fail(error, SCRIM_E_LIMIT,
                       "there are too many values to give the probability of each");
    const sc_outcomes_each each = {
        .values = input->values, .count = input->count, .list = list_value, .context = s};
    return sc_outcomes_of_each(&each, bits + 64, out, error);
}

/* One value moved by each shift up to the largest; and where the laws of two are short, two of them
 * that share it. */
#define TWO_WIDTH 24

static bool has_two(const scrim_measurement *m)
{
    const sc_additive *s = sc_additive_of(m);
    return s->shift > 1 && s->law.bound <= TWO_WIDTH && m->domain.count_max > 1;
}

static size_t pair_count(const scrim_measurement *m)
{
    return sc_additive_pair_count(m) + (has_two(m) ? 1 : 0);
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const int64_t shift = (int64_t)sc_additive_of(m)->shift;
    if (index < sc_additive_pair_count(m)) {
        sc_additive_pair(m, index, out);
        return;
    }
    *out = (sc_pair){.y = {shift / 2, -(shift - shift / 2)}, .x_count = 2, .y_count = 2};
}

const sc_mechanism sc_hard_range = {
    .entry = {.name = "range",
              .parameters =
                  "sensitivity=R epsilon=R width=N|delta=R [grid=R size=N whole=yes]",
              .input = "numbers",
              .claim = "(epsilon, delta)-DP; a range that holds the truth, or none",
              .does = "Releases a range that contains the truth with certainty, or no "
                      "range where the noise is too large. Use it where an interval of "
                      "95 % is not enough.",
              .example = "sensitivity=1 epsilon=1 delta=1e-6 neighbours=add-remove",
              .example_input = "1234\n",
              .reference = "Wu, Wu, Zeng, Naughton: Suppression Strikes Back: On the "
                           "Interaction of Thresholding and Differential Privacy, "
                           "section 3, corrected: errata 145 to 149"},
    SC_ADDITIVE_MEMBERS,
    .answers_numbers = true,
    .certify = certify,
    .draw = draw,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
    .change = sc_additive_change_sum,
};

scrim_status scrim_range_none_upper(const scrim_measurement *m, uint64_t count,
                                    double *upper, scrim_error *error)
{
    SC_REQUIRE(error, "measurement upper", m, upper);
    if (m->mechanism != &sc_hard_range)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "mechanism",
                           "%s has no ranges", m->mechanism->entry.name);
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, none);
    sc_hard_range_none(m, count, BITS, &none);
    *upper = sc_ball_upper(&none);
    if (*upper > 1) /* rounded up */
        *upper = 1;
    return SCRIM_OK;
}
