#include "query/plan/plan_spread.h"

#include "base/number/ball.h"
#include "base/number/own.h"
#include "query/estimate/noise_sum.h"
#include "query/estimate/shown.h"

#include <stdio.h>
#include <string.h>

static void set_p(const sc_query_aggregate *a, sc_ratio *p)
{
    SC_OWN(sc_ratio, whole);
    sc_ratio_set_int64(&whole, a->p.denominator);
    sc_ratio_set_int64(p, a->p.numerator);
    sc_ratio_div(p, p, &whole);
}

/* Writes p plus or minus a share of the rows, clamped to [0, 1]; false if it was clamped. */
static bool put_rank(const sc_query_aggregate *a, const sc_ratio *share, bool is_above,
                     char out[SC_SHOWN_THREE_BYTES])
{
    SC_OWN(sc_ratio, p);
    set_p(a, &p);
    if (is_above)
        sc_ratio_add(&p, &p, share);
    else
        sc_ratio_sub(&p, &p, share);
    const bool is_cut = sc_ratio_sign(&p) < 0 || sc_ratio_compare_int64(&p, 1) > 0;
    if (is_cut)
        sc_ratio_set_int64(&p, is_above);
    sc_shown_three(&p, out);
    return !is_cut;
}

/* Half of the distance from p to the nearer end of [0, 1]: a quantile that errs by more is useless. */
static void set_useful(const sc_query_aggregate *a, sc_ratio *share)
{
    SC_OWN(sc_ratio, above);
    set_p(a, share);
    sc_ratio_set_int64(&above, 1);
    sc_ratio_sub(&above, &above, share);
    if (sc_ratio_compare(&above, share) < 0)
        sc_ratio_set(share, &above);
    sc_ratio_set_int64(&above, 2);
    sc_ratio_div(share, share, &above);
}

/* The sentence for too few expected rows: says how many would be enough. */
static void put_useless(const scrim_plan *plan, const sc_query_aggregate *a,
                        const sc_ratio *radius, const char *confidence, char *text,
                        size_t capacity)
{
    char low[SC_SHOWN_THREE_BYTES], high[SC_SHOWN_THREE_BYTES],
        rows[SC_SHOWN_THREE_BYTES], expect[SC_SHOWN_THREE_BYTES];
    SC_OWN(sc_ratio, share, needed);
    set_useful(a, &share);
    (void)put_rank(a, &share, false, low);
    (void)put_rank(a, &share, true, high);
    sc_ratio_div(&needed, radius, &share);
    sc_shown_three(&needed, rows);
    sc_shown_three(&plan->options.expect, expect);
    snprintf(text, capacity,
             "with %.40s rows it could be any value of its range; about %.40s rows are "
             "needed for a value between the quantiles %.40s and %.40s with probability "
             "%.40s",
             expect, rows, low, high, confidence);
}

bool sc_plan_ranks_of(const scrim_plan *plan, const sc_planned_statement *s,
                      size_t aggregate, sc_arena *arena, sc_plan_ranks *out)
{
    const sc_query_aggregate *a = &s->query->aggregates[aggregate];
    const size_t statistic = s->statistics.uses[aggregate].quantiles;
    const size_t part = statistic == SC_STATISTIC_NONE ? SC_STATISTIC_NONE
                                                       : sc_plan_part_of(s, statistic);
    char confidence[SC_RATIO_TEXT_BYTES], low[SC_SHOWN_THREE_BYTES],
        high[SC_SHOWN_THREE_BYTES], radius[SCRIM_NUMBER_BYTES], text[400];
    SC_OWN(sc_certificate, certificate);
    SC_OWN(sc_ratio, share);
    *out = (sc_plan_ranks){"", ""};
    if (part == SC_STATISTIC_NONE)
        return true;
    if (sc_measurement_certify(s->parts[part].measurement, &plan->options.confidence, 1,
                               &certificate, NULL) != SCRIM_OK ||
        !certificate.has_radius)
        return true;
    sc_ratio_format(&plan->options.confidence, confidence, sizeof confidence);
    sc_cost_put_upper(&certificate.radius, radius);
    sc_ratio_div(&share, &certificate.radius, &plan->options.expect);
    const bool is_below = put_rank(a, &share, false, low),
               is_above = put_rank(a, &share, true, high);
    if (!is_below && !is_above)
        put_useless(plan, a, &certificate.radius, confidence, text, sizeof text);
    else
        snprintf(
            text, sizeof text,
            "between the quantiles %.40s and %.40s of the expected rows with probability "
            "%.40s (at most %.40s rows from the true rank)",
            low, high, confidence, radius);
    out->radius = sc_arena_copy(arena, radius, strlen(radius));
    out->text = sc_arena_copy(arena, text, strlen(text));
    return out->radius != NULL && out->text != NULL;
}

static bool is_unknown(const scrim_plan *plan, const sc_query_aggregate *a)
{
    const sc_column_guess *guess =
        sc_column_guess_of(&plan->options.guesses, sc_plan_schema_of(plan, a), a->value);
    return a->kind->reads & SC_READS_RANKS && (guess == NULL || !guess->has_deviation);
}

const sc_query_aggregate *sc_plan_unknown_of(const scrim_plan *plan,
                                             const sc_query *query,
                                             const sc_query_output *output)
{
    const sc_formula *formula = output->formula;
    if (formula == NULL) {
        const sc_query_aggregate *a =
            sc_query_output_is_plain(output) ? &query->aggregates[output->index] : NULL;
        return a != NULL && is_unknown(plan, a) ? a : NULL;
    }
    for (size_t i = 0; i < formula->count; i++) {
        const sc_formula_step *step = &formula->steps[i];
        if (step->kind == SC_FORMULA_AGGREGATE &&
            is_unknown(plan, &query->aggregates[step->aggregate]))
            return &query->aggregates[step->aggregate];
    }
    return NULL;
}

#define BITS 128
#define PLACES 200

void sc_plan_step(const sc_planned_statement *s, size_t statistic, sc_ratio *out)
{
    const sc_group_statistic *t = &s->statistics.list[statistic];
    sc_ratio_set_int64(out, 1);
    if (t->value == SC_STATISTIC_NONE || t->kind == SC_STATISTIC_ROWS ||
        sc_statistic_is_cell(t) || t->kind == SC_STATISTIC_AROUND ||
        t->kind == SC_STATISTIC_BARS || t->kind == SC_STATISTIC_VALUES)
        return;
    sc_extent_value(s->statistics.values[t->value]->extent.step, 1, out);
    if (t->kind == SC_STATISTIC_SQUARES)
        sc_ratio_mul(out, out, out);
}

/* The square root, rounded up. */
static bool root_upper(const sc_ball *what, sc_ratio *out)
{
    SC_OWN(sc_ball, root);
    sc_ball_sqrt(&root, what, BITS);
    return sc_ball_round_up(&root, PLACES, out);
}

/* Discrete Laplace noise of scale D / epsilon: the variance is 1 / (2 sinh^2(1 / (2 scale))). */
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

/* Discrete Gaussian noise: at most the root of D^2 / (2 rho). */
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
    /* Bounded noise has a smaller deviation than unbounded noise of the same scale. */
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
