#include "mechanism/threshold/threshold_laplace.h"

#include "base/memory.h"
#include "model/certificate.h"
#include "model/neighbours.h"
#include "sampling/blocks.h"
#include "sampling/law.h"
#include "scrim/threshold.h"

#define BITS 256
#define THRESHOLD_MAX ((int64_t)1 << 60)
#define UNSEEN INT64_MIN /* in the law: a group that is not shown */
#define PAIRS 512

static const sc_parameter parameters[] = {
    {.name = "epsilon",
     .kind = SC_PARAMETER_RATIONAL,
     .above = "0",
     .limit_low = "2^-30",
     .limit_high = "1000",
     .domain = "a rational above 0, from 2^-30 to 1000"},
    {.name = "delta",
     .kind = SC_PARAMETER_RATIONAL,
     .above = "0",
     .below = "1",
     .limit_low = "2^-160",
     .domain = "a rational above 0 and below 1, from 2^-160 on"},
    {.name = "max-groups",
     .kind = SC_PARAMETER_INTEGER,
     .optional = true,
     .at_least = "1",
     .limit_high = "2^20",
     .domain = "the number of groups that one unit may be in, an integer from 1 to 2^20"},
    SC_PARAMETER_NEIGHBOURS,
};

typedef struct thresholding {
    uint64_t groups; /* max-groups */
    sc_law noise;    /* of scale k / epsilon */
    int64_t threshold;
    sc_blocks blocks;
    bool is_ready;
} thresholding;

static const thresholding *state_of(const scrim_measurement *m)
{
    return m->state;
}

int64_t sc_threshold_of(const scrim_measurement *m)
{
    return state_of(m)->threshold;
}

/* Making one. */

/* 1 - P(1 + Z < T)^groups, from the tail at T - 1. */
static void new_mass(const thresholding *s, int64_t threshold, sc_ball *out)
{
    sc_ball groups;
    sc_ball_init(&groups);
    sc_law_at_least(&s->noise, (sc_int128)threshold - 1, BITS, out);
    sc_ball_neg(out, out);
    sc_ball_log1p(out, out, BITS);
    sc_ball_set_int128(&groups, (sc_int128)s->groups);
    sc_ball_mul(out, out, &groups, BITS);
    sc_ball_expm1(out, out, BITS);
    sc_ball_neg(out, out);
    sc_ball_clear(&groups);
}

static bool is_enough(const thresholding *s, int64_t threshold, const sc_ball *delta)
{
    sc_ball mass;
    sc_ball_init(&mass);
    new_mass(s, threshold, &mass);
    const bool result = sc_ball_is_less_equal(&mass, delta);
    sc_ball_clear(&mass);
    return result;
}

/* The mass falls as the threshold grows. */
static scrim_status find_threshold(thresholding *s, const sc_ratio *delta,
                                   scrim_error *error)
{
    int64_t low = 0, high = 1;
    sc_ball target;
    sc_ball_init(&target);
    sc_ball_set_ratio(&target, delta, BITS);
    while (high < THRESHOLD_MAX && !is_enough(s, high, &target)) {
        low = high;
        high *= 2;
    }
    while (high < THRESHOLD_MAX && high - low > 1) {
        const int64_t middle = low + (high - low) / 2;
        if (is_enough(s, middle, &target))
            high = middle;
        else
            low = middle;
    }
    sc_ball_clear(&target);
    s->threshold = high;
    return high < THRESHOLD_MAX
               ? SCRIM_OK
               : sc_fail(error, SCRIM_E_LIMIT,
                         "threshold-laplace: that epsilon and delta need a threshold of "
                         "2^60 units or more; choose larger ones or fewer max-groups");
}

