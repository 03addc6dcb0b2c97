#include "synth/rounds/round_budget.h"

#include "base/number/ball.h"
#include "base/status.h"

scrim_status sc_round_unit_check(const sc_round_unit *unit, scrim_error *error)
{
    if (unit->neighbours != SCRIM_ADD_REMOVE && unit->neighbours != SCRIM_REPLACE)
        return sc_fail_for(
            error, SCRIM_E_PARAM, SCRIM_REASON_MISSING, "neighbours",
            "neighbours is not set; use SCRIM_ADD_REMOVE or SCRIM_REPLACE");
    if (unit->rows < 1 || unit->rows > SC_ROUND_ROWS_MAX)
        return sc_fail_for(error, SCRIM_E_PARAM, SCRIM_REASON_RANGE, "max-rows",
                           "a unit must have at least 1 and at most %llu rows",
                           (unsigned long long)SC_ROUND_ROWS_MAX);
    return SCRIM_OK;
}

static uint64_t sides(const sc_round_unit *unit)
{
    return unit->neighbours == SCRIM_REPLACE ? 2 : 1;
}

uint64_t sc_round_move(const sc_round_unit *unit)
{
    return sides(unit) * unit->rows;
}

uint64_t sc_round_square(const sc_round_unit *unit)
{
    return sides(unit) * unit->rows * unit->rows;
}

static scrim_status refuse_small(scrim_error *error)
{
    return sc_fail_for(error, SCRIM_E_LIMIT, SCRIM_REASON_RANGE, "rho",
                       "the budget of a round is too small or too large; change the "
                       "budget, or plan another number of rounds");
}

/* ceil(64 x), from 1 to 2^62. */
static scrim_status in_64ths(const sc_ratio *x, uint64_t *out, scrim_error *error)
{
    uint64_t found = 0;
    SC_OWN(sc_ratio, scaled);
    SC_OWN(sc_integer, whole);
    sc_ratio_set_int64(&scaled, 64);
    sc_ratio_mul(&scaled, &scaled, x);
    sc_ratio_ceil(&scaled, &whole);
    if (!sc_integer_get_uint64(&whole, &found) || found > (uint64_t)1 << 62)
        return refuse_small(error);
    *out = found;
    return SCRIM_OK;
}

scrim_status sc_round_variance(const sc_ratio *share, sc_uint128 square, uint64_t *out,
                               scrim_error *error)
{
    SC_OWN(sc_ratio, variance, twice);
    if (sc_ratio_sign(share) <= 0)
        return refuse_small(error);
    sc_ratio_add(&twice, share, share);
    sc_ratio_set_int128(&variance, (sc_int128)square);
    sc_ratio_div(&variance, &variance, &twice);
    return in_64ths(&variance, out, error);
}

scrim_status sc_round_scale(const sc_ratio *share, uint64_t sum, uint64_t *out,
                            scrim_error *error)
{
    SC_OWN(sc_ratio, scale);
    if (sc_ratio_sign(share) <= 0)
        return refuse_small(error);
    sc_ratio_set_int128(&scale, (sc_int128)sum);
    sc_ratio_div(&scale, &scale, share);
    return in_64ths(&scale, out, error);
}

/* The whole part, from least to 2^62. */
static scrim_status whole_rate(const sc_ratio *x, uint64_t least, uint64_t *out,
                               scrim_error *error)
{
    uint64_t found = 0;
    SC_OWN(sc_integer, whole);
    sc_ratio_floor(x, &whole);
    if (!sc_integer_get_uint64(&whole, &found) || found > (uint64_t)1 << 62 ||
        found < least)
        return refuse_small(error);
    *out = found;
    return SCRIM_OK;
}

scrim_status sc_round_pure_rate(const sc_ratio *share, uint64_t move, uint64_t *out,
                                scrim_error *error)
{
    SC_OWN(sc_ratio, rate, divisor);
    if (sc_ratio_sign(share) <= 0)
        return refuse_small(error);
    sc_ratio_set_int64(&rate, (int64_t)1 << (SC_ROUND_RATE_BITS - 1));
    sc_ratio_mul(&rate, &rate, share);
    sc_ratio_set_int128(&divisor, (sc_int128)move);
    sc_ratio_div(&rate, &rate, &divisor);
    return whole_rate(&rate, 1, out, error);
}

scrim_status sc_round_rate(const sc_ratio *share, uint64_t rounds, uint64_t most_move,
                           uint64_t *out, scrim_error *error)
{
    SC_OWN(sc_ratio, square, divisor);
    SC_OWN(sc_integer, whole, scale);
    if (sc_ratio_sign(share) <= 0)
        return refuse_small(error);
    sc_integer_set_uint128(&scale, (sc_uint128)1 << (2 * SC_ROUND_RATE_BITS + 1));
    sc_ratio_set_integer(&square, &scale);
    sc_ratio_mul(&square, &square, share);
    sc_ratio_set_int128(&divisor, (sc_int128)rounds);
    sc_ratio_div(&square, &square, &divisor);
    sc_ratio_floor(&square, &whole);
    sc_integer_sqrt(&whole, &whole); /* floor(sqrt(floor x)) = floor(sqrt x) */
    sc_ratio_set_integer(&square, &whole);
    return whole_rate(&square, most_move, out, error);
}

void sc_round_measure_cost(sc_uint128 square, uint64_t variance_64ths, sc_ratio *out)
{
    SC_OWN(sc_ratio, divisor);
    sc_ratio_set_int128(out, (sc_int128)square * 32);
    sc_ratio_set_int128(&divisor, (sc_int128)variance_64ths);
    sc_ratio_div(out, out, &divisor);
}

void sc_round_select_cost(uint64_t move, uint64_t rate, sc_ratio *out)
{
    SC_OWN(sc_integer, top);
    sc_integer_set_uint128(&top, (sc_uint128)move * rate);
    sc_integer_mul(&top, &top, &top);
    sc_ratio_set_dyadic(out, &top, 2 * SC_ROUND_RATE_BITS + 1);
}

/* cells sqrt(variance_64ths/(32 pi)) + 1/2. */
static void set_noise(uint64_t cells, uint64_t variance_64ths, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, pi, half);
    SC_OWN(sc_ratio, exact);
    sc_ratio_set_int128(&exact, (sc_int128)variance_64ths);
    sc_ball_set_ratio(out, &exact, bits);
    sc_ball_set_pi(&pi, bits);
    sc_ball_mul_int64(&pi, &pi, 32, bits);
    sc_ball_div(out, out, &pi, bits);
    sc_ball_sqrt(out, out, bits);
    sc_ratio_set_int128(&exact, (sc_int128)cells);
    sc_ball_set_ratio(&half, &exact, bits);
    sc_ball_mul(out, out, &half, bits);
    sc_ratio_set_quotient(&exact, 1, 2);
    sc_ball_set_ratio(&half, &exact, bits);
    sc_ball_add(out, out, &half, bits);
}

/* The number is irrational, so some precision tells its floor. */
int64_t sc_round_noise(uint64_t cells, uint64_t variance_64ths)
{
    sc_int128 found = 0;
    SC_BALL_SCOPE(scope);
    SC_OWN(sc_ball, noise);
    SC_OWN(sc_integer, whole);
    bool is_known = false;
    for (long bits = 128; bits <= 4096 && !is_known; bits *= 2) {
        set_noise(cells, variance_64ths, bits, &noise);
        is_known = sc_ball_floor(&noise, &whole);
    }
    return is_known && sc_integer_get_int128(&whole, &found) && found < INT64_MAX
               ? (int64_t)found
               : INT64_MAX;
}
