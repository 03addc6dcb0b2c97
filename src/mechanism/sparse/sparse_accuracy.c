#include "mechanism/sparse/sparse_accuracy.h"

/* The threshold's noise is summed over in at most so many steps. */
#define STEPS 512
#define RADIUS_BITS 256

/* How many queries a run answers at most, of so many. */
static uint64_t asked_at_most(const sc_sparse_plan *plan, uint64_t queries)
{
    uint64_t all = 0;
    if (plan->stage_length == 0 ||
        !sc_uint64_mul(plan->stage_length, sc_sparse_stages(plan), &all))
        return queries;
    return queries < all ? queries : all;
}

static uint64_t less_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* P(|X| <= m)^power; 1 for a power of 0. */
static void within_power(const sc_law *law, sc_int128 m, uint64_t power, long bits,
                         sc_ball *out)
{
    if (m < 0) {
        sc_ball_set_int64(out, power == 0);
        return;
    }
    sc_law_at_least(law, m + 1, bits, out);
    sc_ball_mul_int64(out, out, -2, bits);
    sc_ball_add_int64(out, out, 1, bits);
    sc_ball_power(out, out, power, bits);
}

/* At least the probability that thresholds and queries together stay within a: a largest
 * threshold noise between two steps counts as the farther one. */
static void comparisons(const sc_sparse_plan *plan, uint64_t thresholds, uint64_t queries,
                        sc_int128 a, long bits, sc_ball *out)
{
    const sc_int128 step = a / STEPS + 1;
    SC_OWN(sc_ball, before, upto, part);
    sc_ball_set_int64(out, 0);
    for (sc_int128 t = 0; t <= a; t += step) {
        sc_int128 last = t + step - 1 < a ? t + step - 1 : a;
        within_power(&plan->threshold.law, last, thresholds, bits, &upto);
        within_power(&plan->query.law, a - last, queries, bits, &part);
        sc_ball_sub(&before, &upto, &before, bits);
        sc_ball_mul(&part, &part, &before, bits);
        sc_ball_add(out, out, &part, bits);
        sc_ball_set(&before, &upto);
    }
}

void sc_sparse_failure_upper(const sc_sparse_plan *plan, uint64_t queries, sc_int128 a,
                             long bits, sc_ball *out)
{
    const uint64_t asked = asked_at_most(plan, queries);
    SC_OWN(sc_ball, values);
    comparisons(plan, less_of(sc_sparse_thresholds(plan), asked), asked, a, bits, out);
    if (plan->is_numeric) {
        within_power(&plan->value.law, a, less_of(plan->count, asked), bits, &values);
        sc_ball_mul(out, out, &values, bits);
    }
    sc_ball_neg(out, out);
    sc_ball_add_int64(out, out, 1, bits);
}

/* The radius of a law at beta / parts. */
static scrim_status part_radius(const sc_law *law, const sc_ratio *beta, uint64_t parts,
                                sc_int128 *out, scrim_error *error)
{
    SC_OWN(sc_ratio, part);
    sc_ratio_set_int64(&part, (int64_t)parts);
    sc_ratio_div(&part, beta, &part);
    return sc_law_radius(law, &part, out, error);
}

/* A radius that holds by adding up: a third of beta each for thresholds, queries and values. */
static scrim_status plain_radius(const sc_sparse_plan *plan, const sc_ratio *beta,
                                 uint64_t queries, sc_int128 *out, scrim_error *error)
{
    const uint64_t asked = asked_at_most(plan, queries);
    sc_int128 threshold = 0, query = 0, value = 0;
    scrim_status status =
        part_radius(&plan->threshold.law, beta,
                    3 * less_of(sc_sparse_thresholds(plan), asked), &threshold, error);
    if (status == SCRIM_OK)
        status = part_radius(&plan->query.law, beta, 3 * asked, &query, error);
    if (status == SCRIM_OK && plan->is_numeric)
        status = part_radius(&plan->value.law, beta, 3 * less_of(plan->count, asked),
                             &value, error);
    if (status == SCRIM_OK)
        *out = threshold + query > value ? threshold + query : value;
    return status;
}

static bool is_good(const sc_sparse_plan *plan, const sc_ratio *beta, uint64_t queries,
                    sc_int128 a)
{
    SC_OWN(sc_ball, failure, allowed);
    sc_sparse_failure_upper(plan, queries, a, RADIUS_BITS, &failure);
    sc_ball_set_ratio(&allowed, beta, RADIUS_BITS);
    return sc_ball_is_less_equal(&failure, &allowed);
}

scrim_status sc_sparse_radius(const sc_sparse_plan *plan, const sc_ratio *beta,
                              uint64_t queries, sc_int128 *out, scrim_error *error)
{
    sc_int128 yes = 0, no = -1;
    scrim_status status = plain_radius(plan, beta, queries, &yes, error);
    if (status != SCRIM_OK)
        return status;
    while (yes - no > 1 + yes / 1024) {
        sc_int128 middle = no + (yes - no) / 2;
        if (is_good(plan, beta, queries, middle))
            yes = middle;
        else
            no = middle;
    }
    *out = yes;
    return SCRIM_OK;
}
