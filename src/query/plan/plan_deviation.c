#include "query/plan/plan_deviation.h"

#include "base/number/ball.h"
#include "query/estimate/noise_sum.h"

#include <string.h>

#define BITS 128
#define PLACES 200

void sc_plan_step(const sc_planned_statement *s, size_t statistic, sc_ratio *out)
{
    const sc_group_statistic *t = &s->statistics.list[statistic];
    sc_ratio_set_int64(out, 1);
    if (t->value == SC_STATISTIC_NONE || t->kind == SC_STATISTIC_ROWS ||
        t->kind == SC_STATISTIC_AROUND)
        return;
    sc_extent_value(s->statistics.values[t->value]->extent.step, 1, out);
    if (t->kind == SC_STATISTIC_SQUARES)
        sc_ratio_mul(out, out, out);
}

/* The root of what, rounded up. */
static bool root_upper(const sc_ball *what, sc_ratio *out)
{
    SC_OWN(sc_ball, root);
    sc_ball_sqrt(&root, what, BITS);
    return sc_ball_round_up(&root, PLACES, out);
}

/* Of discrete Laplace noise, scale D / epsilon: the variance is 1 / (2 sinh^2(1 / (2 scale))). */
static bool laplace_deviation(const scrim_measurement *m, sc_ratio *out)
{
    SC_OWN(sc_ratio, rate);
    SC_OWN(sc_ball, x);
    sc_ratio_add(&rate, sc_measurement_get(m, "sensitivity"),
                 sc_measurement_get(m, "sensitivity"));
    sc_ratio_div(&rate, sc_measurement_get(m, "epsilon"), &rate);
    sc_ball_set_ratio(&x, &rate, BITS);
    sc_ball_sinh(&x, &x, BITS);
    sc_ball_mul(&x, &x, &x, BITS);
    sc_ball_mul_power2(&x, &x, 1);
    SC_OWN(sc_ball, one);
    sc_ball_set_int64(&one, 1);
    sc_ball_div(&x, &one, &x, BITS);
    return root_upper(&x, out);
}

/* Of discrete Gaussian noise at most the root of D^2 / (2 rho). */
static bool gaussian_deviation(const scrim_measurement *m, sc_ratio *out)
{
    sc_ball x, twice;
    if (!m->cost.has_rho || sc_ratio_sign(&m->cost.rho) == 0)
        return false;
    sc_ball_init(&x);
    sc_ball_init(&twice);
    sc_ball_set_ratio(&x, sc_measurement_get(m, "sensitivity"), BITS);
    sc_ball_mul(&x, &x, &x, BITS);
    sc_ball_set_ratio(&twice, &m->cost.rho, BITS);
    sc_ball_mul_power2(&twice, &twice, 1);
    sc_ball_div(&x, &x, &twice, BITS);
    const bool is_known = root_upper(&x, out);
    sc_ball_clear(&twice);
    sc_ball_clear(&x);
    return is_known;
}

void sc_plan_put_deviation(const sc_planned_statement *s, const sc_drawn_part *part,
                           char out[SC_SHOWN_THREE_BYTES])
{
    const char *name = part->measurement->mechanism->entry.name;
    out[0] = '\0';
    bool is_known = false;
    SC_OWN(sc_ratio, deviation, step);
    SC_BALL_SCOPE(scope);
    /* That of bounded noise is smaller. */
    if (strcmp(name, "laplace") == 0 || strcmp(name, "truncated-laplace") == 0 ||
        strcmp(name, "range") == 0)
        is_known = laplace_deviation(part->measurement, &deviation);
    else if (strcmp(name, "gaussian") == 0)
        is_known = gaussian_deviation(part->measurement, &deviation);
    if (is_known) {
        sc_plan_step(s, part->statistic, &step);
        sc_ratio_mul(&deviation, &deviation, &step);
        sc_shown_three(&deviation, out);
    }
}

void sc_plan_put_selection_deviation(const scrim_measurement *m,
                                     char out[SC_SHOWN_THREE_BYTES])
{
    const sc_law *law = sc_noise_law(m);
    sc_ball variance;
    sc_ratio deviation;
    out[0] = '\0';
    if (law == NULL)
        return;
    SC_BALL_SCOPE(scope);
    sc_ball_init(&variance);
    sc_ratio_init(&deviation);
    sc_law_variance(law, BITS, &variance);
    if (root_upper(&variance, &deviation))
        sc_shown_three(&deviation, out);
    sc_ratio_clear(&deviation);
    sc_ball_clear(&variance);
}
