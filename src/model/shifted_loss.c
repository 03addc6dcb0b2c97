#include "model/shifted_loss.h"

#include "sampling/law.h"

void sc_shifted_loss_init(sc_shifted_loss *loss, const sc_ratio *epsilon, uint64_t q,
                          long bits)
{
    const sc_int128 all = (sc_int128)q, half = all / 2;
    sc_law law;
    sc_law_init(&law, &sc_shifted_laplace_law, epsilon, all);
    sc_ball_init(&loss->infinite);
    sc_ball_init(&loss->up);
    sc_ball_init(&loss->level);
    sc_ball_init(&loss->down);
    sc_law_pmf(&law, 0, bits, &loss->infinite);
    /* Of q = 1 there is nothing between the two ends. */
    if (half > 0) {
        sc_law_between(&law, -half, -1, bits, &loss->up);
        sc_law_between(&law, -all, -all + half - 1, bits, &loss->down);
    }
    if (all % 2 != 0)
        sc_law_pmf(&law, -half, bits, &loss->level);
    sc_law_clear(&law);
}

void sc_shifted_loss_clear(sc_shifted_loss *loss)
{
    sc_ball_clear(&loss->down);
    sc_ball_clear(&loss->level);
    sc_ball_clear(&loss->up);
    sc_ball_clear(&loss->infinite);
}

/* max(0, 1 - exp(at - steps epsilon)), decided by rationals. */
static bool gain(const sc_ratio *epsilon, sc_int128 steps, const sc_ratio *at, long bits,
                 sc_ball *out)
{
    SC_OWN(sc_ratio, gap);
    sc_ratio_set_int128(&gap, steps);
    sc_ratio_mul(&gap, &gap, epsilon);
    sc_ratio_sub(&gap, at, &gap);
    const bool is_gain = sc_ratio_sign(&gap) < 0;
    if (is_gain) {
        sc_ball_set_ratio(out, &gap, bits);
        sc_ball_expm1(out, out, bits);
        sc_ball_neg(out, out);
    }
    return is_gain;
}

/* K!/(i! j! (K-i-j)!) up^i down^j level^(K-i-j); 0^0 is 1. */
static void term(const sc_shifted_loss *loss, uint64_t copies, uint64_t i, uint64_t j,
                 long bits, sc_ball *out)
{
    const uint64_t rest = copies - i - j;
    SC_OWN(sc_ball, part);
    sc_ball_factorial(out, copies, bits);
    const uint64_t below[] = {i, j, rest};
    const sc_ball *const base[] = {&loss->up, &loss->down, &loss->level};
    for (int k = 0; k < 3; k++) {
        sc_ball_factorial(&part, below[k], bits);
        sc_ball_div(out, out, &part, bits);
        sc_ball_power(&part, base[k], below[k], bits);
        sc_ball_mul(out, out, &part, bits);
    }
}

/* 1 - (1 - d)^K. Of one and of two copies as polynomials, which are exact where d is. */
static void any_infinite(const sc_ball *d, uint64_t copies, long bits, sc_ball *out)
{
    if (copies == 1) {
        sc_ball_set(out, d);
        return;
    }
    if (copies == 2) {
        sc_ball_neg(out, d);
        sc_ball_add_int64(out, out, 2, bits);
        sc_ball_mul(out, out, d, bits);
        return;
    }
    sc_ball_neg(out, d);
    sc_ball_log1p(out, out, bits);
    sc_ball_mul_int64(out, out, (int64_t)copies, bits);
    sc_ball_expm1(out, out, bits);
    sc_ball_neg(out, out);
}

void sc_shifted_loss_delta(const sc_shifted_loss *loss, const sc_ratio *epsilon,
                           uint64_t copies, const sc_ratio *at, long bits, sc_ball *out)
{
    SC_OWN(sc_ball, factor, mass);
    any_infinite(&loss->infinite, copies, bits, out);
    for (uint64_t i = 1; i <= copies; i++)
        for (uint64_t j = 0; j <= copies - i; j++) {
            if (!gain(epsilon, (sc_int128)i - (sc_int128)j, at, bits, &factor))
                break; /* the larger j, the smaller the loss */
            term(loss, copies, i, j, bits, &mass);
            sc_ball_mul(&mass, &mass, &factor, bits);
            sc_ball_add(out, out, &mass, bits);
        }
}