static scrim_status prepare(const scrim_measurement *m, thresholding *s,
                            scrim_error *error)
{
    const sc_ratio *epsilon = sc_measurement_get(m, "epsilon");
    const bool is_replace = sc_measurement_neighbours(m) == SCRIM_REPLACE;
    sc_ratio rate, scale, one;
    sc_ratio_init(&rate);
    sc_ratio_init(&scale);
    sc_ratio_init(&one);
    sc_ratio_set_int64(&one, 1);
    sc_ratio_set_int64(&scale, (int64_t)s->groups * (is_replace ? 2 : 1));
    sc_ratio_div(&scale, &scale, epsilon);
    sc_ratio_div(&rate, &one, &scale);
    sc_law_init(&s->noise, &sc_discrete_laplace_law, &scale, 0);
    scrim_status status = sc_blocks_init(
        &s->blocks, &(sc_blocks_law){.sides = SC_SIDES_BOTH}, &rate, error);
    s->is_ready = status == SCRIM_OK;
    if (status == SCRIM_OK)
        status = find_threshold(s, sc_measurement_get(m, "delta"), error);
    sc_ratio_clear(&one);
    sc_ratio_clear(&scale);
    sc_ratio_clear(&rate);
    return status;
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    sc_ratio zero;
    thresholding *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for a measurement");
    m->state = s;
    s->groups = (uint64_t)sc_measurement_integer(m, "max-groups", 1);
    scrim_status status = prepare(m, s, error);
    sc_ratio_init(&zero);
    if (status == SCRIM_OK)
        status = sc_domain_set_grid(&m->domain, NULL, &zero, NULL, error);
    m->domain.count_min = 0; /* there may be no group at all */
    sc_ratio_clear(&zero);
    return status;
}

static void discard(scrim_measurement *m)
{
    thresholding *s = m->state;
    if (s == NULL)
        return;
    if (s->is_ready)
        sc_blocks_clear(&s->blocks);
    sc_law_clear(&s->noise);
    sc_release(s);
}

static scrim_status cost(const scrim_measurement *m, sc_cost *out, scrim_error *error)
{
    (void)error;
    sc_cost_set_approximate(out, sc_measurement_get(m, "epsilon"),
                            sc_measurement_get(m, "delta"));
    return SCRIM_OK;
}

/* P(n + Z >= T) = P(Z <= n - T), which reaches 1 - beta where n - T is the quantile. */
static scrim_status certify(const scrim_measurement *m, const sc_ratio *beta,
                            size_t count, scrim_certificate *out, scrim_error *error)
{
    const thresholding *s = state_of(m);
    sc_ratio number;
    sc_int128 above = 0, radius = 0;
    (void)count;
    sc_ratio_init(&number);
    sc_ratio_set_int64(&number, 1);
    sc_ratio_sub(&number, &number, beta);
    scrim_status status = sc_law_quantile(&s->noise, &number, &above, error);
    if (status == SCRIM_OK)
        status = sc_law_radius(&s->noise, beta, &radius, error);
    if (status == SCRIM_OK) {
        const sc_int128 units = (sc_int128)s->threshold + above;
        sc_ratio_set_int128(&number, units > 1 ? units : 1);
        sc_certificate_pac(out, &number, beta,
                           "smaller groups, which may be left out; that a value is shown "
                           "only where it is large");
        sc_ratio_set_int128(&number, radius);
        sc_cost_put_upper(&number, out->value_radius);
    }
    sc_ratio_clear(&number);
    return status;
}

/* Drawing. */

static size_t answer_count(const scrim_measurement *m, size_t count)
{
    (void)m;
    return count;
}

static scrim_status draw(const scrim_measurement *m, sc_bits *bits, const sc_input *input,
                         sc_draw *out, scrim_error *error)
{
    const thresholding *s = state_of(m);
    scrim_status status =
        sc_blocks_fill_wide(bits, &s->blocks, input->count, out->values, error);
    if (status != SCRIM_OK) {
        sc_wipe(out->values, input->count * sizeof *out->values);
        return status;
    }
    for (size_t i = 0; i < input->count; i++) {
        const sc_int128 value = out->values[i] + input->values[i];
        const bool is_shown = input->values[i] > 0 && value >= s->threshold;
        out->values[i] = is_shown ? value : 0;
        out->marks[i] = is_shown ? SC_MARK_ABOVE_VALUE : SC_MARK_BELOW;
    }
    out->count = input->count;
    return SCRIM_OK;
}

/* The law of one group. */

/* How far the noise is listed: beyond it there are 2^-(bits/2) of it. */
static scrim_status window_of(const thresholding *s, long bits, int64_t *out,
                              scrim_error *error)
{
    sc_integer one;
    sc_ratio beta;
    sc_int128 radius = 0;
    sc_integer_init(&one);
    sc_ratio_init(&beta);
    sc_integer_set_int128(&one, 1);
    sc_ratio_set_dyadic(&beta, &one, (unsigned)bits / 2);
    scrim_status status = sc_law_radius(&s->noise, &beta, &radius, error);
    if (status == SCRIM_OK && radius > (sc_int128)(SC_OUTCOMES_MAX / 2))
        status = sc_fail(error, SCRIM_E_LIMIT,
                         "there are too many values to give the probability of each");
    *out = (int64_t)radius;
    sc_ratio_clear(&beta);
    sc_integer_clear(&one);
    return status;
}

