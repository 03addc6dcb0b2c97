#include "mechanism/threshold/threshold_laplace.h"

#include "base/memory.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "mechanism/threshold/unit_counts.h"
#include "model/neighbours.h"
#include "scrim/threshold.h"

#define BITS 256

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
    SC_PARAMETER_MAX_GROUPS,
    SC_PARAMETER_NEIGHBOURS,
};

/* Making one. */

/* What a threshold is tried for. */
typedef struct wish {
    const sc_law *noise;
    uint64_t groups;
    sc_ball delta;
} wish;

static bool is_enough(const void *context, int64_t threshold)
{
    const wish *w = context;
    sc_ball mass;
    sc_ball_init(&mass);
    sc_noisy_threshold_mass(w->noise, threshold, w->groups, BITS, &mass);
    const bool result = sc_ball_is_less_equal(&mass, &w->delta);
    sc_ball_clear(&mass);
    return result;
}

static scrim_status find_threshold(const scrim_measurement *m, sc_noisy_threshold *s,
                                   scrim_error *error)
{
    wish w = {.noise = &s->noise, .groups = sc_unit_counts_groups(m)};
    sc_ball_init(&w.delta);
    sc_ball_set_ratio(&w.delta, sc_measurement_get(m, "delta"), BITS);
    s->threshold = sc_noisy_threshold_search(is_enough, &w, 1);
    sc_ball_clear(&w.delta);
    return s->threshold < SC_THRESHOLD_MAX
               ? SCRIM_OK
               : sc_fail(error, SCRIM_E_LIMIT,
                         "threshold-laplace: that epsilon and delta need a threshold of "
                         "2^60 units or more; choose larger ones or fewer max-groups");
}

static scrim_status check(scrim_measurement *m, scrim_error *error)
{
    sc_ratio scale;
    sc_noisy_threshold *s = sc_allocate(1, sizeof *s);
    if (s == NULL)
        return sc_fail(error, SCRIM_E_MEMORY, "no memory for a measurement");
    m->state = s;
    sc_ratio_init(&scale);
    sc_ratio_set_int64(&scale, (int64_t)sc_unit_counts_changed(m));
    sc_ratio_div(&scale, &scale, sc_measurement_get(m, "epsilon"));
    scrim_status status =
        sc_noisy_threshold_init(s, &sc_discrete_laplace_law, &scale, error);
    if (status == SCRIM_OK)
        status = find_threshold(m, s, error);
    if (status == SCRIM_OK)
        status = sc_unit_counts_domain(m, error);
    sc_ratio_clear(&scale);
    return status;
}

static void discard(scrim_measurement *m)
{
    if (m->state != NULL)
        sc_noisy_threshold_clear(m->state);
    sc_release(m->state);
}

static scrim_status cost(const scrim_measurement *m, sc_cost *out, scrim_error *error)
{
    (void)error;
    sc_cost_set_approximate(out, sc_measurement_get(m, "epsilon"),
                            sc_measurement_get(m, "delta"));
    return SCRIM_OK;
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
    .certify = sc_noisy_threshold_certify,
    .answer_count = sc_unit_counts_answers,
    .draw = sc_noisy_threshold_draw,
    .width = sc_unit_counts_answers,
    .law = sc_noisy_threshold_law,
    .pair_count = sc_noisy_threshold_pair_count,
    .pair = sc_noisy_threshold_pair,
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
