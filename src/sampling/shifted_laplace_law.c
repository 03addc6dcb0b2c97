#include "sampling/decay.h"
#include "sampling/law.h"

/* The shape is epsilon; the decays below take the scale 1/epsilon. With i the distance
 * from the centre (from the nearer of the two centres, for odd q), P ~ exp(-epsilon i), i
 * = 0..m. */

static void scale_of(const sc_law *law, sc_ratio *scale)
{
    sc_ratio_init(scale);
    sc_ratio_set_int64(scale, 1);
    sc_ratio_div(scale, scale, &law->shape);
}

/* The sum of exp(-epsilon i) over both sides. */
static void normaliser(const sc_law *law, const sc_ratio *scale, long bits, sc_ball *out)
{
    sc_decay_sum(scale, law->bound / 2, 0, bits, out);
    sc_ball_mul_power2(out, out, 1);
    if (law->bound % 2 == 0)
        sc_ball_add_int64(out, out, -1, bits);
}

/* i for the value k. */
static sc_int128 distance(const sc_law *law, sc_int128 k)
{
    sc_int128 m = law->bound / 2, right = k + m;
    return right >= 0 ? right : law->bound % 2 == 0 ? -right : -right - 1;
}

static void pmf(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    sc_ratio scale;
    scale_of(law, &scale);
    SC_OWN(sc_ball, z);
    normaliser(law, &scale, bits, &z);
    sc_decay(&scale, distance(law, k), bits, out);
    sc_ball_div(out, out, &z, bits);
    sc_ratio_clear(&scale);
}

/* From the centre up a geometric sum, below it the rest of the other side. */
static void at_least(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    sc_int128 m = law->bound / 2;
    bool is_right = k >= -m;
    sc_int128 first = is_right ? k : -law->bound - (k - 1);
    sc_ratio scale;
    scale_of(law, &scale);
    SC_OWN(sc_ball, part);
    sc_decay_sum(&scale, -first, 0, bits, out);
    sc_decay(&scale, distance(law, first), bits, &part);
    sc_ball_mul(out, out, &part, bits);
    normaliser(law, &scale, bits, &part);
    sc_ball_div(out, out, &part, bits);
    if (!is_right) {
        sc_ball_set_int64(&part, 1);
        sc_ball_sub(out, &part, out, bits);
    }
    sc_ratio_clear(&scale);
}

static void at_most(const sc_law *law, sc_int128 k, long bits, sc_ball *out)
{
    at_least(law, -law->bound - k, bits, out);
}

static void mean(const sc_law *law, long bits, sc_ball *out)
{
    (void)bits;
    sc_ball_set_int128(out, -law->bound);
    sc_ball_mul_power2(out, out, -1);
}

/* sum of i^2 exp(-epsilon i) over both sides; for odd q of (i + 1/2)^2 = i^2 + i +
 * 1/4. */
static void variance(const sc_law *law, long bits, sc_ball *out)
{
    sc_ratio scale;
    scale_of(law, &scale);
    SC_OWN(sc_ball, part);
    sc_int128 m = law->bound / 2;
    sc_decay_sum(&scale, m, 2, bits, out);
    if (law->bound % 2 != 0) {
        sc_decay_sum(&scale, m, 1, bits, &part);
        sc_ball_add(out, out, &part, bits);
        sc_decay_sum(&scale, m, 0, bits, &part);
        sc_ball_mul_power2(&part, &part, -2);
        sc_ball_add(out, out, &part, bits);
    }
    sc_ball_mul_power2(out, out, 1);
    normaliser(law, &scale, bits, &part);
    sc_ball_div(out, out, &part, bits);
    sc_ratio_clear(&scale);
}

static void support(const sc_law *law, sc_int128 *low, sc_int128 *high)
{
    *low = -law->bound;
    *high = 0;
}

const sc_law_functions sc_shifted_laplace_law = {.pmf = pmf,
                                                 .at_most = at_most,
                                                 .at_least = at_least,
                                                 .mean = mean,
                                                 .variance = variance,
                                                 .support = support};