static scrim_status add(sc_outcomes *out, int64_t key, const sc_ball *mass,
                        scrim_error *error)
{
    return sc_outcomes_add(out, &key, mass, error);
}

static scrim_status list(const thresholding *s, int64_t n, int64_t radius, long bits,
                         sc_outcomes *out, scrim_error *error)
{
    const int64_t first = s->threshold;
    const int64_t last = n + radius > first ? n + radius : first;
    sc_ball mass;
    sc_ball_init(&mass);
    sc_law_at_most(&s->noise, (sc_int128)first - 1 - n, bits, &mass);
    scrim_status status = add(out, UNSEEN, &mass, error);
    for (int64_t k = first; status == SCRIM_OK && k <= last; k++) {
        sc_law_pmf(&s->noise, (sc_int128)k - n, bits, &mass);
        status = add(out, k, &mass, error);
    }
    sc_law_at_least(&s->noise, (sc_int128)last + 1 - n, bits, &out->rest);
    sc_ball_clear(&mass);
    return status;
}

static scrim_status law(const scrim_measurement *m, const sc_input *input, long bits,
                        sc_outcomes *out, scrim_error *error)
{
    const thresholding *s = state_of(m);
    int64_t radius = 0;
    if (input->count != 1 || input->values[0] > THRESHOLD_MAX)
        return sc_fail(error, SCRIM_E_LIMIT,
                       "the law is that of one group; the others are independent of it");
    if (input->values[0] > 0) {
        scrim_status status = window_of(s, bits, &radius, error);
        return status == SCRIM_OK
                   ? list(s, input->values[0], radius, bits + 64, out, error)
                   : status;
    }
    sc_ball one;
    sc_ball_init(&one);
    sc_ball_set_int64(&one, 1);
    scrim_status status = add(out, UNSEEN, &one, error);
    sc_ball_clear(&one);
    return status;
}

/* Neighbours: one group of n and of n + 1 units, n up to a little above the threshold, some of
 * them skipped where there are many. */
static size_t pair_count(const scrim_measurement *m)
{
    const int64_t sizes = sc_threshold_of(m) + 6;
    return (size_t)(sizes < PAIRS ? sizes : PAIRS);
}

static void pair(const scrim_measurement *m, size_t index, sc_pair *out)
{
    const sc_int128 last = (sc_int128)sc_threshold_of(m) + 5;
    out->x_count = out->y_count = 1;
    out->x[0] = (int64_t)((sc_int128)index * last / (sc_int128)(pair_count(m) - 1));
    out->y[0] = out->x[0] + 1;
}

const sc_mechanism sc_threshold_laplace = {
    .entry = {.name = "threshold-laplace",
              .parameters = "epsilon=R delta=R [max-groups=N]",
              .input = "counts",
              .claim = "(epsilon, delta)-DP; noisy counts from a threshold on",
              .reference = "Korolova, Kenthapadi, Mishra, Ntoulas 2009"},
    .parameters = parameters,
    .parameter_count = sizeof parameters / sizeof *parameters,
    .check = check,
    .discard = discard,
    .cost = cost,
    .certify = certify,
    .answer_count = answer_count,
    .draw = draw,
    .width = answer_count,
    .law = law,
    .pair_count = pair_count,
    .pair = pair,
};

scrim_status scrim_threshold_laplace_new(const scrim_threshold_laplace_options *options,
                                         scrim_measurement **out, scrim_error *error)
{
    static const sc_option_member members[] = {
        SC_OPTION_MEMBER(scrim_threshold_laplace_options, epsilon, "epsilon"),
        SC_OPTION_MEMBER(scrim_threshold_laplace_options, delta, "delta"),
        SC_OPTION_MEMBER(scrim_threshold_laplace_options, max_groups, "max-groups"),
    };
    return sc_measurement_from_struct(&sc_threshold_laplace, options, sizeof *options,
                                      members, sizeof members / sizeof *members, out,
                                      error);
}
