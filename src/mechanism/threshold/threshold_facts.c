/* The parts of a threshold's delta: spec/thresholding.md 6, "add the deltas". */
#include "mechanism/noise/gaussian_calibration.h"
#include "mechanism/threshold/noisy_threshold.h"
#include "mechanism/threshold/stabilise.h"
#include "mechanism/threshold/threshold_gaussian.h"
#include "mechanism/threshold/threshold_laplace.h"
#include "mechanism/threshold/threshold_truncated.h"
#include "mechanism/threshold/threshold_weighted.h"
#include "mechanism/threshold/unit_counts.h"
#include "scrim/threshold.h"

#define BITS 256

typedef struct threshold_deltas {
    sc_ball exact, new_groups, noise, added;
} threshold_deltas;

static void deltas_init(threshold_deltas *out)
{
    sc_ball_init(&out->exact);
    sc_ball_init(&out->new_groups);
    sc_ball_init(&out->noise);
    sc_ball_init(&out->added);
}

static void deltas_clear(threshold_deltas *x)
{
    sc_ball_clear(&x->added);
    sc_ball_clear(&x->noise);
    sc_ball_clear(&x->new_groups);
    sc_ball_clear(&x->exact);
}

/* At the epsilon that is charged. False, with out untouched, for a mechanism without a
 * threshold. */
static bool deltas_of(const scrim_measurement *m, long bits, threshold_deltas *out)
{
    const sc_ratio *epsilon = &m->cost.epsilon;
    const sc_noisy_threshold *s = m->state;
    if (m->mechanism == &sc_threshold_gaussian) {
        sc_noisy_threshold_mass(&s->noise, s->threshold, sc_unit_counts_groups(m), bits,
                                &out->new_groups);
        sc_gaussian_draws_delta_upper(&s->noise.shape, sc_unit_counts_changed(m), epsilon,
                                      bits, &out->noise);
    } else if (m->mechanism == &sc_threshold_laplace || m->mechanism == &sc_stabilise) {
        const sc_laplace_threshold *laplace = m->state;
        sc_new_groups_mass(&laplace->own, &s->noise, s->threshold, bits,
                           &out->new_groups);
        sc_curve_delta_upper(&laplace->noise, epsilon, bits, &out->noise);
    } else if (m->mechanism == &sc_threshold_weighted) {
        sc_weighted_mass(m, bits, &out->new_groups);
        sc_weighted_noise(m, epsilon, bits, &out->noise);
    } else if (m->mechanism == &sc_threshold_truncated) {
        /* what new groups show is what noise cannot reach from the other side */
        sc_noisy_threshold_mass(&s->noise, s->threshold, sc_unit_counts_changed(m), bits,
                                &out->new_groups);
        sc_ball_set_int64(&out->noise, 0);
    } else {
        return false;
    }
    /* A sum of probabilities may exceed 1; a probability does not. */
    sc_ball_add(&out->added, &out->new_groups, &out->noise, bits);
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(&one, 1);
    if (!sc_ball_is_less_equal(&out->added, &one))
        sc_ball_set_int64(&out->added, 1);
    sc_curve_delta_upper(&m->cost.curve, epsilon, bits, &out->exact);
    return true;
}

scrim_status scrim_threshold_describe(const scrim_measurement *m,
                                      scrim_threshold_facts *out, scrim_error *error)
{
    SC_REQUIRE(error, "measurement out", m, out);
    threshold_deltas deltas;
    scrim_status status = SCRIM_OK;
    SC_BALL_SCOPE(scope);
    deltas_init(&deltas);
    if (deltas_of(m, BITS, &deltas))
        *out =
            (scrim_threshold_facts){.threshold = sc_threshold_of(m),
                                    .delta_upper = sc_ball_upper(&deltas.exact),
                                    .new_groups_upper = sc_ball_upper(&deltas.new_groups),
                                    .noise_upper = sc_ball_upper(&deltas.noise),
                                    .added_upper = sc_ball_upper(&deltas.added)};
    else
        status = sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_UNSUPPORTED, "mechanism",
                             "%s has no threshold", m->mechanism->entry.name);
    deltas_clear(&deltas);
    return status;
}
