#include "summation.h"

#include "balls.h"

static bool list_law(const scrim_measurement *m, const int64_t *values, size_t count,
                     sc_outcomes *out)
{
    const sc_private_input input = {.values = values, .count = count};
    return CHECK_STATUS(m->mechanism->law(m, &input, SUMMATION_BITS, out, NULL),
                        SCRIM_OK);
}

bool summation_open(summation *sum, const sc_mechanism *mechanism, const char *parameters,
                    const sc_pair *pair)
{
    scrim_error error = {.message = ""};
    sum->measurement = NULL;
    if (sc_measurement_new(mechanism, sc_text_of(parameters), SC_PURPOSE_MODEL,
                           &sum->measurement, &error) != SCRIM_OK)
        return CHECK_FAIL("%s: %s", parameters, error.message);
    sc_outcomes_init(&sum->p, mechanism->width(sum->measurement, pair->x_count));
    sc_outcomes_init(&sum->q, mechanism->width(sum->measurement, pair->y_count));
    if (list_law(sum->measurement, pair->x, pair->x_count, &sum->p) &&
        list_law(sum->measurement, pair->y, pair->y_count, &sum->q))
        return true;
    summation_close(sum);
    return false;
}

void summation_open_list(summation *sum, const sc_ball *p, const sc_ball *q, size_t count)
{
    sum->measurement = NULL;
    sc_outcomes_init(&sum->p, 1);
    sc_outcomes_init(&sum->q, 1);
    for (size_t i = 0; i < count; i++) {
        const int64_t key = (int64_t)i;
        CHECK_STATUS(sc_outcomes_add(&sum->p, &key, &p[i], NULL), SCRIM_OK);
        CHECK_STATUS(sc_outcomes_add(&sum->q, &key, &q[i], NULL), SCRIM_OK);
    }
}

void summation_close(summation *sum)
{
    sc_outcomes_clear(&sum->p);
    sc_outcomes_clear(&sum->q);
    scrim_measurement_free(sum->measurement);
}

static void hockey_stick(const sc_outcomes *p, const sc_outcomes *q,
                         const sc_ratio *epsilon, sc_ball *out)
{
    sc_ball factor, term, zero, sum;
    sc_ball_init(&factor);
    sc_ball_init(&term);
    sc_ball_init(&zero);
    sc_ball_init(&sum);
    sc_ball_set_ratio(&factor, epsilon, SUMMATION_BITS);
    sc_ball_exp(&factor, &factor, SUMMATION_BITS);
    for (size_t i = 0; i < p->count; i++) {
        outcomes_mass(q, p->keys + i * p->width, &term);
        sc_ball_mul(&term, &term, &factor, SUMMATION_BITS);
        sc_ball_sub(&term, &p->mass[i], &term, SUMMATION_BITS);
        /* Certainly not above 0: nothing. Perhaps: all that it may be. */
        if (sc_ball_is_less_equal(&term, &zero))
            continue;
        if (!sc_ball_is_positive(&term))
            sc_ball_set_union(&term, &term, &zero, SUMMATION_BITS);
        sc_ball_add(&sum, &sum, &term, SUMMATION_BITS);
    }
    sc_ball_set(out, &sum);
    sc_ball_clear(&sum);
    sc_ball_clear(&zero);
    sc_ball_clear(&term);
    sc_ball_clear(&factor);
}

void summation_delta(const summation *sum, const sc_ratio *epsilon, sc_ball *out)
{
    hockey_stick(&sum->p, &sum->q, epsilon, out);
}

void summation_delta_back(const summation *sum, const sc_ratio *epsilon, sc_ball *out)
{
    hockey_stick(&sum->q, &sum->p, epsilon, out);
}

void summation_renyi(const summation *sum, const sc_ratio *order, sc_ball *out)
{
    sc_ball a, less, log_p, log_q, total;
    sc_ball *const all[] = {&a, &less, &log_p, &log_q, &total};
    for (size_t i = 0; i < COUNT(all); i++)
        sc_ball_init(all[i]);
    sc_ball_set_ratio(&a, order, SUMMATION_BITS);
    sc_ball_add_int64(&less, &a, -1, SUMMATION_BITS);
    for (size_t i = 0; i < sum->p.count; i++) {
        outcomes_mass(&sum->q, sum->p.keys + i * sum->p.width, &log_q);
        if (!sc_ball_is_positive(&log_q) || !sc_ball_is_positive(&sum->p.mass[i]))
            continue;
        sc_ball_log(&log_q, &log_q, SUMMATION_BITS);
        sc_ball_log(&log_p, &sum->p.mass[i], SUMMATION_BITS);
        sc_ball_mul(&log_p, &log_p, &a, SUMMATION_BITS);
        sc_ball_mul(&log_q, &log_q, &less, SUMMATION_BITS);
        sc_ball_sub(&log_p, &log_p, &log_q, SUMMATION_BITS);
        sc_ball_exp(&log_p, &log_p, SUMMATION_BITS);
        sc_ball_add(&total, &total, &log_p, SUMMATION_BITS);
    }
    sc_ball_log(&total, &total, SUMMATION_BITS);
    sc_ball_div(out, &total, &less, SUMMATION_BITS);
    for (size_t i = 0; i < COUNT(all); i++)
        sc_ball_clear(all[i]);
}
