#include "mechanism/sparse/law_sequence.h"

#include "base/memory.h"
#include "sampling/decay.h"

void sc_ball_add_rest(sc_ball *sum, const sc_ball *x, long bits)
{
    SC_OWN(sc_ball, rest);
    sc_ball_set_union(&rest, &rest, x, bits);
    sc_ball_add(sum, sum, &rest, bits);
}

/* By the ratio p = exp(-1/scale) of the Laplace law; by the ratio exp(-(2k-1)/(2 variance)) of
 * the Gaussian, which itself falls by exp(-1/variance) a step. */
void sc_law_pmf_sequence(const sc_law *law, size_t count, long bits, sc_ball *out)
{
    const bool is_gaussian = law->functions == &sc_discrete_gaussian_law;
    if (!is_gaussian && law->functions != &sc_discrete_laplace_law) {
        for (size_t k = 0; k < count; k++)
            sc_law_pmf(law, (sc_int128)k, bits, &out[k]);
        return;
    }
    SC_OWN(sc_ball, ratio, step);
    SC_OWN(sc_ratio, twice);
    sc_ratio_add(&twice, &law->shape, &law->shape);
    sc_decay(&law->shape, 1, bits, &step);
    sc_decay(is_gaussian ? &twice : &law->shape, 1, bits, &ratio);
    sc_law_pmf(law, 0, bits, &out[0]);
    for (size_t k = 1; k < count; k++) {
        sc_ball_mul(&out[k], &out[k - 1], &ratio, bits);
        if (is_gaussian)
            sc_ball_mul(&ratio, &ratio, &step, bits);
    }
}

/* Added up from the far end, where the tail is known. */
bool sc_law_tail_sequence(const sc_law *law, size_t count, long bits, sc_ball *out)
{
    sc_ball *pmf = sc_balls_new(count);
    if (pmf == NULL)
        return false;
    sc_law_pmf_sequence(law, count, bits, pmf);
    sc_law_at_least(law, (sc_int128)count, bits, &out[count - 1]);
    for (size_t m = count - 1; m >= 1; m--)
        sc_ball_add(&out[m - 1], &out[m], &pmf[m], bits);
    sc_balls_free(pmf, count);
    return true;
}
