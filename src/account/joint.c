#include "account/joint.h"

#include "base/checked.h"

/* Decimals. */

#define DIGITS 6

/* Keeps so many digits of what is above 0. */
static void round_up_decimal(sc_ratio *x)
{
    sc_integer scale, whole, least, ten;
    sc_ratio factor;
    sc_integer_init(&scale);
    sc_integer_init(&whole);
    sc_integer_init(&least);
    sc_integer_init(&ten);
    sc_ratio_init(&factor);
    sc_integer_set_uint128(&scale, 1);
    sc_integer_set_uint128(&ten, 10);
    sc_integer_set_uint128(&least, 1);
    for (int i = 1; i < DIGITS; i++)
        sc_integer_mul(&least, &least, &ten);
    for (;;) {
        sc_ratio_set_integer(&factor, &scale);
        sc_ratio_mul(&factor, &factor, x);
        sc_ratio_ceil(&factor, &whole);
        if (sc_integer_compare(&whole, &least) >= 0)
            break;
        sc_integer_mul(&scale, &scale, &ten);
    }
    sc_ratio_set_fraction(x, &whole, &scale);
    sc_ratio_clear(&factor);
    sc_integer_clear(&ten);
    sc_integer_clear(&least);
    sc_integer_clear(&whole);
    sc_integer_clear(&scale);
}

/* The bounds. */

/* The smallest so far. */
typedef struct bound {
    bool is_found;
    sc_ratio *epsilon;
} bound;

static void take(bound *b, const sc_ratio *epsilon)
{
    if (!b->is_found || sc_ratio_compare(epsilon, b->epsilon) < 0)
        sc_ratio_set(b->epsilon, epsilon);
    b->is_found = true;
}

static void add_times(sc_ratio *sum, const sc_ratio *x, uint64_t count)
{
    sc_ratio times;
    sc_ratio_init(&times);
    sc_ratio_set_int128(&times, (sc_int128)count);
    sc_ratio_mul(&times, &times, x);
    sc_ratio_add(sum, sum, &times);
    sc_ratio_clear(&times);
}

static void take_sum(const sc_joint_part *parts, size_t count, const sc_ratio *delta,
                     bound *best)
{
    sc_ratio epsilons, deltas;
    sc_ratio_init(&epsilons);
    sc_ratio_init(&deltas);
    for (size_t i = 0; i < count; i++) {
        add_times(&epsilons, &parts[i].cost->epsilon, parts[i].count);
        add_times(&deltas, &parts[i].cost->delta, parts[i].count);
    }
    if (sc_ratio_compare(&deltas, delta) <= 0)
        take(best, &epsilons);
    sc_ratio_clear(&deltas);
    sc_ratio_clear(&epsilons);
}

static bool are_equal_and_pure(const sc_joint_part *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (sc_ratio_sign(&parts[i].cost->delta) != 0 ||
            sc_ratio_compare(&parts[i].cost->epsilon, &parts[0].cost->epsilon) != 0)
            return false;
    return true;
}

/* Each is a term of the sum. */
#define OPTIMAL_DRAWS 1024

static void take_optimal(const sc_joint_part *parts, size_t count, const sc_ratio *delta,
                         bound *best)
{
    uint64_t draws = 0;
    sc_curve all;
    sc_ratio epsilon;
    if (!are_equal_and_pure(parts, count) || sc_ratio_sign(delta) == 0)
        return;
    for (size_t i = 0; i < count; i++)
        if (!sc_uint64_add(draws, parts[i].count, &draws) || draws > OPTIMAL_DRAWS)
            return;
    sc_curve_init(&all);
    sc_ratio_init(&epsilon);
    sc_curve_set_composed(&all, &parts[0].cost->epsilon, draws);
    if (sc_curve_epsilon_upper(&all, delta, &epsilon))
        take(best, &epsilon);
    sc_ratio_clear(&epsilon);
    sc_curve_clear(&all);
}

scrim_status sc_joint_epsilon(const sc_joint_part *parts, size_t count,
                              const sc_ratio *delta, bool *is_found, sc_ratio *epsilon,
                              scrim_error *error)
{
    bound best = {false, epsilon};
    sc_ball_scope scope;
    (void)error;
    sc_ball_enter(&scope);
    take_sum(parts, count, delta, &best);
    take_optimal(parts, count, delta, &best);
    if (best.is_found && sc_ratio_sign(epsilon) > 0)
        round_up_decimal(epsilon);
    sc_ball_leave(&scope);
    *is_found = best.is_found;
    return SCRIM_OK;
}
